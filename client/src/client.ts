import type { ReadPath } from './document.ts';
import { Http, type HttpOptions } from './http.ts';
import { SignatureRequestsResource } from './signature-requests.ts';
import { WebhookEndpointsResource } from './webhook-endpoints.ts';

export type ClientOptions = HttpOptions;

/** A client of the service. Its members are named after the API's resources. */
export class SignatureRequests {
  readonly signatureRequests: SignatureRequestsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;

  constructor(options: ClientOptions, readPath?: ReadPath) {
    const http = new Http(options);
    this.signatureRequests = new SignatureRequestsResource(http, readPath);
    this.webhookEndpoints = new WebhookEndpointsResource(http);
  }
}
