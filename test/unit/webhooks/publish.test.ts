import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { EventType } from '../../../shared/contract/events.ts';
import { endpointCountKey, endpointKey, outboxKey, ownerKey } from '../../../shared/store/keys.ts';
import type { OutboxEvent } from '../../../shared/store/outbox.ts';
import type { Owner } from '../../../shared/store/owners.ts';
import type { WebhookEndpoint } from '../../../shared/store/webhook-endpoints.ts';
import { type DeliveryMessage, deliveryMessage } from '../../../shared/webhooks/messages.ts';
import { eventPublisher } from '../../../shared/webhooks/publish.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { SentMessages } from '../../support/sent-messages.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let queue: SentMessages;
const MESSAGE = { outbox_id: 'outbox-1', owner_id: 'owner-1', mode: 'live' };
const publish = (...messages: object[]) => {
  const publishing = eventPublisher({ table, sqs: queue.sqs, queueUrl: 'queue' });
  return Promise.all((messages.length > 0 ? messages : [MESSAGE]).map(publishing));
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

function arrange(endpoints: WebhookEndpoint[], events: OutboxEvent[] = [event], owner = ownerItem()) {
  memory.set({ ...ownerKey(owner.id), ...owner });
  for (const each of events) memory.set({ ...outboxKey(each.id), ...each });
  for (const { ownerId, mode, id, ...fields } of endpoints) {
    memory.set({ ...endpointCountKey(ownerId, mode), created: endpoints.length });
    memory.set({ ...endpointKey(ownerId, mode, id), ownerId, mode, id, ...fields });
  }
  memory.mock.resetHistory();
}

const sent = () => queue.all.map(({ body }) => body as DeliveryMessage);
const isDeleted = (id = 'outbox-1') => memory.item(outboxKey(id)) === undefined;
const second: OutboxEvent = { ...event, id: 'outbox-2', eventId: 'evt_2', eventType: 'signer.signed' };
const SECOND_MESSAGE = { ...MESSAGE, outbox_id: 'outbox-2' };

beforeEach(() => {
  memory.clear();
  queue = new SentMessages();
  skipPauses();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an event', () => {
  it('goes to endpoints subscribed to its type or to all types', async () => {
    const only = (id: string, ...eventTypes: EventType[]) => endpoint(id, { eventTypes });
    arrange([
      endpoint('all'),
      only('this', 'signature_request.created', 'signature_request.sent'),
      only('others', 'signer.signed'),
      endpoint('paused', { disabledAt: '2026-11-21T12:00:00.000Z' }),
    ]);
    await publish();
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['all', 'this']);
    expect(isDeleted()).toBe(true);
  });

  it('is counted once, by its type and mode, however many endpoints get it', async () => {
    arrange([endpoint('a'), endpoint('b')]);
    const lines = captureLog();
    await publish();
    jest.restoreAllMocks();
    expect(lines.filter(({ Events }) => Events)).toEqual([
      expect.objectContaining({ Events: 1, Type: 'signature_request.sent', Mode: 'live' }),
    ]);
  });

  it('is the same body for all its endpoints', async () => {
    arrange([endpoint('a'), endpoint('b')]);
    await publish();
    expect(sent().map((message) => deliveryMessage.parse(message))).toEqual(sent());
    expect(deliveryMessage.parse({ ...sent()[0], slow: true })).toHaveProperty('slow', true);
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

  it('contains no character that SQS refuses', async () => {
    arrange([endpoint('a')]);
    await publish();
    const [call] = queue.mock.commandCalls(SendMessageBatchCommand);
    expect(call?.args[0].input.Entries?.[0]?.MessageBody).not.toMatch(/[\ufffe\uffff]/);
  });

  it('is queued in batches of ten, with one message group for each endpoint', async () => {
    arrange(Array.from({ length: 20 }, (_, place) => endpoint(`we_${place}`)));
    await publish();
    expect(queue.batches).toHaveLength(2);
    expect(queue.batches.map((batch) => batch.length)).toEqual([10, 10]);
    expect(new Set(queue.all.map(({ group }) => group)).size).toBe(20);
  });

  it('stays in the outbox until the queue accepts all its messages', async () => {
    arrange([endpoint('a'), endpoint('b')]);
    queue.mock.on(SendMessageBatchCommand).resolves({
      Successful: [],
      Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }],
    });
    await expect(publish()).rejects.toThrow('refused 1');
    expect(isDeleted()).toBe(false);
  });

  it('is queued again for the endpoints whose message the queue refused, and for no other', async () => {
    arrange([endpoint('a'), endpoint('b')]);
    const Failed = [{ Id: '1', Code: 'InternalError', SenderFault: false }];
    queue.mock.on(SendMessageBatchCommand).resolvesOnce({ Successful: [], Failed }).resolves({});
    await publish();
    const calls = queue.mock.commandCalls(SendMessageBatchCommand);
    const groups = calls.map(({ args: [{ input }] }) =>
      input.Entries?.map(({ MessageGroupId }) => MessageGroupId),
    );
    expect(groups).toEqual([['a', 'b'], ['b']]);
    expect(isDeleted()).toBe(true);
  });

  it('is not queued again once it is published', async () => {
    arrange([endpoint('a')], []);
    await publish();
    expect(sent()).toEqual([]);
  });

  it('is read as it was written a moment ago', async () => {
    arrange([endpoint('a')], []);
    memory.isLagging = true;
    await table.put({ ...outboxKey(event.id), ...event });
    await publish();
    expect(sent()).toHaveLength(1);
  });

  it('is refused by name where the outbox holds other work under its id', async () => {
    arrange([endpoint('a')], []);
    memory.set({ ...outboxKey('outbox-1'), ...event, kind: 'seal' });
    await expect(publish()).rejects.toThrow('not an event');
  });
});

describe('events of a batch', () => {
  it('those of an owner without endpoints take one read and the end of each', async () => {
    arrange([], [event, second]);
    await publish(MESSAGE, SECOND_MESSAGE);
    expect(memory.mock.commandCalls(BatchGetItemCommand)).toHaveLength(1);
    expect(memory.mock.calls()).toHaveLength(3);
    expect([isDeleted('outbox-1'), isDeleted('outbox-2')]).toEqual([true, true]);
    expect(sent()).toEqual([]);
  });

  it('those of one owner are queued together, each for its own endpoints', async () => {
    arrange([endpoint('all'), endpoint('some', { eventTypes: ['signer.signed'] })], [event, second]);
    await publish(MESSAGE, SECOND_MESSAGE);
    expect(queue.batches).toHaveLength(1);
    expect(sent().map(({ eventId, endpointId }) => [eventId, endpointId])).toEqual([
      ['evt_1', 'all'],
      ['evt_2', 'all'],
      ['evt_2', 'some'],
    ]);
  });

  it('whose message comes twice in a batch are queued once, and hold up no other', async () => {
    arrange([endpoint('all')], [event, second]);
    await publish(MESSAGE, MESSAGE, SECOND_MESSAGE);
    expect(sent().map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
    expect([isDeleted('outbox-1'), isDeleted('outbox-2')]).toEqual([true, true]);
  });

  it('one that this version cannot read stays in the outbox, and its message alone comes again', async () => {
    arrange([endpoint('all')], [event, second]);
    memory.set({ ...outboxKey('outbox-1'), ...event, eventType: 'of.a.later.version' });
    const publishing = eventPublisher({ table, sqs: queue.sqs, queueUrl: 'queue' });
    const outcomes = await Promise.allSettled([MESSAGE, SECOND_MESSAGE].map(publishing));
    expect(outcomes).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({
          message: expect.stringContaining('OUTBOX#outbox-1 OUTBOX is damaged'),
        }),
      },
      { status: 'fulfilled' },
    ]);
    expect(sent().map(({ eventId }) => eventId)).toEqual(['evt_2']);
    expect([isDeleted('outbox-1'), isDeleted('outbox-2')]).toEqual([false, true]);
  });

  it('one owner’s that fail do not keep back another’s', async () => {
    const other = { ...second, ownerId: 'owner-2' };
    arrange([], [other], ownerItem({ id: 'owner-2' }));
    memory.set({ ...outboxKey('outbox-1'), id: 'outbox-1', kind: 'event' });
    const publishing = eventPublisher({ table, sqs: queue.sqs, queueUrl: 'queue' });
    const outcomes = await Promise.allSettled(
      [MESSAGE, { ...SECOND_MESSAGE, owner_id: 'owner-2' }].map(publishing),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(isDeleted('outbox-2')).toBe(true);
  });
});

describe('organization webhook', () => {
  const owner = ownerItem({ webhookUrl: 'https://old.example.com/', webhookSecretCiphertext: 'b2xk' });

  it('the organization’s old URL gets the events while there is no endpoint', async () => {
    arrange([], [event], owner);
    await publish();
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['organization_owner-1']);
  });

  it('the organization’s old URL gets the events again once the last endpoint is removed', async () => {
    arrange([], [event], owner);
    memory.set({ ...endpointCountKey('owner-1', 'live'), created: 1 });
    await publish();
    expect(sent().map(({ endpointId }) => endpointId)).toEqual(['organization_owner-1']);
  });

  it.each<[string, WebhookEndpoint[], OutboxEvent, Owner]>([
    ['there is an endpoint', [endpoint('a', { eventTypes: ['signer.signed'] })], event, owner],
    [
      'the only endpoint is paused',
      [endpoint('a', { disabledAt: '2026-11-21T12:00:00.000Z' })],
      event,
      owner,
    ],
    ['the event is from test mode', [], { ...event, mode: 'test' }, owner],
    ['the organization has no such URL', [], event, ownerItem()],
    ['its URL has no secret', [], event, ownerItem({ webhookUrl: 'https://old.example.com/' })],
  ])('the organization’s old URL gets nothing if %s', async (_what, endpoints, outbox, stored) => {
    arrange(endpoints, [outbox], stored);
    await publish({ ...MESSAGE, mode: outbox.mode });
    expect(sent()).toEqual([]);
    expect(isDeleted()).toBe(true);
  });
});
