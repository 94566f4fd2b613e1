import type { ListedState } from './model.ts';

/** The members that full form, list and event payloads share, in the contract's names. */
export const requestHead = ({ status, title, reference }: ListedState) => ({ status, title, reference });

export const requestTimes = (state: ListedState) => ({
  created_at: state.createdAt,
  sent_at: state.sentAt,
  signed_at: state.signedAt,
  cancelled_at: state.cancelledAt,
  expires_at: state.expiresAt,
});
