import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { erasePersonalData } from '../../admin/person-erase.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { documentViewed } from '../../shared/requests/codes.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { invitationsReported } from '../../shared/requests/inviting.ts';
import { linkToken } from '../../shared/requests/links.ts';
import type { Change, SignatureRequest } from '../../shared/requests/model.ts';
import { open } from '../../shared/requests/signing.ts';
import { present } from '../../shared/runtime/present.ts';
import { HOUR, MINUTE, SECOND } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { dispatch } from '../../shared/store/dispatch.ts';
import { outboxKey } from '../../shared/store/keys.ts';
import { addOwner } from '../../shared/store/owners.ts';
import { AttemptRecorder } from '../../shared/webhooks/attempts.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import {
  createEndpoint,
  deleteEndpoint,
  requireEndpoint,
  updateEndpoint,
} from '../../shared/webhooks/endpoints.ts';
import { type DeliveryMessage, sendDeliveries } from '../../shared/webhooks/messages.ts';
import type { PostResult } from '../../shared/webhooks/post.ts';
import { eventPublisher } from '../../shared/webhooks/publish.ts';
import { redelivery } from '../../shared/webhooks/redelivery.ts';
import { recordLostDeliveries } from '../../shared/work/lost-deliveries.ts';
import { sweepOutbox } from '../../shared/work/sweep-outbox.ts';
import { captureLog } from '../support/captured-log.ts';
import { Meeting } from '../support/meeting.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { operatorOf } from '../support/operator-terminal.ts';
import { ownerItem } from '../support/owners.ts';
import { always } from '../support/property.ts';
import { Random } from '../support/random.ts';
import { NOON, OWNER } from '../support/requests.ts';
import { play, stepsOf } from '../support/steps.ts';
import { changed, storedRequest } from '../support/stored-requests.ts';
import { skipPauses } from '../support/virtual-time.ts';
import { wholeRequest } from '../support/whole-request.ts';

type Action =
  | { does: 'open' | 'read'; signer: number }
  | { does: 'redeliver'; event: number; endpoint: 'kept' | 'changed' }
  | { does: 'cancel' | 'erase' | 'publish' | 'deliver' | 'sweep' }
  | { does: 'pause' | 'resume' | 'move' | 'delete' };

const ANN = { email: 'ann@example.com', name: 'Annabel', address: '198.51.100.9' };
const BEN = { email: 'ben@example.com', name: 'Benedict', address: '203.0.113.7' };
const OF_ANN = /ann@example|Annabel|198\.51\.100\.9/;
const RESULTS: PostResult[] = [
  { status: 200, error: null, durationMs: 1 },
  { status: 503, error: 'unexpected_status', durationMs: 1 },
  { status: null, error: 'timed_out', durationMs: 5 * SECOND },
];

const owner = { ownerId: OWNER.id, mode: OWNER.mode };
const memory = new MemoryDynamo();
const { table } = memory;
const operator = operatorOf(table);
const sqs = new SQSClient({});
const now = () => new Date();
const send = (items: Parameters<typeof dispatch>[2]) => dispatch(sqs, { event: 'events' }, items);
const services = { table, owner, encrypt: async () => 'secret' };

let meeting: Meeting;
let random: Random;
let id: string;
/** `kept` gets every event. */
let endpoints: Record<'kept' | 'changed', string>;
/** The queues, whose messages may come twice, also at the same time. */
let queues: Record<string, Set<unknown>>;
/** What happened. */
let events: Set<string>;
let posts: { endpoint: string; event: string; body: string }[];
let redeliveries: number;
let deaths: number;

beforeAll(() => {
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ QueueUrl, Entries }) =>
      meeting.call(() => {
        for (const { MessageBody } of Entries) receive(QueueUrl, JSON.parse(MessageBody));
        return {};
      }),
    );
  mockClient(S3Client)
    .on(ListObjectVersionsCommand)
    .callsFake(() => meeting.call(() => ({})));
  captureLog();
  skipPauses(NOON);
});
afterAll(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function receive(queue: string, message: { outbox_id?: string }): void {
  queues[queue]?.add(message);
  const event = message.outbox_id && memory.item(outboxKey(message.outbox_id))?.eventId;
  if (event) events.add(String(event));
}

async function begin(seed: number, isEnded: boolean): Promise<void> {
  jest.setSystemTime(NOON);
  memory.clear();
  random = new Random(seed);
  meeting = new Meeting(random);
  queues = { events: new Set(), deliveries: new Set() };
  events = new Set();
  posts = [];
  redeliveries = 0;
  deaths = 0;
  await addOwner(table, ownerItem({ id: OWNER.id }));
  const registered = async (name: string) =>
    (await createEndpoint({ url: `https://${name}.example.com/` }, { ...services, now: NOON })).endpoint.id;
  endpoints = { kept: await registered('kept'), changed: await registered('changed') };
  const requestId = crypto.randomUUID();
  await storedRequest(table, 2, {
    id: requestId,
    owner: OWNER,
    signers: [ANN, BEN].map(({ email, name }, n) => ({
      id: crypto.randomUUID(),
      email,
      name,
      locale: 'en',
      accessToken: linkToken(requestId, `token-${n}`.padEnd(43, '_')),
      codeHash: 'hash',
    })),
  });
  id = requestId;
  await changed(table, id, invitationsReported);
  memory.meeting = meeting;
  for (const signer of [0, 1]) await changeAs('open', signer);
  if (isEnded) await act({ does: 'cancel' });
}

/** The function of a call: it commits, and then sends. */
async function change(rule: (request: SignatureRequest, time: Date) => Change | undefined): Promise<void> {
  const { outbox } = present(await changeRequest({ table, now }, id, rule), 'the request');
  await send(outbox);
}

function changeAs(does: 'open' | 'read', signer: number): Promise<void> {
  const rule = does === 'open' ? open : documentViewed;
  const visitor = { ipAddress: (signer === 0 ? ANN : BEN).address, userAgent: 'test' };
  return change((request, time) =>
    rule(request, { signerId: request.signers[signer]?.id ?? '', visitor }, time),
  );
}

/** Hands over all messages. Those that fail stay, and all do if the function dies. */
async function consume<T>(queue: string, work: (message: T) => Promise<unknown>): Promise<void> {
  const messages = [...(queues[queue] ?? [])] as T[];
  const done = await Promise.allSettled(messages.map(work));
  for (const [place, message] of messages.entries())
    if (done[place]?.status === 'fulfilled') queues[queue]?.delete(message);
}

/** A function of its own, as each that runs at the same time. */
function deliverAll(): Promise<void> {
  const parts: Parameters<typeof deliver>[1] = {
    table,
    decryptSecret: async () => `whsec_${'A'.repeat(43)}=`,
    post: (url, headers, body) =>
      meeting.call(() => {
        const endpoint = url.includes('kept') ? endpoints.kept : endpoints.changed;
        posts.push({ endpoint, event: String(headers['webhook-id']), body });
        return random.of(RESULTS);
      }),
    sendSlow: (message) => sendDeliveries(sqs, 'deliveries', [message]),
    record: new AttemptRecorder(table, now),
    now,
  };
  return consume<DeliveryMessage>('deliveries', (message) => deliver(message, parts));
}

async function redeliver({ event, endpoint }: Extract<Action, { does: 'redeliver' }>): Promise<void> {
  const [eventId = 'none'] = [...events].slice(event % Math.max(events.size, 1));
  const message = await redelivery(table, await requireEndpoint(table, owner, endpoints[endpoint]), eventId);
  redeliveries += 1;
  await sendDeliveries(sqs, 'deliveries', [message]);
}

async function sweep(): Promise<void> {
  const until = new Date(Date.now() + MINUTE);
  await Promise.allSettled([
    recordLostDeliveries(table, now, until),
    sweepOutbox(table, send, { now, until }),
  ]);
}

const erase = () => erasePersonalData(ANN.email, { purge: true }, operator);

function act(action: Action): Promise<unknown> {
  const update = (patch: Parameters<typeof updateEndpoint>[1]) =>
    updateEndpoint(endpoints.changed, patch, { ...services, now: now() });
  switch (action.does) {
    case 'open':
    case 'read':
      return changeAs(action.does, action.signer);
    case 'cancel':
      return change((request, time) => cancel(request, { actor: 'client', reason: null }, time));
    case 'erase':
      return erase();
    case 'publish':
      return consume('events', eventPublisher({ table, sqs, queueUrl: 'deliveries' }));
    case 'deliver':
      return deliverAll();
    case 'redeliver':
      return redeliver(action);
    case 'sweep':
      return sweep();
    case 'pause':
    case 'resume':
      return update({ disabled: action.does === 'pause' });
    case 'move':
      return update({ url: 'https://changed.example.com/new' });
    case 'delete':
      return deleteEndpoint(endpoints.changed, services);
  }
}

/** A person repeats what was refused, or met another call. */
const actOrBeRefused = (action: Action): Promise<unknown> =>
  act(action).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });

/** The next runs of all, until there is nothing to do. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    jest.setSystemTime(Date.now() + 2 * HOUR);
    await sweep();
    await act({ does: 'publish' });
    // The second time those that were moved to the slow queue.
    await deliverAll();
    await deliverAll();
  }
}

const attemptsIn = (endpoint: string) =>
  memory.items.filter(({ attemptedAt, endpointId }) => attemptedAt && endpointId === endpoint);

async function expectConsistent(): Promise<void> {
  expect(queues).toEqual({ events: new Set(), deliveries: new Set() });
  expect(memory.items.filter(({ kind }) => kind === 'event')).toEqual([]);
  const { events: trail } = await wholeRequest(table, id);
  const attempts = Object.values(endpoints).flatMap(attemptsIn);
  const told = trail.filter(({ type }) => type.startsWith('webhook_')).map(({ details }) => details);
  const nameOf = (event: unknown, endpoint: unknown, manual: boolean) => `${event} ${endpoint} ${manual}`;
  expect(told.map((each) => nameOf(each.event_id, each.endpoint_id, each.manual === true)).sort()).toEqual(
    attempts.map((each) => nameOf(each.eventId, each.endpointId, each.manualId !== undefined)).sort(),
  );
  const unknown = attempts.filter(({ outcome }) => outcome === 'unknown').length;
  if (deaths === 0) expect(unknown).toBe(0);
  expect(attempts.filter(({ outcome }) => !outcome)).toEqual([]);
  expect(attempts.filter(({ manualId }) => manualId).length).toBeLessThanOrEqual(redeliveries);
  expect(posts.length).toBeGreaterThanOrEqual(attempts.length - unknown);
  for (const event of events) {
    const first = attemptsIn(endpoints.kept).filter(
      ({ eventId, manualId }) => eventId === event && !manualId,
    );
    expect(first).toHaveLength(1);
    for (const endpoint of Object.values(endpoints)) {
      const claims = attemptsIn(endpoint).filter(({ eventId }) => eventId === event).length;
      const made = posts.filter((post) => post.endpoint === endpoint && post.event === event);
      expect(made.length).toBeLessThanOrEqual(claims);
    }
  }
}

const ofRequest = fc.oneof(
  fc.record({ does: fc.constantFrom('open' as const, 'read' as const), signer: fc.nat(1) }),
  fc.record({ does: fc.constant('cancel' as const) }),
);
const ofEndpoint = fc.oneof(
  fc.record({
    does: fc.constant('redeliver' as const),
    event: fc.nat(9),
    endpoint: fc.constantFrom('kept' as const, 'changed' as const),
  }),
  fc.record({
    does: fc.constantFrom('pause' as const, 'resume' as const, 'move' as const, 'delete' as const),
  }),
);
const job = fc.record({ does: fc.constantFrom('publish' as const, 'deliver' as const, 'sweep' as const) });
/** What meets seldom otherwise. */
const erasure = fc.record({ does: fc.constantFrom('erase' as const, 'deliver' as const) });
const steps = stepsOf<Action>(fc.oneof(ofRequest, ofEndpoint, job, job, erasure), {
  pauses: [0, SECOND, 2 * MINUTE, HOUR],
  halfCalls: 16,
  most: 8,
});

describe('events and their deliveries while functions meet and die', () => {
  it('reach an endpoint at most once, are all recorded, and keep nothing of an erased person', async () => {
    await always(
      fc.asyncProperty(fc.nat(), fc.boolean(), steps, async (seed, isEnded, drawn) => {
        await begin(seed, isEnded);
        deaths = await play(drawn, meeting, actOrBeRefused);
        await settle();
        await expectConsistent();
        const { complete } = await erase();
        if (complete) expect(memory.items.filter((item) => OF_ANN.test(JSON.stringify(item)))).toEqual([]);
      }),
      0.2,
      50,
    );
  });
});
