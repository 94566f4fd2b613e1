import { type CallOptions, type Http, inPath } from './http.ts';
import type { List } from './list.ts';
import type {
  CreatedWebhookEndpoint,
  DeletedWebhookEndpoint,
  NewWebhookEndpoint,
  RedeliveredEvent,
  TestedWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChanges,
} from './types.ts';

export class WebhookEndpointsResource {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** The result has the `secret`, which is shown only here. Not retried after a fault: check the list first. */
  create = (endpoint: NewWebhookEndpoint, options: CallOptions = {}): Promise<CreatedWebhookEndpoint> =>
    this.#http.json({ method: 'POST', path: pathOf(), body: endpoint, ...options });

  /** All endpoints, without their secrets. */
  list = async (options: CallOptions = {}): Promise<WebhookEndpoint[]> =>
    (await this.#http.json<{ data: WebhookEndpoint[] }>({ path: pathOf(), ...options })).data;

  retrieve = (id: string, options: CallOptions = {}): Promise<WebhookEndpoint> =>
    this.#http.json({ path: pathOf(id), ...options });

  /** Only the given fields change; `disabled` pauses and resumes. */
  update = (
    id: string,
    changes: WebhookEndpointChanges,
    options: CallOptions = {},
  ): Promise<WebhookEndpoint> =>
    this.#http.json({ method: 'PATCH', path: pathOf(id), body: changes, ...options });

  /** Not retried after a fault: if the first call succeeded, the second would fail with `not_found`. */
  delete = (id: string, options: CallOptions = {}): Promise<DeletedWebhookEndpoint> =>
    this.#http.json({ method: 'DELETE', path: pathOf(id), isRepeatable: false, ...options });

  /** Sends a signed event of type `webhook_endpoint.test`. */
  test = (id: string, options: CallOptions = {}): Promise<TestedWebhookEndpoint> =>
    this.#http.json({ method: 'POST', path: pathOf(id, 'test'), ...options });

  /** The attempts of the last 30 days, newest first. */
  deliveries = (
    id: string,
    page: { limit?: number | undefined; cursor?: string | undefined; include?: 'bodies' | undefined } = {},
    options: CallOptions = {},
  ): List<WebhookDelivery> => this.#http.list(pathOf(id, 'deliveries'), page, options);

  /** Delivers an event of the last 30 days once more, under the same event id. */
  redeliver = (id: string, eventId: string, options: CallOptions = {}): Promise<RedeliveredEvent> =>
    this.#http.json({
      method: 'POST',
      path: pathOf(id, 'deliveries', eventId, 'redeliver'),
      ...options,
    });
}

const pathOf = (...parts: string[]) => ['/webhook-endpoints', ...parts.map(inPath)].join('/');
