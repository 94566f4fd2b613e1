import type { RequestStatus, SignatureRequestSummary } from '../../client/src/types.ts';

type Tone = 'waiting' | 'done' | 'ended' | 'trouble';

/** The colour of each status, in the order in which the filter offers them. */
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

/** A daily job marks requests as `expired`, up to a day late. */
export const shownStatus = ({
  status,
  is_expired,
}: Pick<SignatureRequestSummary, 'status' | 'is_expired'>): RequestStatus =>
  is_expired ? 'expired' : status;

/** Whether a request or signer still waits for a signature. Such a request can be cancelled. */
export const isOpen = (status: string): boolean => ['pending', 'sent', 'opened'].includes(status);
/** Whether the status can no longer change. */
export const isFinal = (status: RequestStatus): boolean =>
  ['signed', 'declined', 'expired', 'cancelled'].includes(status);
