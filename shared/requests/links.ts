import type { SignerState } from './model.ts';

const LINK_TOKEN = /^([\w-]{22})[\w-]{43}$/;

/** The token of a link begins with its request's id, so that a call with it reads the request at once. */
export const linkToken = (requestId: string, secret: string): string =>
  Buffer.from(requestId.replaceAll('-', ''), 'hex').toString('base64url') + secret;

/** The request that a link's token names; undefined for those of earlier versions, which are looked up. */
export function requestIdOfToken(token: string): string | undefined {
  const [, named] = LINK_TOKEN.exec(token) ?? [];
  return (
    named &&
    Buffer.from(named, 'base64url')
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  );
}

export const signUrl = (baseUrl: string, signer: Pick<SignerState, 'accessToken'>) =>
  `${baseUrl}/sign/${signer.accessToken}`;

/** A signer's link to the sealed files. The token is in the fragment, which browsers send nowhere. */
export const copyUrl = (baseUrl: string, token: string) => `${baseUrl}/sign/copy#${token}`;

export const requestUrl = (baseUrl: string, requestId: string) => `${baseUrl}/app/requests/${requestId}`;

export const downloadUrl = (baseUrl: string, requestId: string) =>
  `${baseUrl}/api/v1/signatures/${requestId}/document`;
