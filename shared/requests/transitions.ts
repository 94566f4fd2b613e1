import type { RequestStatus } from '../contract/fields.ts';

const ENDINGS = {
  awaiting_stamp: 'the last signer signs',
  declined: 'a signer declines',
  cancelled: 'the sender, or the operator, cancels',
  expired: 'the time to sign runs out',
} as const;
const OPENING = { opened: 'the first signer opens the link' } as const;

/** Every way from one status of a request to another, with its cause. A test holds the rules to it, the docs draw it. */
export const TRANSITIONS: Readonly<Record<RequestStatus, Partial<Readonly<Record<RequestStatus, string>>>>> =
  {
    pending: { sent: 'the first invitation is mailed', ...OPENING, ...ENDINGS },
    sent: { ...OPENING, ...ENDINGS },
    opened: ENDINGS,
    awaiting_stamp: { signed: 'the document is sealed', stamp_failed: 'sealing is given up' },
    stamp_failed: { awaiting_stamp: 'an operator starts the seal again' },
    signed: {},
    declined: {},
    cancelled: {},
    expired: {},
  };
