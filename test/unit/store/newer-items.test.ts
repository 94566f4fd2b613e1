import { accountEventsAfter } from '../../../shared/store/account-log.ts';
import { addKey, findApiKey } from '../../../shared/store/api-keys.ts';
import { appSessionWrite, findAppSession } from '../../../shared/store/app-sessions.ts';
import { claimDelivery, findDelivery } from '../../../shared/store/deliveries.ts';
import type { Item } from '../../../shared/store/items.ts';
import { accountEventKey, endpointKey, type Key, signerKey } from '../../../shared/store/keys.ts';
import { type OutboxItem, outboxWrite, readOutbox } from '../../../shared/store/outbox.ts';
import { addOwner, loadAccount } from '../../../shared/store/owners.ts';
import { allProofs, keepProofs } from '../../../shared/store/proofs.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { attemptWrite, findAttempt } from '../../../shared/store/sign-ins.ts';
import { addUpload, findUpload } from '../../../shared/store/uploads.ts';
import { addEndpoint, listEndpoints } from '../../../shared/store/webhook-endpoints.ts';
import { signInMailOf } from '../../../shared/verification/sign-in/queue.ts';
import { deliveryMessage } from '../../../shared/webhooks/messages.ts';
import { outboxIdOf } from '../../../shared/work/consume.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { OLDER_ID, OLDER_ITEMS } from './older-request.ts';

/**
 * During a deployment, and after going back, this version reads what a later one has written. A later version adds members
 * alone in one step; see "Upgrades" in docs/deploy.md.
 */

const NOON = '2026-11-21T12:00:00.000Z';
const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const BRAND = {
  name: 'Acme',
  logo: { sha256: 'a'.repeat(64), width: 8, height: 2 },
  accent: null,
  replyTo: null,
  imprintUrl: null,
  privacyUrl: null,
  supportUrl: null,
  timeZone: null,
};

const work = { ...OWNER, requestId: OLDER_ID, createdAt: NOON, sends: 0, notBefore: null };
const OUTBOX: OutboxItem[] = [
  { ...work, id: 'event', kind: 'event', eventId: 'evt_1', eventType: 'signature_request.sent', body: '{}' },
  { ...work, id: 'seal', kind: 'seal' },
  { ...work, id: 'mail', kind: 'mail', task: 'invitations' },
  { ...work, id: 'correction', kind: 'correction', signerId: 'signer-1' },
  { ...work, id: 'notice', kind: 'notice', reason: 'completed', recipients: ['sender'], about: [] },
];
const CLAIM = {
  ...OWNER,
  eventId: 'evt_1',
  eventType: 'signature_request.sent',
  endpointId: 'we_1',
  requestId: OLDER_ID,
  attemptedAt: NOON,
};
const SESSION = {
  id: 'ab',
  hash: 'abcd',
  userId: 'user-1',
  createdAt: NOON,
  expiresAt: '2026-11-22T00:00:00.000Z',
  userAgent: null,
};

/** Hold whatever names there are, and an event's hash covers them. */
const OPEN = ['details', 'technical', 'salts', 'commitments'];

/** A value as a later version writes it: every object in it has another member. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    OPEN.includes(name) ? inner : later(inner),
  ]);
  return { ...Object.fromEntries(members), ofLaterVersion: { why: 'new' } };
}

const memory = new MemoryDynamo();
const { table } = memory;

beforeAll(async () => {
  for (const item of OLDER_ITEMS) memory.set(item);
  await addOwner(table, ownerItem({ brand: BRAND }));
  await addKey(table, OWNER.ownerId, { keyId: 'key-1', hash: 'hash', mode: 'live', createdAt: NOON });
  await addEndpoint(table, {
    ...OWNER,
    id: 'we_1',
    url: 'https://hooks.example.com/',
    eventTypes: [],
    description: null,
    disabledAt: null,
    createdAt: NOON,
    updatedAt: NOON,
    secretCiphertext: 'c2VjcmV0',
  });
  await addUpload(table, 'upload-1', OWNER, NOON);
  await claimDelivery(table, CLAIM, '{}');
  await keepProofs(table, {
    certificateSha256: 'b'.repeat(64),
    chain: ['AAAA'],
    answers: [{ kind: 'ocsp', der: 'AAAA' }],
    gatheredAt: NOON,
    until: NOON,
    certificateEnds: NOON,
    failures: 0,
    nextAttemptAt: NOON,
  });
  await table.transact([
    ...OUTBOX.map(outboxWrite),
    appSessionWrite(SESSION),
    attemptWrite({
      id: 'attempt-1',
      address: 'hash',
      locale: 'en',
      createdAt: NOON,
      expiresAt: NOON,
      code: { hash: 'hash', userId: 'user-1' },
      wrongCodes: 0,
      known: { browser: 'browser-1', address: 'hash', until: NOON },
      version: 1,
    }),
  ]);
});

it.each<[string, () => Promise<unknown>]>([
  ['a request with its signers and trail', () => loadRequestWithTrail(table, OLDER_ID)],
  ...OUTBOX.map(({ id }): [string, () => Promise<unknown>] => [
    `the outbox item of ${id}`,
    () => readOutbox(table, id),
  ]),
  ['an owner with its brand and keys', () => loadAccount(table, OWNER.ownerId)],
  ['an API key', () => findApiKey(table, 'key-1')],
  ['a webhook endpoint', () => listEndpoints(table, OWNER)],
  ['a delivery', () => findDelivery(table, 'evt_1', 'we_1')],
  ['an upload', () => findUpload(table, 'upload-1')],
  ['a proof of a certificate', () => allProofs(table)],
  ['a session', () => findAppSession(table, SESSION.userId, SESSION.id, new Date(NOON))],
  ['an attempt to sign in', () => findAttempt(table, 'attempt-1')],
])('%s with members of a later version is read without them', async (_what, read) => {
  const before = memory.items as (Item & Key)[];
  const known = await read();
  expect(known).toEqual(expect.any(Object));
  for (const item of before) memory.set(later(item) as Item & Key);
  expect(await read()).toEqual(known);
  for (const item of before) memory.set(item);
});

const WORD = 'of_a_later_version';

it.each<[string, Key, Item, () => Promise<unknown>]>([
  [
    'an endpoint that subscribed to an event',
    endpointKey(OWNER.ownerId, OWNER.mode, 'we_1'),
    { eventTypes: [WORD] },
    () => listEndpoints(table, OWNER),
  ],
  [
    'a signer who was sent a kind of mail',
    signerKey(OLDER_ID, 0),
    { mails: [{ id: 'mail-1', kind: WORD, at: NOON, sent: true }] },
    () => loadRequestWithTrail(table, OLDER_ID),
  ],
  [
    'a signer from whom a kind of mail came back',
    signerKey(OLDER_ID, 0),
    { returnedMails: [{ id: 'mail-1', kind: WORD, sentAt: NOON, outcome: 'bounced', at: NOON }] },
    () => loadRequestWithTrail(table, OLDER_ID),
  ],
  [
    'an account with an act',
    accountEventKey(OWNER.ownerId, NOON, 'event-1'),
    { at: NOON, type: WORD, userId: 'user-1', details: {} },
    () => accountEventsAfter(table, OWNER.ownerId, '2026-11-20'),
  ],
])('%s that a later version has added is read', async (_what, key, changes, read) => {
  const before = memory.item(key);
  memory.set({ ...before, ...key, ...changes });
  expect(JSON.stringify(await read())).toContain(WORD);
  memory.set({ ...before, ...key });
});

it('messages of a later version are read without its members', () => {
  expect(outboxIdOf(later({ outbox_id: 'seal' }))).toBe('seal');
  const signInMail = { attemptId: 'attempt-1', seed: 'random' };
  expect(signInMailOf(later({ attempt_id: 'attempt-1', seed: 'random' }))).toEqual(signInMail);
  const message = { ...CLAIM, body: '{}' };
  const { attemptedAt: _, ...read } = message;
  expect(deliveryMessage.parse(later(message))).toEqual(read);
});
