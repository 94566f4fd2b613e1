import type * as z from 'zod';
import type { requestView } from '../contract/signing.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';
import { CONSENT_TEXTS, CONSENT_VERSIONS } from '../texts/languages.ts';

/** The request as a verified signer sees it. */
export function signingView(
  { state, content, signers }: SignatureRequest,
  signer: SignerState,
): z.input<typeof requestView> {
  const others = signers.filter((other) => other.id !== signer.id);
  return {
    request: {
      id: state.id,
      title: state.title,
      message: content.message,
      sender_name: state.ownerName,
      status: state.status,
      expires_at: state.expiresAt,
      return_url: content.returnUrl,
      ...(state.mode === 'test' && { test: true as const }),
      ...(state.evidenceHash && { evidence: true as const }),
      ...(state.documentHash && state.purgedAt && { purged_at: state.purgedAt }),
    },
    signer: {
      id: signer.id,
      name: signer.name,
      email: signer.email,
      status: signer.status,
      locale: signer.locale,
      representing_as_invited: signer.representingAsInvited,
    },
    others: { total: others.length, signed: others.filter((other) => other.status === 'signed').length },
    document: {
      filename: content.filename,
      size: content.documentSize,
      sha256: content.documentSha256,
      ...(content.attachments && { attachments: content.attachments }),
    },
    consent: {
      version: CONSENT_VERSIONS[signer.locale],
      locale: signer.locale,
      text: CONSENT_TEXTS[signer.locale],
    },
  };
}
