import { ApiError } from '../contract/api-error.ts';
import type { TypedStyle } from '../contract/fields.ts';
import type { Locale } from '../texts/languages.ts';
import { TRAIL_VERSION } from './chain.ts';
import { actingSigner, requestData, signedData } from './event-data.ts';
import { isActive, livingSigner, mayStillSign, signerById, withSigner } from './lifecycle.ts';
import type { Change, Effect, RequestState, SignatureRequest, SignerState, Visitor } from './model.ts';

/** Rules for opening a link and signing. */

/** Records the first time a signer opens the page; undefined on later visits. */
export function open(
  request: SignatureRequest,
  by: { signerId: string; visitor: Visitor },
  now: Date,
): Change | undefined {
  const signer = livingSigner(request, by.signerId, now);
  if (signer.openedAt || !mayStillSign(signer)) return undefined;
  const at = now.toISOString();
  const opened: SignerState = { ...signer, status: 'opened', openedAt: at };
  const first = !request.state.openedAt;
  const state: RequestState = first ? { ...request.state, status: 'opened', openedAt: at } : request.state;
  const event: Effect = {
    kind: 'event',
    type: 'signature_request.opened',
    data: { ...requestData(state), ...actingSigner(opened) },
  };
  return {
    state,
    signers: withSigner(request.signers, opened),
    audit: [{ type: 'link_opened', at, actor: 'signer', signerId: signer.id, visitor: by.visitor }],
    effects: first ? [event] : [],
  };
}

export interface SignInput {
  signerId: string;
  visitor: Visitor;
  name: string;
  documentSha256: string;
  consentVersion: string;
  consentLocale: Locale;
  signature:
    | { type: 'typed'; value: string; style?: TypedStyle | undefined }
    | { type: 'drawn'; value: string; drawingSha256: string };
  representing: { name: string; role: string | null; entityId: string | null } | null;
}

/** Refuses all that needs no look at the signature itself, whose image costs work to read. */
export function assertMaySign(
  request: SignatureRequest,
  { signerId, documentSha256 }: Pick<SignInput, 'signerId' | 'documentSha256'>,
): SignerState {
  const signer = signerById(request, signerId);
  if (!isActive(request.state) || !mayStillSign(signer)) throw new ApiError('request_not_active');
  if (documentSha256 !== request.content.documentSha256) throw new ApiError('document_mismatch');
  return signer;
}

/** Records a signature. The last one queues the seal in the same change, so a request is sealed exactly once. */
export function sign(before: SignatureRequest, input: SignInput, now: Date): Change | undefined {
  // A repeated call gets the first answer.
  if (signerById(before, input.signerId).status === 'signed') return undefined;
  // A client without a page may sign without opening first.
  const opened = open(before, input, now);
  const request = opened ? { ...before, ...opened } : before;
  const signer = assertMaySign(request, input);
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
      drawingSha256: input.signature.type === 'drawn' ? input.signature.drawingSha256 : null,
      style: (input.signature.type === 'typed' && input.signature.style) || null,
      consentVersion: input.consentVersion,
      consentLocale: input.consentLocale,
      documentSha256: input.documentSha256,
      remaining: state.signerCount - signedCount,
      requestStatus: state.status,
    },
  };
  return {
    state,
    signers: withSigner(request.signers, signed),
    audit: [
      ...(opened?.audit ?? []),
      {
        type: 'signer_signed',
        at,
        actor: 'signer',
        signerId: signer.id,
        visitor: input.visitor,
        details: signedDetails(input),
      },
      ...(last ? [{ type: 'seal_queued', at, actor: 'service' } as const] : []),
    ],
    effects: [
      ...(opened?.effects ?? []),
      { kind: 'event', type: 'signer.signed', data: signedData(state, signed, at) },
      ...(last ? [{ kind: 'seal' } as const] : []),
    ],
    ...(last && state.trailVersion === TRAIL_VERSION && { fixesAnchor: true }),
  };
}

const signedDetails = ({ signature, representing, ...input }: SignInput) => ({
  name: input.name,
  document_sha256: input.documentSha256,
  consent_version: input.consentVersion,
  consent_locale: input.consentLocale,
  signature_type: signature.type,
  ...(signature.type === 'drawn' && { drawing_sha256: signature.drawingSha256 }),
  ...(signature.type === 'typed' && { text: signature.value }),
  ...(signature.type === 'typed' && signature.style && { signature_style: signature.style }),
  ...(representing && {
    representing: representing.name,
    role: representing.role,
    entity_id: representing.entityId,
  }),
});
