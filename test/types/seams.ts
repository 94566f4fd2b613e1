import type { health } from '../../shared/contract/health.ts';
import type { cancelSignature, getSignature } from '../../shared/contract/signatures.ts';
import type { Call } from '../../shared/http/call.ts';
import type { Effect, ListedState, RequestState } from '../../shared/requests/model.ts';
import { summaryView } from '../../shared/views/signature-request.ts';

/**
 * Checked by the compiler (`npm run types`), never run: each line below `@ts-expect-error` must not compile, and the
 * compiler complains where it does.
 */

declare const state: RequestState;
declare const listed: ListedState;
declare const cancelCall: Call<typeof cancelSignature, undefined>;
declare const getCall: Call<typeof getSignature, undefined>;
declare const healthCall: Call<typeof health, undefined>;

export const answers = [
  cancelCall.json({ id: state.id, status: 'cancelled', cancelled_at: state.createdAt }),
  // @ts-expect-error The answer lacks a member.
  cancelCall.json({ id: state.id, status: 'cancelled' }),
  // @ts-expect-error A member has a value that the contract does not allow.
  cancelCall.json({ id: state.id, status: 'signed', cancelled_at: state.createdAt }),
  // @ts-expect-error A member may be null where the contract promises a time.
  cancelCall.json({ id: state.id, status: 'cancelled', cancelled_at: state.cancelledAt }),
  // @ts-expect-error The answer holds a member that the contract does not have.
  healthCall.json({ status: 'ok', host: 'a' }),
  // @ts-expect-error Text of another endpoint's answer.
  getCall.text(healthCall.json({ status: 'ok' })),
];

export const effects: Effect[] = [
  {
    kind: 'event',
    type: 'signer.signed',
    data: {
      signature_request_id: state.id,
      signer_id: state.id,
      signer_email: '',
      signer_name: '',
      signed_at: state.createdAt,
      remaining_pending_signers: 0,
    },
  },
  // @ts-expect-error The payload lacks members.
  { kind: 'event', type: 'signer.signed', data: { signature_request_id: state.id } },
  // @ts-expect-error The contract has no such event.
  { kind: 'event', type: 'signer.invited', data: {} },
];

export const lists = [
  summaryView(listed, new Date()),
  // @ts-expect-error The list's index does not hold this attribute.
  listed.documentHash,
  // @ts-expect-error A projection that lacks an attribute which the list shows.
  summaryView({ ...listed, signerCount: undefined }, new Date()),
];
