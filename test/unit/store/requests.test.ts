import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { verify } from '../../../shared/requests/chain.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { cancel, expire, purged, restamp, sealed, sealFailed } from '../../../shared/requests/ending.ts';
import { erasePerson } from '../../../shared/requests/erasing.ts';
import { linkToken } from '../../../shared/requests/links.ts';
import { changeOf, type SignatureRequest } from '../../../shared/requests/model.ts';
import { open } from '../../../shared/requests/signing.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import {
  auditKey,
  contentKey,
  DUE_SHARDS,
  due,
  metaKey,
  outboxKey,
  signerKey,
  tokenKey,
} from '../../../shared/store/keys.ts';
import {
  creationWrites,
  listEvents,
  loadRequest,
  loadRequestOfLink,
  loadRequestWithNewestEvents,
  loadRequestWithTrail,
} from '../../../shared/store/requests.ts';
import { newAccessToken } from '../../../shared/verification/code.ts';
import { auditTrailView } from '../../../shared/views/audit-trail.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, newRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { changed, storedNew, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(() => memory.clear());

const meta = ({ state }: SignatureRequest) => memory.item(metaKey(state.id));
const opened = (request: SignatureRequest, now: Date, place = 0) =>
  open(request, { signerId: request.signers[place]?.id ?? '', visitor: VISITOR }, now);

describe('a stored request', () => {
  it('a new request is read back as it was created', async () => {
    const { request, change } = newRequest(11);
    const { state, writes, outbox } = creationWrites(change, request.content, NOON);
    await table.transact(writes);
    expect(await loadRequest(table, state.id)).toMatchObject({ ...request, state });
    expect(state).toMatchObject({ version: 1, auditSequence: 1 });
    expect(outbox.map(({ kind }) => kind)).toEqual(['event', 'mail']);
    for (const item of outbox) expect(memory.item(outboxKey(item.id))).toMatchObject({ ...item });
    expect(outbox).toMatchObject([
      { eventId: expect.stringMatching(/^evt_[0-9a-f-]{36}$/), notBefore: null },
      { task: 'invitations', notBefore: at(MINUTE).toISOString() },
    ]);
  });

  it('a request is read with its newest events, and its trail page by page', async () => {
    const { state } = await storedRequest(table, 20);
    for (const place of [0, 1]) await changed(table, state.id, (current, now) => opened(current, now, place));
    const { events = [] } = (await loadRequestWithTrail(table, state.id)) ?? {};
    expect(events.length).toBeGreaterThan(2);
    const newest = await loadRequestWithNewestEvents(table, state.id, 2);
    expect(newest).toMatchObject({ state: { id: state.id }, hasEarlierEvents: true });
    expect(newest?.events).toEqual(events.slice(-2));
    expect(await loadRequestWithNewestEvents(table, state.id, events.length)).toMatchObject({
      events,
      hasEarlierEvents: false,
    });
    expect(await loadRequestWithNewestEvents(table, 'none', 2)).toBeUndefined();
    const small = await storedRequest(table);
    await changed(table, small.state.id, opened);
    expect((await loadRequestWithNewestEvents(table, small.state.id, 1))?.events).toMatchObject([
      { sequence: 2 },
    ]);

    const first = await listEvents(table, state.id, 2);
    expect(first).toEqual({ events: events.slice(0, 2), next: 2 });
    expect(await listEvents(table, state.id, 1)).toEqual({ events: events.slice(0, 1), next: 1 });
    expect(await listEvents(table, state.id, 1, 2)).toEqual({ events: events.slice(2), next: null });
  });

  it('a change between the pages of a read leaves no old part beside a new one', async () => {
    const { state, signers } = await storedRequest(table, 2);
    const query = table.query.bind(table);
    const changesAfterFirst = (items: number, change: Parameters<typeof changed>[2]) =>
      jest.spyOn(table, 'query').mockImplementationOnce(async (input) => {
        const page = await query({ ...input, limit: items });
        await changed(table, state.id, change);
        return page;
      });
    // The trail comes first, then the content, and the state after them.
    changesAfterFirst(2, (request, now) => opened(request, now));
    const trail = await loadRequestWithTrail(table, state.id);
    expect(trail?.events.at(-1)?.sequence).toBe(trail?.state.auditSequence);
    // The signers come first, and state and trail after them.
    await changed(table, state.id, (request, now) => signedBy(request, 0, now));
    changesAfterFirst(signers.length, (request, now) =>
      cancel(request, { actor: 'client', reason: null }, now),
    );
    const newest = await loadRequestWithNewestEvents(table, state.id, 2);
    expect(newest).toMatchObject({
      state: { status: 'cancelled' },
      signers: [{ status: 'signed' }, { status: 'invalidated' }],
    });
  });

  it('a request is read again if the first read saw its new state beside an old signer', async () => {
    const { state } = await storedRequest(table);
    const signer = memory.item(signerKey(state.id, 0));
    await changed(table, state.id, (request, now) => signedBy(request, 0, now));
    const query = table.query.bind(table);
    jest.spyOn(table, 'query').mockImplementationOnce(async (input) => {
      const { items, next } = await query(input);
      return { items: items.map((item) => (item.sk === signer?.sk ? (signer ?? item) : item)), next };
    });
    expect(await loadRequest(table, state.id)).toMatchObject({
      state: { status: 'awaiting_stamp' },
      signers: [{ status: 'signed' }],
    });
  });

  it('a request is read again if the first read saw that a signer was erased, and still their values', async () => {
    const { state, signers } = await storedRequest(table);
    const ended = { endedAt: NOON.toISOString(), purgedAt: NOON.toISOString() };
    await changed(table, state.id, (current) =>
      changeOf(current, { state: { ...current.state, ...ended, status: 'expired' } }),
    );
    const signer = memory.item(signerKey(state.id, 0));
    const by = { signerId: signers[0]?.id ?? '', shownAs: 'Erased' };
    await changed(table, state.id, (current, now) => erasePerson(current, by, now));
    const query = table.query.bind(table);
    jest.spyOn(table, 'query').mockImplementationOnce(async (input) => {
      const { items, next } = await query(input);
      return { items: items.map((item) => (item.sk === signer?.sk ? (signer ?? item) : item)), next };
    });
    expect((await loadRequest(table, state.id))?.signers).toMatchObject([{ name: 'Erased' }]);
  });

  it('a request is read again if the first read missed a signer', async () => {
    const { state, signers } = await storedRequest(table, 2);
    const query = table.query.bind(table);
    jest.spyOn(table, 'query').mockImplementationOnce(async (input) => {
      const { items, next } = await query(input);
      return { items: items.filter(({ sk }) => sk !== signerKey(state.id, 1).sk), next };
    });
    expect((await loadRequest(table, state.id))?.signers).toHaveLength(signers.length);
  });

  it('a request that fits together is read once, also one that expired with signers left', async () => {
    const { state } = await storedRequest(table, 2);
    await changed(table, state.id, (request, now) => opened(request, now));
    memory.mock.resetHistory();
    await loadRequestWithTrail(table, state.id);
    expect(memory.mock.calls()).toHaveLength(1);
    await changed(table, state.id, expire, at(31 * DAY));
    memory.mock.resetHistory();
    expect(await loadRequestWithTrail(table, state.id)).toMatchObject({ state: { status: 'expired' } });
    expect(memory.mock.calls()).toHaveLength(1);
  });

  it('a trail that lacks an event is read as it is', async () => {
    const { state } = await storedRequest(table);
    await table.delete(auditKey(state.id, 1));
    expect(await loadRequestWithTrail(table, state.id)).toMatchObject({
      state: { id: state.id },
      events: [],
    });
  });

  it('signers are read in the order of their positions, also beyond ten', async () => {
    const { state } = await storedNew(table, 20);
    const loaded = await loadRequest(table, state.id);
    expect(loaded?.signers.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('the trail is read only when asked for, and is intact', async () => {
    const { state } = await storedRequest(table);
    await changed(table, state.id, (request, now) => opened(request, now), at(SECOND));
    expect(await loadRequest(table, state.id)).toMatchObject({ events: [] });
    const stored = await loadRequestWithTrail(table, state.id);
    expect(stored?.events.map(({ type }) => type)).toEqual(['request_created', 'link_opened']);
    expect(
      verify(state.id, stored?.events ?? [], {
        sequence: stored?.state.auditSequence ?? 0,
        head: stored?.state.auditHead ?? '',
      }).intact,
    ).toBe(true);
  });

  it('events of one instant are read in the order of their causes, also beyond ten', async () => {
    const { state } = await storedRequest(table, 6);
    for (let place = 0; place < 6; place += 1)
      await changed(table, state.id, (request, now) => signedBy(request, place, now));
    const events = (await loadRequestWithTrail(table, state.id))?.events ?? [];
    expect(new Set(events.map((event) => event.at)).size).toBe(1);
    expect(events.map(({ type }) => type)).toEqual([
      'request_created',
      ...Array.from({ length: 6 }, () => ['link_opened', 'signer_signed']).flat(),
      'seal_queued',
    ]);
    expect(auditTrailView(events).events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 14 }, (_, n) => n + 1),
    );
  });

  it('events are read in their order beyond a million too', async () => {
    const { state } = await storedRequest(table, 3);
    await table.update(metaKey(state.id), { auditSequence: 999_997 });
    for (const place of [0, 1, 2])
      await changed(table, state.id, (request, now) => signedBy(request, place, now));
    const numbers = (events: { sequence: number }[] = []) => events.map(({ sequence }) => sequence);
    const newest = [999_998, 999_999, ...Array.from({ length: 5 }, (_, n) => 1_000_000 + n)];
    const whole = await loadRequestWithTrail(table, state.id);
    expect(numbers(whole?.events)).toEqual([1, ...newest]);
    const withNewest = await loadRequestWithNewestEvents(table, state.id, 4);
    expect(numbers(withNewest?.events)).toEqual(newest.slice(-4));
    const page = await listEvents(table, state.id, 3, 999_998);
    expect(numbers(page.events)).toEqual([999_999, 1_000_000, 1_000_001]);
    expect(numbers((await listEvents(table, state.id, 9, page.next ?? 0)).events)).toEqual(newest.slice(4));
  });

  it('a request without state or content does not exist', async () => {
    const first = await storedRequest(table);
    await table.delete(metaKey(first.state.id));
    expect(await loadRequest(table, first.state.id)).toBeUndefined();
    const second = await storedRequest(table);
    await table.delete(contentKey(second.state.id));
    expect(await loadRequest(table, second.state.id)).toBeUndefined();
    expect(await loadRequestWithTrail(table, 'nothing')).toBeUndefined();
  });

  it('a request cannot be created twice, and the second attempt writes nothing', async () => {
    const { request, change } = newRequest(1);
    await table.transact(creationWrites(change, request.content, NOON).writes);
    const before = memory.items;
    await expect(table.transact(creationWrites(change, request.content, NOON).writes)).rejects.toMatchObject({
      name: 'ConditionFailed',
      failed: expect.arrayContaining([0]),
    });
    expect(memory.items).toEqual(before);
  });

  it('a change whose write the SDK repeats is made once, also one of the state alone', async () => {
    const { state } = await storedRequest(table);
    memory.losesAnswers = true;
    const { state: after } = await changed(table, state.id, (request) => ({
      ...request,
      state: { ...request.state, erasures: request.state.erasures + 1 },
      audit: [],
      effects: [],
    }));
    expect(after).toMatchObject({ erasures: 1, version: state.version + 1 });
  });

  it('reads see the last write', async () => {
    const { state } = await storedRequest(table);
    await changed(table, state.id, (request, now) => opened(request, now));
    memory.isLagging = true;
    expect(await loadRequest(table, state.id)).toMatchObject({ state: { status: 'opened' } });
    expect(await loadRequestWithTrail(table, state.id)).toMatchObject({ state: { status: 'opened' } });
    expect(await loadRequestWithNewestEvents(table, state.id, 10)).toMatchObject({
      state: { status: 'opened' },
    });
    expect((await listEvents(table, state.id, 10)).events.at(-1)?.type).toBe('link_opened');
  });
});

describe('links', () => {
  it('a token of an earlier version is looked up', async () => {
    const { state } = await storedNew(table, 2);
    memory.set({ ...tokenKey('older-1'), requestId: state.id, signerId: 'signer-1' });
    expect((await loadRequestOfLink(table, 'older-1'))?.state.id).toBe(state.id);
    expect(await loadRequestOfLink(table, 'older-2')).toBeUndefined();
  });

  it('a token that names its request leads to it in one read', async () => {
    const { state } = await storedNew(table);
    memory.mock.resetHistory();
    const found = await loadRequestOfLink(table, linkToken(state.id, newAccessToken()));
    expect(found?.state.id).toBe(state.id);
    expect(memory.mock.calls()).toHaveLength(1);
    expect(await loadRequestOfLink(table, linkToken(randomUUID(), newAccessToken()))).toBeUndefined();
  });

  it('tokens are stored only as hashes beside the signer’s own item', async () => {
    const { state } = await storedNew(table);
    const others = memory.items.filter(({ pk }) => pk !== `REQ#${state.id}`);
    expect(JSON.stringify(others)).not.toContain('token-0');
  });

  it('a new link works at once', async () => {
    memory.isLagging = true;
    const { request, change } = newRequest(1);
    await table.transact(creationWrites(change, request.content, NOON).writes);
    const token = request.signers[0]?.accessToken ?? '';
    expect((await loadRequestOfLink(table, token))?.state.id).toBe(request.state.id);
  });

  it('a link of an earlier version is gone after a correction, with its look-up', async () => {
    const request = await storedRequest(table);
    const { id } = request.state;
    const [signer] = request.signers;
    const older = tokenKey(signer?.accessToken ?? '');
    memory.set({ ...older, requestId: id, signerId: signer?.id });
    const by = { signerId: signer?.id ?? '', codeHash: 'new' };
    const reported = (current: SignatureRequest) => ({
      ...current,
      state: { ...current.state, invitationsReportedAt: NOON.toISOString() },
    });
    await changed(table, id, (current, now) =>
      correct(reported(current), { ...by, email: 'new@example.com', accessToken: 'new' }, now),
    );
    expect(memory.item(older)).toBeUndefined();
  });

  it('an erased signer’s old address gets no look-up', async () => {
    const request = await storedRequest(table);
    const { id } = request.state;
    const ended = { endedAt: NOON.toISOString(), purgedAt: NOON.toISOString() };
    await changed(table, id, (current) => changeOf(current, { state: { ...current.state, ...ended } }));
    const lookUps = () => memory.items.filter(({ pk }) => /^(SIGNER|FORMER)#/.test(String(pk)));
    const before = lookUps();
    const by = { signerId: request.signers[0]?.id ?? '', shownAs: 'Erased' };
    await changed(table, id, (current, now) => erasePerson(current, by, now));
    // The command that erases removes those that are there.
    expect(lookUps()).toEqual(before);
  });
});

describe('the indexes', () => {
  const dueOf = (request: SignatureRequest) => {
    const { due_pk, due_sk } = meta(request) ?? {};
    return due_pk === undefined ? null : [String(due_pk).split('#')[0], String(due_sk).split('#')[0]];
  };
  const lists = (request: SignatureRequest) => {
    const { owner_pk, status_pk, created_sk } = meta(request) ?? {};
    return { owner_pk, status_pk, created_sk };
  };
  const seal = {
    record: { sealedAt: NOON.toISOString(), objectKey: 'k', size: 1, pagesAdded: 1, technical: {} },
    documentHash: 'b'.repeat(64),
    archiveProtected: false,
    baseUrl: 'https://example.com',
  };

  it('a request is listed by owner and status, and its status list follows its status', async () => {
    const request = await storedRequest(table);
    const { id, ownerId, createdAt } = request.state;
    const listed = { owner_pk: `OWNER#${ownerId}#live`, created_sk: `${createdAt}#${id}` };
    expect(lists(request)).toEqual({ ...listed, status_pk: `OWNER#${ownerId}#live#sent` });
    await changed(table, id, (current, now) => opened(current, now));
    expect(lists(request)).toEqual({ ...listed, status_pk: `OWNER#${ownerId}#live#opened` });
  });

  it('each state of a request is due for its own job', async () => {
    const request = await storedNew(table);
    const { id } = request.state;
    const step = async (rule: Parameters<typeof changed>[2], now = NOON) => {
      await changed(table, id, rule, now);
      return dueOf(request);
    };
    const expiry = request.state.expiresAt;
    expect(dueOf(request)).toEqual(['EXPIRE', expiry]);
    expect(await step((current, now) => opened(current, now))).toEqual(['EXPIRE', expiry]);
    expect(await step((current, now) => signedBy(current, 0, now), at(SECOND))).toEqual([
      'STAMP',
      at(SECOND).toISOString(),
    ]);
    expect(await step((current, now) => sealed(current, seal, now), at(DAY))).toEqual([
      'PURGE',
      at(8 * DAY).toISOString(),
    ]);
    expect(await step((current, now) => purged(current, now), at(8 * DAY))).toBeNull();
  });

  it('a sent request is due for expiry, a failed seal for the operator', async () => {
    const request = await storedRequest(table);
    expect(dueOf(request)).toEqual(['EXPIRE', request.state.expiresAt]);
    await changed(table, request.state.id, (current, now) => signedBy(current, 0, now));
    await changed(table, request.state.id, (current, now) => sealFailed(current, { code: 'x' }, now));
    expect(dueOf(request)).toEqual(['STAMP_FAILED', request.state.createdAt]);
  });

  it.each([
    ['is not due for anything', null, null],
    ['is due for renewal while its proof has an end', '2040-11-21T12:00:00.000Z', 'RENEW'],
  ])('a document under archive protection %s', async (_what, holdsUntil, job) => {
    const request = await storedRequest(table);
    await changed(table, request.state.id, (current, now) => signedBy(current, 0, now));
    await changed(table, request.state.id, (current, now) =>
      sealed(current, { ...seal, archiveProtected: true, holdsUntil }, now),
    );
    const { state } = (await loadRequest(table, request.state.id)) ?? {};
    expect(dueOf(request)).toEqual(job && [job, state?.renewal?.dueAt]);
  });

  it('what is due at the same time is spread over all shards', () => {
    const shards = Array.from({ length: 100 }, (_, n) => due('EXPIRE', NOON.toISOString(), `id-${n}`).due_pk);
    expect(new Set(shards).size).toBe(DUE_SHARDS);
  });

  it('a signer is due for a reminder until it is cancelled', async () => {
    const request = await storedRequest(table, 2);
    const { id } = request.state;
    const reminder = () => memory.item(signerKey(id, 1));
    expect(String(reminder()?.due_pk)).toMatch(/^REMIND#\d$/);
    expect(reminder()).toMatchObject({ due_sk: `${at(3 * DAY).toISOString()}#${id}#1`, requestId: id });
    await changed(table, id, (current, now) => cancel(current, { actor: 'client', reason: null }, now));
    expect(reminder()).not.toHaveProperty('due_pk');
    expect(reminder()).not.toHaveProperty('due_sk');
  });
});

describe('the anchor', () => {
  const signLast = async () => {
    const { state } = await storedRequest(table, 2);
    const sign = (place: number) => changed(table, state.id, (request, now) => signedBy(request, place, now));
    return { id: state.id, first: await sign(0), last: await sign(1) };
  };

  it('the transaction of the last signature fixes it at its last event', async () => {
    const { id, first, last } = await signLast();
    const events = (await loadRequestWithTrail(table, id))?.events ?? [];
    const end = events.at(-1);
    expect(end?.type).toBe('seal_queued');
    expect(first.state.anchor).toBeNull();
    expect(last.state.anchor).toEqual({ sequence: end?.sequence, hash: end?.hash });
    expect((await loadRequest(table, id))?.state.anchor).toEqual(last.state.anchor);
  });

  it('later events, a second seal job among them, leave it where it is', async () => {
    const { id, last } = await signLast();
    await changed(table, id, (request, now) => sealFailed(request, { code: 'x' }, now));
    const again = await changed(table, id, restamp);
    expect(again.state.status).toBe('awaiting_stamp');
    expect(again.state.auditSequence).toBeGreaterThan(last.state.anchor?.sequence ?? 0);
    expect(again.state.anchor).toEqual(last.state.anchor);
  });

  it('a request made before events held every fact gets none', async () => {
    const { state } = await storedRequest(table);
    await table.put({ ...memory.item(metaKey(state.id)), ...metaKey(state.id), trailVersion: undefined });
    const signed = await changed(table, state.id, (request, now) => signedBy(request, 0, now));
    expect(signed.state).toMatchObject({ status: 'awaiting_stamp', anchor: null });
  });
});
