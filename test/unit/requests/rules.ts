import type { Change, RequestState, SignatureRequest, SignerState } from '../../../shared/requests/model.ts';
import { at } from '../../support/requests.ts';

/** Helpers for tests of the rules. */

export const iso = (milliseconds: number) => at(milliseconds).toISOString();

export function signerOf(request: { signers: SignerState[] }, place = 0): SignerState {
  const signer = request.signers[place];
  if (!signer) throw new Error(`There is no signer ${place}.`);
  return signer;
}

export const withState = (request: SignatureRequest, state: Partial<RequestState>): SignatureRequest => ({
  ...request,
  state: { ...request.state, ...state },
});

export const withSigner = (
  request: SignatureRequest,
  changes: Partial<SignerState>,
  place = 0,
): SignatureRequest => ({
  ...request,
  signers: request.signers.map((signer, n) => (n === place ? { ...signer, ...changes } : signer)),
});

/**
 * Effect of a change: only the members of state and signers that differ, with the trail and the effects. Without the record
 * of mails, which `mails.test.ts` holds for every rule.
 */
export function difference(before: SignatureRequest, change: Change | undefined) {
  if (!change) return undefined;
  return {
    state: changed(before.state, change.state),
    signers: change.signers.map((signer, n) => changed(signerOf(before, n), signer)),
    audit: change.audit,
    effects: change.effects,
  };
}

const changed = (before: object, now: object) =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) =>
        name !== 'mails' &&
        JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[name]),
    ),
  );

/** The error code that a rule throws. */
export function refusal(run: () => unknown): unknown {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}

/** The head of a request in event payloads. */
export const head = ({ state }: SignatureRequest, changes: Record<string, unknown> = {}) => ({
  signature_request_id: state.id,
  status: state.status,
  title: state.title,
  signer_count: state.signerCount,
  created_at: state.createdAt,
  sent_at: state.sentAt,
  signed_at: state.signedAt,
  cancelled_at: state.cancelledAt,
  expires_at: state.expiresAt,
  reference: state.reference,
  ...changes,
});
