import { withSigner } from './lifecycle.ts';
import type { Change, SignatureRequest, SignerState } from './model.ts';

/** Who is still to be told that the document is sealed. */
export const awaitingNotice = ({ state, signers }: SignatureRequest): SignerState[] =>
  state.status === 'signed' && !state.purgedAt
    ? signers.filter((signer) => signer.status === 'signed' && !signer.sealedNotice)
    : [];

export function noticeMailed(
  request: SignatureRequest,
  by: { signerId: string; sent: boolean; error: string | null },
  now: Date,
): Change | undefined {
  const signer = request.signers.find(({ id }) => id === by.signerId);
  if (!signer || signer.sealedNotice) return undefined;
  const at = now.toISOString();
  return {
    state: request.state,
    signers: withSigner(request.signers, { ...signer, sealedNotice: { at, sent: by.sent, error: by.error } }),
    audit: [
      {
        type: by.sent ? 'sealed_notice_sent' : 'sealed_notice_failed',
        at,
        actor: 'service',
        signerId: signer.id,
        details: by.error ? { error: by.error } : {},
      },
    ],
    follow: [],
  };
}
