import type { CodeMailInput } from '../mail/render.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';

export const signUrl = (baseUrl: string, signer: SignerState) => `${baseUrl}/sign/${signer.accessToken}`;

/** What every mail with a code says. */
export function codeMailInput(
  request: SignatureRequest,
  signer: SignerState,
  code: string,
  baseUrl: string,
): CodeMailInput {
  return {
    locale: signer.locale,
    senderName: request.state.ownerName,
    title: request.state.title,
    message: request.content.message,
    signerName: signer.name,
    signUrl: signUrl(baseUrl, signer),
    code,
    codeExpiresAt: signer.code?.expiresAt ?? request.state.expiresAt,
    expiresAt: request.state.expiresAt,
    test: request.state.mode === 'test',
  };
}
