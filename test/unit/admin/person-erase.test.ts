import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { personCommands } from '../../../admin/person.ts';
import { confirmPurge, erasePersonalData } from '../../../admin/person-erase.ts';
import { eraseUser } from '../../../admin/user-erase.ts';
import { addMember } from '../../../shared/accounts/members.ts';
import { MODES } from '../../../shared/contract/fields.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { decline, isPurgeDue } from '../../../shared/requests/ending.ts';
import { addKey } from '../../../shared/store/api-keys.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { type Claim, claimDelivery, findDelivery } from '../../../shared/store/deliveries.ts';
import {
  addressHash,
  deliveryKey,
  memberKey,
  memberOfKey,
  metaKey,
  outboxKey,
  signerRequestKey,
  userPartition,
} from '../../../shared/store/keys.ts';
import { listMembers } from '../../../shared/store/members.ts';
import { evidenceKey, sealedKey } from '../../../shared/store/objects.ts';
import { addOwner, changeOwner } from '../../../shared/store/owners.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { findSignerRequests } from '../../../shared/store/signer-requests.ts';
import { addUser, findUserByAddress } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { AttemptRecorder } from '../../../shared/webhooks/attempts.ts';
import { createEndpoint } from '../../../shared/webhooks/endpoints.ts';
import { BAD_NEWS, person, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, purgedEarly, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import {
  anna,
  berta,
  correctedRequest,
  EMAIL,
  endedCorrection,
  endedRequest,
  erase,
  itemsWith,
  memory,
  NAMES,
  operator,
  RIGHT,
  table,
  verdict,
  visitor,
} from './stored-person.ts';

beforeEach(() => memory.clear());

const waitingEvents = (id: string) =>
  memory.items
    .filter(({ kind, requestId }) => kind === 'event' && requestId === id)
    .map((item) => outboxKey(String(item.id)));

describe('person erase', () => {
  describe('with files to remove', () => {
    const stored = new Set<string>();
    const s3 = mockClient(S3Client);
    let id = '';
    beforeEach(async () => {
      id = await endedRequest({ isPurged: false });
      stored.clear();
      stored.add(sealedKey(id));
      s3.on(ListObjectVersionsCommand).callsFake(({ Prefix }) => ({
        Versions: [...stored].filter((Key) => Key.startsWith(Prefix)).map((Key) => ({ Key, VersionId: '1' })),
      }));
      s3.on(DeleteObjectsCommand).callsFake(({ Delete }) => {
        for (const { Key } of Delete.Objects) stored.delete(Key);
        return {};
      });
    });
    afterEach(() => s3.reset());
    afterAll(() => s3.restore());

    it('removes what a late run of the seal stores until they are asked for', async () => {
      memory.beforeWrites.push(() => {
        stored.add(evidenceKey(id));
      });
      expect(await erase(EMAIL, true)).toMatchObject({ complete: true, erased: [id] });
      expect([...stored]).toEqual([]);
    });

    it('leaves the rest to the purge job if it dies', async () => {
      s3.on(DeleteObjectsCommand).rejects(new Error('died'));
      await expect(erase(EMAIL, true)).rejects.toThrow('died');
      const request = await loadRequestWithTrail(table, id);
      expect(request && isPurgeDue(request.state, NOON)).toBe(true);
      expect(request?.events.at(-1)).toMatchObject({
        type: 'document_deletion_requested',
        actor: 'operator',
      });
      expect(itemsWith(NAMES).length).toBeGreaterThan(5);
    });
  });

  it('leaves nothing of the person in any item, everything of the others, and an intact trail', async () => {
    const id = await endedRequest();
    expect(itemsWith(NAMES).length).toBeGreaterThan(5);
    expect(await erase()).toEqual({ complete: true, erased: [id], refused: [], accounts_kept: [] });
    expect(itemsWith(NAMES)).toEqual([]);
    expect(itemsWith(/link-1/)).toEqual([]);
    expect(itemsWith(/Bertas reason/)).toHaveLength(3);
    expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
    const { events = [] } = (await loadRequestWithTrail(table, id)) ?? {};
    expect(events.filter(({ type }) => type === 'person_erased')).toHaveLength(1);
    expect(await findSignerRequests(table, EMAIL)).toEqual([]);
  });

  it('forgets the bodies of deliveries whose outcome is not known yet, those of other requests excepted, damaged or not', async () => {
    const id = await endedRequest();
    const subject = { eventType: 'signature_request.signed', endpointId: 'we_1', ownerId: 'owner-1' };
    const claim = (eventId: string, changes: Partial<Claim> = {}) => {
      const attempt = { ...subject, mode: 'live', requestId: id, attemptedAt: NOON.toISOString() } as const;
      return claimDelivery(table, { ...attempt, eventId, ...changes }, `{"signer_email":"${EMAIL}"}`);
    };
    await claim('evt_1');
    await claim('evt_2', { manualId: 'again' });
    await claim('evt_3', { requestId: 'another' });
    await table.update(deliveryKey('evt_3', 'we_1'), { mode: undefined });
    expect(await erase()).toMatchObject({ complete: true });
    expect(itemsWith(NAMES)).toEqual([`${deliveryKey('evt_3', 'we_1').pk} DELIVERY`]);
    expect(memory.item(deliveryKey('evt_1', 'we_1'))).toMatchObject({ due_pk: expect.any(String) });
  });

  it('forgets the body and the answer of a delivery that it did not see, at the latest with its outcome', async () => {
    const id = await endedRequest();
    const attemptedAt = NOON.toISOString();
    const subject = { eventType: 'signature_request.signed', endpointId: 'we_1', ownerId: 'owner-1' };
    const attempt = { ...subject, mode: 'live', requestId: id, attemptedAt } as const;
    const [delivered, lost] = ['evt_1', 'evt_2'].map((eventId) => ({ ...attempt, eventId }));
    const kept = { ...attempt, eventId: 'evt_3', erasures: 1 };
    if (!delivered || !lost) throw new Error('Two attempts were made.');
    await erase();
    for (const claim of [delivered, lost]) await claimDelivery(table, claim, `{"signer_email":"${EMAIL}"}`);
    await claimDelivery(table, kept, '{"signer_email":"nobody"}');
    const outcome = { outcome: 'delivered', httpStatus: 200, durationMs: 1, error: null } as const;
    const record = new AttemptRecorder(table, () => NOON);
    await record.outcome(delivered, { ...outcome, answer: `To ${EMAIL}` });
    await record.lost(lost);
    await record.outcome(kept, { ...outcome, answer: 'thanks' });
    expect(itemsWith(NAMES)).toEqual([]);
    expect(await findDelivery(table, 'evt_3', 'we_1')).toMatchObject({
      body: '{"signer_email":"nobody"}',
      answer: 'thanks',
    });
  });

  it('erases a waiting webhook event whose type this version does not know', async () => {
    const id = await endedRequest();
    for (const key of waitingEvents(id)) await table.update(key, { eventType: 'of.a.later.version' });
    expect(await erase()).toMatchObject({ complete: true, erased: [id] });
    expect(itemsWith(NAMES)).toEqual([]);
  });

  it('names a waiting webhook event that it cannot read, erases everything else, and finds the request again once it is mended', async () => {
    const id = await endedRequest();
    const other = await endedRequest();
    const [key] = waitingEvents(id);
    if (!key) throw new Error('Events wait.');
    await table.update(key, { body: `{"signer_email":"${EMAIL}"` });
    expect(await erase()).toMatchObject({
      complete: false,
      erased: [other],
      refused: [{ request_id: id, reason: expect.stringContaining(key.pk) }],
    });
    expect(itemsWith(NAMES)).toEqual([`${key.pk} ${key.sk}`]);
    await table.update(key, { body: `{"signer_id":"${anna.id}","signer_email":"${EMAIL}"}` });
    expect(await erase()).toMatchObject({ complete: true, erased: [id], refused: [] });
    expect(itemsWith(NAMES)).toEqual([]);
  });

  it.each(['R#META', 'A#000001'])(
    'names a request whose item %s is damaged, and erases the others',
    async (sk) => {
      const before = await endedRequest();
      const damaged = await endedRequest();
      const after = await endedRequest();
      const key = { pk: `REQ#${damaged}`, sk };
      const whole = memory.item(key);
      memory.set({ ...whole, ...key, ...(sk === 'R#META' ? { status: 'lost' } : { type: 5 }) });
      const answer = await erase();
      expect(answer.erased.sort()).toEqual([before, after].sort());
      expect(answer).toMatchObject({
        complete: false,
        refused: [
          { request_id: damaged, reason: expect.stringContaining(`REQ#${damaged} ${sk} is damaged`) },
        ],
      });
      memory.set({ ...whole, ...key });
      expect(await erase()).toMatchObject({ complete: true, erased: [damaged] });
      expect(itemsWith(NAMES)).toEqual([]);
    },
  );

  it('changes nothing when it is repeated', async () => {
    await endedRequest();
    await erase();
    const before = memory.items;
    expect(await erase()).toEqual({ complete: true, erased: [], refused: [], accounts_kept: [] });
    expect(memory.items).toEqual(before);
  });

  it('stopped at any write and run again ends as if it had not been stopped', async () => {
    let stops = 0;
    for (let last = false; !last; stops += 1) {
      memory.clear();
      const id = await endedRequest();
      memory.beforeWrites.push(...Array.from({ length: stops }, () => () => undefined), () => {
        throw new Error('killed');
      });
      const done = await erase().catch(() => undefined);
      last = done !== undefined;
      memory.beforeWrites.length = 0;
      expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
      expect(await erase()).toMatchObject({ complete: true, erased: last ? [] : [id] });
      expect(itemsWith(NAMES)).toEqual([]);
      expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
    }
    // The record, each event with values, each webhook event, the look-up.
    expect(stops).toBeGreaterThan(5);
  });

  it('two people of one request, erased at the same time, are both gone', async () => {
    for (let overtaken = 0; overtaken < 8; overtaken += 1) {
      memory.clear();
      const id = await endedRequest();
      memory.beforeWrites.push(...Array.from({ length: overtaken }, () => () => undefined), () =>
        erase(berta.email),
      );
      await erase();
      await erase(berta.email);
      expect(itemsWith(NAMES)).toEqual([]);
      expect(itemsWith(/berta/i)).toEqual([]);
      expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
    }
  });

  it('a visit under way meanwhile records neither address nor browser', async () => {
    const id = await endedRequest();
    const known = await loadRequest(table, id);
    await erase();
    await changed(table, id, ({ state, signers }, now) => ({
      state,
      signers,
      audit: [
        { type: 'code_sent', at: now.toISOString(), actor: 'signer', signerId: anna.id, visitor },
        { type: 'code_sent', at: now.toISOString(), actor: 'signer', signerId: berta.id, visitor: VISITOR },
      ],
      effects: [],
    }));
    expect(known?.signers[0]?.name).toBe('Anna Svensson');
    const { events = [] } = (await loadRequestWithTrail(table, id)) ?? {};
    expect(events.slice(-2).map(({ ipAddress }) => ipAddress)).toEqual([null, VISITOR.ipAddress]);
    expect(await verdict(id)).toMatchObject({ intact: true });
  });

  it('refuses a request that runs, or has files, with advice, and erases the others', async () => {
    const erasable = await endedRequest();
    const withFiles = await endedRequest({ isPurged: false });
    const { state: running } = await storedRequest(table, 1, { signers: [anna] });
    const answer = await erase();
    expect(answer).toMatchObject({ complete: false, erased: [erasable] });
    expect(answer.refused).toEqual(
      expect.arrayContaining([
        { request_id: withFiles, reason: expect.stringContaining('--purge') },
        { request_id: running.id, reason: expect.stringContaining(`request cancel ${running.id}`) },
      ]),
    );
    expect((await loadRequest(table, running.id))?.signers[0]?.email).toBe(EMAIL);
    expect((await loadRequest(table, withFiles))?.signers[0]?.email).toBe(EMAIL);
    expect(await findSignerRequests(table, EMAIL)).toHaveLength(2);
  });

  it.each([
    ['waits for its seal', { status: 'awaiting_stamp' }, 'once it is sealed'],
    ['could not be sealed', { status: 'stamp_failed' }, 'request restamp'],
    ['is in an archive', { endedAt: NOON.toISOString(), purgeAt: null }, 'remove them now with --purge'],
  ])('says what to do about a request that %s', async (_, changes, advice) => {
    const { state } = await storedRequest(table, 1, { signers: [anna] });
    await table.update(metaKey(state.id), changes);
    expect((await erase()).refused).toMatchObject([{ reason: expect.stringContaining(advice) }]);
    expect((await loadRequest(table, state.id))?.signers[0]?.email).toBe(EMAIL);
  });

  it('ends with exit code 1 if something was refused, and only then', async () => {
    const run = async () => {
      const notes: string[] = [];
      const command = personCommands.find(({ name }) => name === 'person erase');
      await command?.run({ email: EMAIL, purge: false, yes: true }, { ...operator, terminal: pipes(notes) });
      return notes.includes(BAD_NEWS);
    };
    await endedRequest();
    expect(await run()).toBe(false);
    await storedRequest(table, 2, { signers: [anna, berta] });
    expect(await run()).toBe(true);
  });

  it('is not complete while a damaged request keeps the index of signers from being made', async () => {
    const { state } = await storedRequest(table, 1, { signers: [anna] });
    await addOwner(table, ownerItem({ id: state.ownerId }));
    await table.delete(signerRequestKey(EMAIL, state));
    await table.update(metaKey(state.id), { status: 'lost' });
    const command = personCommands.find(({ name }) => name === 'person erase');
    const run = () => command?.run({ email: EMAIL, purge: false, yes: true }, operator);
    expect(await run()).toMatchObject({ complete: false, erased: [], refused: [] });
    await table.update(metaKey(state.id), { status: 'sent' });
    expect(await run()).toMatchObject({ complete: false, refused: [{ request_id: state.id }] });
  });

  it('an address that the sender corrected is refused, and goes with the signer who has the request now', async () => {
    const id = await endedCorrection();
    expect(await erase()).toMatchObject({
      complete: false,
      erased: [],
      refused: [{ request_id: id, reason: expect.stringContaining(`request show ${id}`) }],
    });
    expect(await erase(RIGHT)).toMatchObject({ complete: true, erased: [id] });
    expect(itemsWith(NAMES)).toEqual([]);
    expect(itemsWith(new RegExp(`${addressHash(EMAIL)}|${addressHash(RIGHT)}`))).toEqual([]);
    expect(await erase()).toMatchObject({ complete: true, erased: [] });
    expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
  });

  it('an address that two signers of one request had is erased with the one, and refused for the other', async () => {
    const id = await correctedRequest();
    const toAnna = { signerId: berta.id, email: EMAIL, accessToken: 'third-link', codeHash: 'hash' };
    await changed(table, id, (request, now) => correct(request, toAnna, now));
    const declining = { signerId: berta.id, reason: 'my reason', visitor: VISITOR };
    await changed(table, id, (request, now) => decline(request, declining, now));
    await changed(table, id, purgedEarly);
    expect(await erase()).toMatchObject({
      complete: false,
      erased: [id],
      refused: [{ request_id: id, reason: expect.stringContaining(`request show ${id}`) }],
    });
    expect(itemsWith(NAMES)).not.toEqual([]);
    expect(await erase(RIGHT)).toMatchObject({ complete: true });
    expect(itemsWith(NAMES)).toEqual([]);
  });

  it('a running request whose address was corrected to another and back is refused once', async () => {
    const id = await correctedRequest();
    await changed(table, id, (request, now) => {
      const back = { signerId: anna.id, email: EMAIL, accessToken: 'third-link', codeHash: 'hash' };
      return correct(request, back, new Date(now.getTime() + 60_000));
    });
    expect((await erase()).refused).toEqual([
      { request_id: id, reason: expect.stringContaining(`request cancel ${id}`) },
    ]);
  });

  it('an address that the sender corrected to another and back leaves no look-up behind', async () => {
    const id = await endedCorrection([EMAIL]);
    expect(await erase()).toMatchObject({ complete: true, erased: [id] });
    expect(itemsWith(new RegExp(`${addressHash(EMAIL)}|${addressHash(RIGHT)}`))).toEqual([]);
    expect(await erase()).toMatchObject({ complete: true, erased: [], refused: [] });
  });

  it('a signer is erased however often the sender corrected the address', async () => {
    const others = Array.from({ length: 120 }, (_, n) => `other-${n}@example.com`);
    const id = await endedCorrection([...others, EMAIL]);
    expect(await erase()).toMatchObject({ complete: true, erased: [id] });
    const hashes = [EMAIL, RIGHT, ...others].map(addressHash).join('|');
    expect(itemsWith(new RegExp(hashes))).toEqual([]);
    expect(await verdict(id)).toMatchObject({ intact: true, differences: [] });
  });

  it('a value that is gone without the event is named as tampering', async () => {
    const id = await endedRequest();
    memory.beforeWrites.push(() => {
      throw new Error('killed');
    });
    await erase().catch(() => undefined);
    const stored = await loadRequestWithTrail(table, id);
    const [created] = stored?.events ?? [];
    if (!created) throw new Error('There is a first event.');
    const { name: _, ...rest } = (created.details.invited as Record<string, unknown>[])[0] ?? {};
    const { 'details.invited.0.name': __, ...salts } = created.salts;
    const [, second] = created.details.invited as unknown[];
    await table.update(
      { pk: `REQ#${id}`, sk: 'A#000001' },
      { details: { ...created.details, invited: [rest, second] }, salts },
    );
    expect(await verdict(id)).toMatchObject({
      intact: false,
      differences: [{ item: 'event 1', attribute: 'details.invited.0.name', stored: null }],
    });
  });

  it('a record that was rewritten after the erasure is named', async () => {
    const id = await endedRequest();
    await erase();
    await table.update({ pk: `REQ#${id}`, sk: 'R#SIGNER#00' }, { name: 'Mallory' });
    expect(await verdict(id)).toMatchObject({
      intact: false,
      differences: [{ item: 'signer 0', attribute: 'name', stored: 'Mallory', event: 'Erased person' }],
    });
  });
});

describe('the question of person erase --purge', () => {
  const CONSEQUENCE = `The files of ended requests to ${EMAIL} (1) will be removed for good, for their senders and all their signers.`;

  it('counts the requests whose files would go', async () => {
    await endedRequest();
    await endedRequest({ isPurged: false });
    await storedRequest(table, 1, { signers: [anna] });
    const no = person('no');
    await expect(confirmPurge(EMAIL, false, { ...operator, terminal: no })).rejects.toThrow('Nothing was');
    expect(no.seen).toEqual([`${CONSEQUENCE} Continue? (yes/no) `]);
    await expect(confirmPurge(EMAIL, false, operator)).rejects.toThrow(`${CONSEQUENCE} Give --yes to do it.`);
    await confirmPurge(EMAIL, true, operator);
  });

  it('is asked about the others if a request is damaged', async () => {
    const damaged = await endedRequest({ isPurged: false });
    await endedRequest({ isPurged: false });
    await table.update(metaKey(damaged), { status: 'lost' });
    await expect(confirmPurge(EMAIL, false, operator)).rejects.toThrow(CONSEQUENCE);
  });

  it('is not asked if no files are left', async () => {
    await endedRequest();
    await confirmPurge(EMAIL, false, operator);
  });
});

it('erasing the younger of two users with one address leaves the older one’s way to sign in', async () => {
  const [older, younger] = ['user-1', 'user-2'].map((id) => ownerItem({ id, type: 'user', name: EMAIL }));
  if (!older || !younger) throw new Error('There are two users.');
  await addUser(table, older);
  await addOwner(table, younger);
  expect(await eraseUser('user-2', operator)).toBeUndefined();
  expect((await findUserByAddress(table, addressHash(EMAIL)))?.id).toBe('user-1');
  expect(await eraseUser('user-1', operator)).toBeUndefined();
  expect(memory.items).toEqual([]);
});

it('a user is erased with the webhook endpoints of the account', async () => {
  await addUser(table, ownerItem({ id: 'user-1', type: 'user', name: EMAIL }));
  for (const mode of MODES)
    await createEndpoint(
      { url: 'https://hooks.example.com/anna' },
      { table, owner: { ownerId: 'user-1', mode }, now: NOON, encrypt: async () => 'c2VjcmV0' },
    );
  expect(await eraseUser('user-1', operator)).toBeUndefined();
  expect(memory.items).toEqual([]);
});

it('a user who is erased while choosing a language stays erased', async () => {
  await addUser(table, ownerItem({ id: 'user-1', type: 'user', name: EMAIL }));
  memory.beforeWrites.push(() => eraseUser('user-1', operator));
  expect(await changeOwner(table, 'user-1', 'user', { locale: 'fi' })).toBeUndefined();
  expect(memory.items).toEqual([]);
});

it('two runs at once erase a user, and both say so', async () => {
  await addUser(table, ownerItem({ id: 'user-1', type: 'user', name: EMAIL }));
  const runs = [1, 2].map(() => erasePersonalData(EMAIL, { purge: false }, operator));
  const complete = { complete: true, accounts_kept: [] };
  expect(await Promise.all(runs)).toMatchObject([complete, complete]);
  expect(memory.items).toEqual([]);
});

describe('a user who is added to an organization at the moment of being erased', () => {
  const ORG = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
  const add = async () => {
    const by = { userId: 'operator', visitor: VISITOR, now: NOON };
    return (await addMember(table, ORG, { email: EMAIL, role: 'member' }, by)).member;
  };
  beforeEach(async () => {
    await addOwner(table, ownerItem({ id: ORG }));
    await addUser(table, ownerItem({ id: 'user-1', type: 'user', name: EMAIL }));
  });

  it('is erased with the membership', async () => {
    memory.beforeWrites.push(add);
    expect(await eraseUser('user-1', operator)).toBeUndefined();
    expect(await listMembers(table, ORG)).toEqual([]);
    expect(await findUserByAddress(table, addressHash(EMAIL))).toBeUndefined();
  });

  it('is erased with the membership that comes after their others were ended', async () => {
    await table.transact([appSessionWrite(newAppSession('user-1', VISITOR, NOON).session)]);
    const atNewVersion = () => undefined;
    memory.beforeWrites.push(atNewVersion, add);
    expect(await eraseUser('user-1', operator)).toBeUndefined();
    expect(memory.items.filter(({ pk }) => pk === userPartition('user-1'))).toEqual([]);
    expect(await listMembers(table, ORG)).toEqual([]);
  });

  it('is erased with the membership of which reads show only the user’s new version yet', async () => {
    await add();
    const keys = [memberKey(ORG, 'user-1'), memberOfKey('user-1', ORG)];
    const late = keys.map((key) => ({ ...memory.item(key), ...key }));
    for (const key of keys) await table.delete(key);
    // A write waits until the transaction that holds its item is whole.
    memory.beforeWrites.push(() => late.map((item) => memory.set(item)));
    expect(await eraseUser('user-1', operator)).toBeUndefined();
    expect(await listMembers(table, ORG)).toEqual([]);
  });

  it('is erased with a membership that another run ends at that moment', async () => {
    await add();
    memory.beforeWrites.push(() => eraseUser('user-1', operator));
    expect(await eraseUser('user-1', operator)).toBeUndefined();
    expect(await listMembers(table, ORG)).toEqual([]);
  });

  it('is erased, and the member is a new user', async () => {
    memory.beforeWrites.push(() => eraseUser('user-1', operator));
    const { userId } = await add();
    expect(userId).not.toBe('user-1');
    expect(await listMembers(table, ORG)).toMatchObject([{ userId }]);
    expect((await findUserByAddress(table, addressHash(EMAIL)))?.id).toBe(userId);
  });
});

it('a user who gets an API key while being erased is kept', async () => {
  await addUser(table, ownerItem({ id: 'user-1', type: 'user', name: EMAIL }));
  const key = { keyId: 'k1', hash: 'h', mode: 'live' as const, createdAt: NOON.toISOString() };
  memory.beforeWrites.push(() => addKey(table, 'user-1', key));
  expect(await eraseUser('user-1', operator)).toMatch('API keys belong to the account');
  expect((await findUserByAddress(table, addressHash(EMAIL)))?.id).toBe('user-1');
});
