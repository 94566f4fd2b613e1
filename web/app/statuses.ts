import type { RequestStatus, SignatureRequestSummary } from '../../client/src/types.ts';

type Tone = 'waiting' | 'done' | 'ended' | 'trouble';

/** The look of each status. The order is that of a request's life, in which a filter offers them. */
const TONES: Record<RequestStatus, Tone> = {
  pending: 'trouble',
  sent: 'waiting',
  opened: 'waiting',
  awaiting_stamp: 'waiting',
  signed: 'done',
  declined: 'ended',
  expired: 'ended',
  cancelled: 'ended',
  stamp_failed: 'trouble',
};

export const REQUEST_STATUSES = Object.keys(TONES) as RequestStatus[];
export const toneOf = (status: RequestStatus): Tone => TONES[status];

/** A job makes a request `expired` up to a day late. */
export const shownStatus = ({
  status,
  is_expired,
}: Pick<SignatureRequestSummary, 'status' | 'is_expired'>): RequestStatus =>
  is_expired ? 'expired' : status;

/** The statuses of a request or signer that wait for a signature. A sender may cancel from them. */
export const isOpen = (status: string): boolean => ['pending', 'sent', 'opened'].includes(status);
/** The statuses that nothing changes any more. */
export const isFinal = (status: RequestStatus): boolean =>
  ['signed', 'declined', 'expired', 'cancelled'].includes(status);
