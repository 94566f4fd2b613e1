import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { LocalCloud } from '../../local/cloud.ts';
import type { NewRequest } from '../../shared/requests/creating.ts';
import { requestData } from '../../shared/requests/event-data.ts';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import { dispatch } from '../../shared/store/dispatch.ts';
import { endpointCountKey, endpointKey } from '../../shared/store/keys.ts';
import { type OutboxEvent, outboxItems, outboxWrite } from '../../shared/store/outbox.ts';
import { creationWrites } from '../../shared/store/requests.ts';
import { Table } from '../../shared/store/table.ts';
import type { WebhookEndpoint } from '../../shared/store/webhook-endpoints.ts';
import { encryptSecret, endpointContext } from '../../shared/webhooks/secrets.ts';
import { makeSecret } from '../../shared/webhooks/signature.ts';
import { output, settingsOf } from './aws.ts';
import { newRequest, OWNER } from './requests.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

const SECRET = makeSecret(Buffer.alloc(32, 7));
/** As much as one transaction takes, and as one client sends at once. */
const CHUNK = 50;

/** Puts endpoints, requests and events straight into a cloud's table and queue: more of them than a client could make in the time. */
export class WebhookFeeder {
  readonly table: Table;
  readonly #kms: KMSClient;
  readonly #sqs: SQSClient;
  readonly #keyArn: string;
  readonly #eventsQueue: string;

  constructor(cloud: LocalCloud) {
    const settings = settingsOf({ cloud });
    this.table = new Table(new DynamoDBClient(settings), output({ cloud }, 'TableName'));
    this.#kms = new KMSClient(settings);
    this.#sqs = new SQSClient(settings);
    this.#keyArn = output({ cloud }, 'WebhookKeyArn');
    this.#eventsQueue = output({ cloud }, 'EventsQueueUrl');
  }

  /** Endpoints of one owner, as many as wanted. */
  async endpoints(ownerId: string, urls: string[]): Promise<WebhookEndpoint[]> {
    await this.table.put({ ...endpointCountKey(ownerId, 'live'), created: urls.length });
    return Promise.all(
      urls.map(async (url) => {
        const id = `we_${randomUUID()}`;
        const context = endpointContext(id, ownerId);
        const secretCiphertext = await encryptSecret(this.#kms, this.#keyArn, SECRET, context);
        const made = webhookEndpoint({ ownerId, mode: 'live' }, new Date());
        const endpoint: WebhookEndpoint = { ...made, id, url, secretCiphertext };
        await this.table.put({ ...endpointKey(ownerId, 'live', id), ...endpoint });
        return endpoint;
      }),
    );
  }

  async requests(ownerId: string, count: number): Promise<SignatureRequest[]> {
    const owner = { ...OWNER, id: ownerId, reminders: false };
    const requests: SignatureRequest[] = [];
    while (requests.length < count) {
      const several = Array.from({ length: Math.min(CHUNK, count - requests.length) }, () =>
        this.#request(owner),
      );
      requests.push(...(await Promise.all(several)));
    }
    return requests;
  }

  async #request(owner: NewRequest['owner']): Promise<SignatureRequest> {
    const { request, change } = newRequest(1, { owner });
    // Creation events are left out: the test decides when an event happens.
    const { writes, state } = creationWrites({ ...change, effects: [] }, request.content, new Date());
    await this.table.transact(writes);
    return { ...request, state };
  }

  /** Commits one event for each request, as a change would, and tells the queue. Gives the event ids, and when they were committed. */
  async emit(requests: SignatureRequest[]): Promise<{ eventIds: string[]; committedAt: number }> {
    const items = requests.flatMap(({ state }) => {
      const data = { ...requestData(state), reason: null };
      return outboxItems([{ kind: 'event', type: 'signature_request.cancelled', data }], state, new Date())
        .items;
    });
    const chunks = Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, n) =>
      items.slice(n * CHUNK, (n + 1) * CHUNK),
    );
    for (const chunk of chunks) await this.table.transact(chunk.map(outboxWrite));
    const committedAt = performance.now();
    await Promise.all(chunks.map((chunk) => dispatch(this.#sqs, { event: this.#eventsQueue }, chunk)));
    return { eventIds: items.map((item) => (item as OutboxEvent).eventId), committedAt };
  }
}
