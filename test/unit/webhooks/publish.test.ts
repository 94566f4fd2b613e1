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
import { ownerItem } from '../../support/owners.ts';

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
  notBefore: null,
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

function arrange(endpoints: WebhookEndpoint[], outbox: OutboxEvent | undefined = event, owner = {}) {
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
const isDeleted = () => dynamo.commandCalls(DeleteItemCommand).length === 1;

beforeEach(() => {
  dynamo.reset();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
});

describe('publishEvent', () => {
  it('an event goes to endpoints subscribed to its type or to all types', async () => {
    const only = (id: string, ...eventTypes: EventType[]) => endpoint(id, { eventTypes });
    arrange([
      endpoint('all'),
      only('this', 'signature_request.created', 'signature_request.sent'),
      only('others', 'signer.signed'),
      endpoint('paused', { disabledAt: '2026-11-21T12:00:00.000Z' }),
    ]);
    await publishEvent('outbox-1', parts);
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['all', 'this']);
    expect(isDeleted()).toBe(true);
  });

  it('all endpoints of an event get the same body', async () => {
    arrange([endpoint('a'), endpoint('b')]);
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

  it('a queue message contains no character that SQS refuses', async () => {
    arrange([endpoint('a')]);
    await publishEvent('outbox-1', parts);
    expect(entries()[0]?.MessageBody).not.toMatch(/[\ufffe\uffff]/);
  });

  it('an event is queued in batches of ten, with one message group for each endpoint', async () => {
    arrange(Array.from({ length: 20 }, (_, place) => endpoint(`we_${place}`)));
    await publishEvent('outbox-1', parts);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(2);
    expect(new Set(entries().map(({ MessageGroupId }) => MessageGroupId)).size).toBe(20);
  });

  it('an event stays in the outbox until the queue accepts all its messages', async () => {
    arrange([endpoint('a'), endpoint('b')]);
    sqs.on(SendMessageBatchCommand).resolves({
      Successful: [],
      Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }],
    });
    await expect(publishEvent('outbox-1', parts)).rejects.toThrow('refused 1');
    expect(isDeleted()).toBe(false);
  });

  it('an event that is already published is not queued again', async () => {
    dynamo.on(GetItemCommand).resolves({});
    await publishEvent('outbox-1', parts);
    expect(sent()).toEqual([]);
  });
});

describe('organization webhook', () => {
  const owner = ownerItem({ webhookUrl: 'https://old.example.com/', webhookSecretCiphertext: 'b2xk' });

  it('the organization’s old URL gets the events while there is no endpoint', async () => {
    arrange([], event, owner);
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
    ['the event is from test mode', [], { ...event, mode: 'test' }, owner],
    ['the organization has no such URL', [], event, ownerItem()],
  ])('the organization’s old URL gets nothing if %s', async (_what, endpoints, outbox, stored) => {
    arrange(endpoints, outbox, stored);
    await publishEvent('outbox-1', parts);
    expect(sent()).toEqual([]);
    expect(isDeleted()).toBe(true);
  });
});
