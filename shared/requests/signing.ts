import type { Locale } from '../contract/fields.ts';
import { actingSigner, requestData, signedData } from './event-data.ts';
import { deadLink, isActive, mayStillSign, Refusal, signerById, withSigner } from './lifecycle.ts';
import type { Change, Follow, RequestState, SignatureRequest, SignerState, Visitor } from './model.ts';

/** What a signer's visit and signature do to a request. */

/** The page was opened by its own call; undefined where nothing is new. */
export function open(
  request: SignatureRequest,
  by: { signerId: string; visitor: Visitor },
  now: Date,
): Change | undefined {
  const signer = signerById(request, by.signerId);
  const dead = deadLink(request, signer, now);
  if (dead) throw new Refusal(dead);
  if (signer.openedAt || !mayStillSign(signer)) return undefined;
  const at = now.toISOString();
  const opened: SignerState = { ...signer, status: 'opened', openedAt: at };
  const first = !request.state.openedAt;
  const state: RequestState = first ? { ...request.state, status: 'opened', openedAt: at } : request.state;
  const event: Follow = {
    kind: 'event',
    type: 'signature_request.opened',
    data: { ...requestData(state), ...actingSigner(opened) },
  };
  return {
    state,
    signers: withSigner(request.signers, opened),
    audit: [{ type: 'link_opened', at, actor: 'signer', signerId: signer.id, visitor: by.visitor }],
    follow: first ? [event] : [],
  };
}

export interface SignInput {
  signerId: string;
  visitor: Visitor;
  name: string;
  documentSha256: string;
  consentVersion: string;
  consentLocale: Locale;
  signature: { type: 'typed' | 'drawn'; value: string };
  representing: { name: string; role: string | null; entityId: string | null } | null;
}

/** One signature. The last one asks for the seal in the same change, so that there is exactly one seal. */
export function sign(before: SignatureRequest, input: SignInput, now: Date): Change | undefined {
  // The same signer again gets the first answer: nothing changes.
  if (signerById(before, input.signerId).status === 'signed') return undefined;
  // Whoever signs has opened the link, also where no page said so.
  const opened = open(before, input, now);
  const request = opened ? { ...before, ...opened } : before;
  const signer = signerById(request, input.signerId);
  if (!isActive(request.state) || !mayStillSign(signer)) throw new Refusal('request_not_active');
  if (input.documentSha256 !== request.content.documentSha256) throw new Refusal('document_mismatch');

  const at = now.toISOString();
  const signedCount = request.state.signedCount + 1;
  const last = signedCount === request.state.signerCount;
  const state: RequestState = {
    ...request.state,
    signedCount,
    status: last ? 'awaiting_stamp' : request.state.status,
    stampQueuedAt: last ? at : null,
  };
  const signed: SignerState = {
    ...signer,
    status: 'signed',
    signedAt: at,
    nameAsSigned: input.name,
    ipAddress: input.visitor.ipAddress,
    userAgent: input.visitor.userAgent,
    representingAsSigned: input.representing?.name ?? null,
    representingRole: input.representing?.role ?? null,
    representingEntityId: input.representing?.entityId ?? null,
    remindAt: null,
    signature: {
      ...input.signature,
      consentVersion: input.consentVersion,
      consentLocale: input.consentLocale,
      documentSha256: input.documentSha256,
      remaining: state.signerCount - signedCount,
      requestStatus: state.status,
    },
  };
  const details = {
    name: input.name,
    document_sha256: input.documentSha256,
    consent_version: input.consentVersion,
    consent_locale: input.consentLocale,
    signature_type: input.signature.type,
    ...(input.representing && { representing: input.representing.name }),
  };
  return {
    state,
    signers: withSigner(request.signers, signed),
    audit: [
      ...(opened?.audit ?? []),
      { type: 'signer_signed', at, actor: 'signer', signerId: signer.id, visitor: input.visitor, details },
      ...(last ? [{ type: 'seal_queued', at, actor: 'service' } as const] : []),
    ],
    follow: [
      ...(opened?.follow ?? []),
      { kind: 'event', type: 'signer.signed', data: signedData(state, signed, at) },
      ...(last ? [{ kind: 'seal' } as const] : []),
    ],
  };
}
