import type { SignerState } from './model.ts';

/** A signer's personal link to the signing page. */
export const signUrl = (baseUrl: string, signer: Pick<SignerState, 'accessToken'>) =>
  `${baseUrl}/sign/${signer.accessToken}`;

/** A signer's link to the sealed files. The token is in the fragment, which browsers send nowhere. */
export const copyUrl = (baseUrl: string, token: string) => `${baseUrl}/sign/copy#${token}`;

/** The page of a request on the dashboard. */
export const requestUrl = (baseUrl: string, requestId: string) => `${baseUrl}/app/requests/${requestId}`;

/** The address of the sealed document for clients. */
export const downloadUrl = (baseUrl: string, requestId: string) =>
  `${baseUrl}/api/v1/signatures/${requestId}/document`;
