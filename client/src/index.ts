/** The entry for browsers and workers, which have no file paths. Elsewhere it is node.ts. */
export { type ClientOptions, SignatureRequests } from './client.ts';
export type { FileInput, LocalFile, UploadedFile } from './document.ts';
export type { Download } from './download.ts';
export {
  type ClientErrorCode,
  type ErrorCode,
  type Fault,
  RequestEndedError,
  SignatureRequestsError,
} from './errors.ts';
export type { CallOptions } from './http.ts';
export type { List, Page } from './list.ts';
export type {
  CreateOptions,
  DownloadOptions,
  FormOptions,
  NewSignatureRequest,
  SignatureRequestsResource,
} from './signature-requests.ts';
export type * from './types.ts';
export type { WaitOptions } from './wait-until-sealed.ts';
export type { WebhookEndpointsResource } from './webhook-endpoints.ts';
export { type VerifyOptions, type WebhookHeaders, webhooks } from './webhooks.ts';
