/** Refusals of a request that has ended. */
export const ENDED = [
  'link_cancelled',
  'link_declined',
  'link_invalidated',
  'link_expired',
  'request_not_active',
  'request_not_cancellable',
  'signer_not_active',
];
