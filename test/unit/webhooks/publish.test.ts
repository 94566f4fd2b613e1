import { DeleteItemCommand, DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { EventType } from '../../../shared/contract/events.ts';
import { outboxKey, ownerKey } from '../../../shared/store/keys.ts';
import type { OutboxEvent } from '../../../shared/store/outbox.ts';
import { Table } from '../../../shared/store/table.ts';
import type { WebhookEndpoint } from '../../../shared/store/webhook-endpoints.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/messages.ts';
import { publishEvent } from '../../../shared/webhooks/publish.ts';

const dynamo = mockClient(DynamoDBClient);
const sqs = mockClient(SQSClient);
const parts = {
  table: new Table(new DynamoDBClient({}), 'table'),
  sqs: new SQSClient({}),
  queueUrl: 'queue',
};

const event: OutboxEvent = {
  id: 'outbox-1',
  kind: 'event',
  requestId: 'request-1',
  ownerId: 'owner-1',
  mode: 'live',
  createdAt: '2026-11-21T12:00:00.000Z',
  sends: 0,
  eventId: 'evt_1',
  eventType: 'signature_request.sent',
  body: '{"id":"evt_1","title":"\\"quoted\\" \uffff\ufffe \ud83d\ude00"}',
};

const endpoint = (id: string, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  ownerId: 'owner-1',
  mode: 'live',
  url: 'https://hooks.example.com/',
  eventTypes: [],
  description: null,
  disabledAt: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  secretCiphertext: 'c2VjcmV0',
  ...fields,
});

function given(endpoints: WebhookEndpoint[], outbox: OutboxEvent | undefined = event, owner = {}) {
  dynamo.on(GetItemCommand).resolves({});
  dynamo
    .on(GetItemCommand, { Key: marshall(outboxKey('outbox-1')) })
    .resolves(outbox ? { Item: marshall(outbox) } : {});
  dynamo.on(GetItemCommand, { Key: marshall(ownerKey('owner-1')) }).resolves({ Item: marshall(owner) });
  dynamo.on(QueryCommand).resolves({ Items: endpoints.map((item) => marshall(item)) });
  dynamo.on(DeleteItemCommand).resolves({});
}

const entries = () =>
  sqs.commandCalls(SendMessageBatchCommand).flatMap((call) => call.args[0].input.Entries ?? []);
const sent = () => entries().map(({ MessageBody }) => JSON.parse(MessageBody ?? '') as DeliveryMessage);
const isDone = () => dynamo.commandCalls(DeleteItemCommand).length === 1;

beforeEach(() => {
  dynamo.reset();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
});

describe('an event', () => {
  it('goes to each endpoint that wants its type, and to those that want all', async () => {
    const only = (id: string, ...eventTypes: EventType[]) => endpoint(id, { eventTypes });
    given([
      endpoint('all'),
      only('this', 'signature_request.created', 'signature_request.sent'),
      only('others', 'signer.signed'),
      endpoint('paused', { disabledAt: '2026-11-21T12:00:00.000Z' }),
    ]);
    await publishEvent('outbox-1', parts);
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['all', 'this']);
    expect(isDone()).toBe(true);
  });

  it('carries the same bytes to all of them, whatever is in it', async () => {
    given([endpoint('a'), endpoint('b')]);
    await publishEvent('outbox-1', parts);
    expect(sent()).toEqual(
      ['a', 'b'].map((endpointId) => ({
        eventId: 'evt_1',
        eventType: 'signature_request.sent',
        requestId: 'request-1',
        ownerId: 'owner-1',
        mode: 'live',
        endpointId,
        body: event.body,
      })),
    );
  });

  it('holds no character that the queue refuses', async () => {
    given([endpoint('a')]);
    await publishEvent('outbox-1', parts);
    expect(entries()[0]?.MessageBody).not.toMatch(/[\ufffe\uffff]/);
  });

  it('is sent in batches of ten, each endpoint a group of its own', async () => {
    given(Array.from({ length: 20 }, (_, place) => endpoint(`we_${place}`)));
    await publishEvent('outbox-1', parts);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(2);
    expect(new Set(entries().map(({ MessageGroupId }) => MessageGroupId)).size).toBe(20);
  });

  it('stays in the outbox while the queue has not taken all of it', async () => {
    given([endpoint('a'), endpoint('b')]);
    sqs.on(SendMessageBatchCommand).resolves({
      Successful: [],
      Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }],
    });
    await expect(publishEvent('outbox-1', parts)).rejects.toThrow('did not take 1');
    expect(isDone()).toBe(false);
  });

  it('that was published already goes nowhere', async () => {
    dynamo.on(GetItemCommand).resolves({});
    await publishEvent('outbox-1', parts);
    expect(sent()).toEqual([]);
  });
});

describe('the organization’s old URL', () => {
  const owner = { webhookUrl: 'https://old.example.com/', webhookSecretCiphertext: 'b2xk' };

  it('gets the events of an organization without endpoints', async () => {
    given([], event, owner);
    await publishEvent('outbox-1', parts);
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['organization_owner-1']);
  });

  it.each<[string, WebhookEndpoint[], OutboxEvent, object]>([
    ['there is an endpoint', [endpoint('a', { eventTypes: ['signer.signed'] })], event, owner],
    [
      'the only endpoint is paused',
      [endpoint('a', { disabledAt: '2026-11-21T12:00:00.000Z' })],
      event,
      owner,
    ],
    ['the event is a test’s', [], { ...event, mode: 'test' }, owner],
    ['there is none', [], event, {}],
  ])('gets nothing where %s', async (_what, endpoints, outbox, stored) => {
    given(endpoints, outbox, stored);
    await publishEvent('outbox-1', parts);
    expect(sent()).toEqual([]);
    expect(isDone()).toBe(true);
  });
});
