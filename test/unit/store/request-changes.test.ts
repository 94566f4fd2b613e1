import { attemptCode } from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { rotateCode } from '../../../shared/requests/inviting.ts';
import { linkToken } from '../../../shared/requests/links.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { open } from '../../../shared/requests/signing.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { changeRequest } from '../../../shared/store/change.ts';
import { auditKey, metaKey, signerKey } from '../../../shared/store/keys.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { newAccessToken } from '../../../shared/verification/code.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, signedBy, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(() => memory.clear());

const opened = (request: SignatureRequest, now: Date, place = 0) =>
  open(request, { signerId: request.signers[place]?.id ?? '', visitor: VISITOR }, now);
/** A wrong code, held against the one that the first signer had. */
const attemptAt = ({ signers: [first] }: SignatureRequest) => ({
  signerId: first?.id ?? '',
  visitor: VISITOR,
  codeHash: first?.code?.hash ?? '',
  opens: null,
});
const failure = new Error('The table is out of order.');
const fail = () => {
  throw failure;
};

describe('changes of a request', () => {
  it('a change is decided again on the current state after a concurrent one', async () => {
    const request = await storedRequest(table, 2);
    const { id } = request.state;
    const times: Date[] = [];
    const clock = [at(1), at(2)];
    memory.beforeWrites.push(() => changed(table, id, (current, now) => opened(current, now)));
    const done = await changeRequest({ table, now: () => clock.shift() ?? at(9) }, id, (current, now) => {
      times.push(now);
      return cancel(current, { actor: 'client', reason: current.state.status }, now);
    });
    expect(times).toEqual([at(1), at(2)]);
    expect(done?.request.state).toMatchObject({ status: 'cancelled', cancelledAt: at(2).toISOString() });
    const trail = (await loadRequestWithTrail(table, id))?.events ?? [];
    expect(trail.map(({ type, details }) => [type, details.reason])).toEqual([
      ['request_created', undefined],
      ['link_opened', undefined],
      ['request_cancelled', 'opened'],
    ]);
  });

  it('members that a later version added stay as they are', async () => {
    const request = await storedRequest(table);
    const items = [metaKey(request.state.id), signerKey(request.state.id, 0)];
    for (const key of items) await table.update(key, { addedLater: { is: 'kept' } });
    await changed(table, request.state.id, (current, now) => signedBy(current, 0, now));
    expect(items.map((key) => memory.item(key))).toMatchObject([
      { status: 'awaiting_stamp', addedLater: { is: 'kept' } },
      { status: 'signed', addedLater: { is: 'kept' } },
    ]);
  });

  it('a signer signs once, also if a read during the signature saw the new state beside the old signer', async () => {
    const before = await storedRequest(table, 2);
    const { id } = before.state;
    const { state } = await changed(table, id, (current) => signedBy(current, 0));
    const known = { ...before, state };
    await changeRequest({ table, now: () => NOON }, id, (current) => signedBy(current, 0), { known });
    expect(await loadRequest(table, id)).toMatchObject({ state: { signedCount: 1, status: 'opened' } });
  });

  it('every wrong code counts, also if a read during an attempt saw the new state beside the old signer', async () => {
    const before = await storedRequest(table);
    const { id } = before.state;
    const wrong = (current: SignatureRequest, now: Date) => attemptCode(current, attemptAt(before), now);
    const { state } = await changed(table, id, wrong);
    await changeRequest({ table, now: () => NOON }, id, wrong, { known: { ...before, state } });
    expect((await loadRequest(table, id))?.signers[0]).toMatchObject({ codeAttempts: 2 });
  });

  it('a code that was replaced opens nothing, also if a read saw the new state beside the old code', async () => {
    const before = await storedRequest(table);
    const { id } = before.state;
    const attempt = attemptAt(before);
    const rotation = { signerId: attempt.signerId, codeHash: 'new', locale: undefined };
    const { state } = await changed(table, id, (current, now) => rotateCode(current, rotation, now));
    const opens = { hash: 'session', expiresAt: at(MINUTE).toISOString() };
    const late = changeRequest(
      { table, now: () => NOON },
      id,
      (current, now) => attemptCode(current, { ...attempt, opens }, now),
      { known: { ...before, state } },
    );
    await expect(late).rejects.toMatchObject({ code: 'code_expired' });
    expect((await loadRequest(table, id))?.signers[0]).toMatchObject({ code: { hash: 'new' }, sessions: [] });
  });

  it('a code opens one session, also if a read during the attempt saw the new state beside the old code', async () => {
    const before = await storedRequest(table);
    const { id } = before.state;
    const opening = (hash: string) => (current: SignatureRequest, now: Date) =>
      attemptCode(
        current,
        { ...attemptAt(before), opens: { hash, expiresAt: at(MINUTE).toISOString() } },
        now,
      );
    const { state } = await changed(table, id, opening('first'));
    const late = changeRequest({ table, now: () => NOON }, id, opening('second'), {
      known: { ...before, state },
    });
    await expect(late).rejects.toMatchObject({ code: 'code_expired' });
    expect((await loadRequest(table, id))?.signers[0]?.sessions).toMatchObject([{ hash: 'first' }]);
  });

  it('a signer from before signers had a version is changed', async () => {
    const { state } = await storedRequest(table);
    const key = signerKey(state.id, 0);
    const { version: _, ...older } = memory.item(key) ?? {};
    memory.set({ ...key, ...older });
    await changed(table, state.id, opened);
    expect(memory.item(key)).toMatchObject({ status: 'opened', version: 1 });
  });

  it('a signer with a new link does nothing by the old one, also if a read saw the new state beside the old link', async () => {
    const before = await storedRequest(table);
    const { id } = before.state;
    const { state } = await changed(table, id, (request) => ({
      state: request.state,
      signers: request.signers.map((each) => ({ ...each, accessToken: 'new' })),
      audit: [],
      effects: [],
    }));
    const links: unknown[] = [];
    const known = { ...before, state };
    await changeRequest(
      { table, now: () => NOON },
      id,
      (current, now) => {
        links.push(current.signers[0]?.accessToken);
        return opened(current, now);
      },
      { known },
    );
    expect(links).toEqual([before.signers[0]?.accessToken, 'new']);
  });

  it('two signers are not corrected to one address, also if a read saw the new state beside an old signer', async () => {
    const before = await storedRequest(table, 2);
    const { id } = before.state;
    const corrected = (place: number) => (current: SignatureRequest, now: Date) =>
      correct(
        { ...current, state: { ...current.state, invitationsReportedAt: now.toISOString() } },
        {
          signerId: before.signers[place]?.id ?? '',
          email: 'new@example.com',
          accessToken: linkToken(id, newAccessToken()),
          codeHash: 'new',
        },
        now,
      );
    const { state } = await changed(table, id, corrected(0));
    const late = changeRequest({ table, now: () => NOON }, id, corrected(1), { known: { ...before, state } });
    await expect(late).rejects.toMatchObject({ code: 'duplicate_signer' });
    expect((await loadRequest(table, id))?.signers[1]).toEqual(before.signers[1]);
  });

  it('no change writes over an event of the trail', async () => {
    const { state } = await storedRequest(table);
    const key = auditKey(state.id, state.auditSequence + 1);
    await table.put({ ...key, type: 'kept' });
    await expect(changed(table, state.id, opened)).rejects.toMatchObject({ name: 'ConditionFailed' });
    expect(memory.item(key)).toMatchObject({ type: 'kept' });
  });

  it('any number of concurrent changes all take effect, each on the one before', async () => {
    const { state } = await storedRequest(table, 5);
    await Promise.all(
      [0, 1, 2, 3, 4].map((place) =>
        changed(table, state.id, (request, now) => signedBy(request, place, now)),
      ),
    );
    expect((await loadRequest(table, state.id))?.state).toMatchObject({
      signedCount: 5,
      status: 'awaiting_stamp',
    });
    expect(memory.items.filter(({ kind }) => kind === 'seal')).toHaveLength(1);
  });

  it('the request that the caller knows spares a read, but is not trusted', async () => {
    const known = await storedRequest(table);
    memory.mock.resetHistory();
    await changeRequest({ table, now: () => NOON }, known.state.id, opened, { known });
    expect(memory.mock.calls()).toHaveLength(1);
    const stale = await changeRequest({ table, now: () => NOON }, known.state.id, opened, { known });
    expect(stale).toMatchObject({ outbox: [], request: { state: { status: 'opened' } } });
    expect((await loadRequestWithTrail(table, known.state.id))?.events).toHaveLength(2);
  });

  it('nothing is written if there is nothing to change', async () => {
    const known = await storedRequest(table);
    const before = memory.items;
    expect(await changeRequest({ table, now: () => NOON }, known.state.id, () => undefined)).toEqual({
      request: expect.objectContaining({ state: known.state }),
      outbox: [],
    });
    expect(memory.items).toEqual(before);
  });

  it('a change that only moves the state is written too, on the version that was read', async () => {
    const { state } = await storedRequest(table);
    const retitle = (request: SignatureRequest, title: string) => ({
      state: { ...request.state, title },
      signers: request.signers,
      audit: [],
      effects: [],
    });
    memory.beforeWrites.push(() => changed(table, state.id, (request) => retitle(request, 'Theirs')));
    const seen: string[] = [];
    await changed(table, state.id, (request) => {
      seen.push(request.state.title);
      return retitle(request, 'Ours');
    });
    expect(seen).toEqual(['Contract', 'Theirs']);
    expect((await loadRequest(table, state.id))?.state).toMatchObject({
      title: 'Ours',
      version: state.version + 2,
    });
  });

  it('a refusal writes nothing', async () => {
    const { state } = await storedRequest(table);
    const before = memory.items;
    await expect(changed(table, state.id, fail)).rejects.toBe(failure);
    expect(memory.items).toEqual(before);
  });

  it('a change of a request that does not exist has no result', async () => {
    expect(await changeRequest({ table, now: () => NOON }, 'nothing', opened)).toBeUndefined();
  });

  it('further writes succeed or fail with the change', async () => {
    const { state } = await storedRequest(table);
    const key = { pk: 'P', sk: 'S' };
    const extraWrites = [{ put: { ...key, n: 1 }, condition: { expression: 'attribute_not_exists(#pk)' } }];
    await changeRequest({ table, now: () => NOON }, state.id, opened, { extraWrites });
    expect(memory.item(key)).toMatchObject({ n: 1 });
    const again = changeRequest(
      { table, now: () => NOON },
      state.id,
      (request, now) => cancel(request, { actor: 'client', reason: null }, now),
      { extraWrites },
    );
    await expect(again).rejects.toMatchObject({ name: 'ConditionFailed', current: { n: 1 } });
    expect((await loadRequest(table, state.id))?.state.status).toBe('opened');
  });

  it('events carry increasing times, even within one millisecond', async () => {
    const { state } = await storedRequest(table, 2);
    const first = await changeRequest({ table, now: () => NOON }, state.id, opened);
    const second = await changeRequest({ table, now: () => NOON }, state.id, (request, now) =>
      signedBy(request, 0, now),
    );
    const later = await changeRequest({ table, now: () => at(DAY) }, state.id, (request, now) =>
      signedBy(request, 1, now),
    );
    const times = [first, second, later].flatMap((done) =>
      (done?.outbox ?? []).flatMap((item) =>
        item.kind === 'event' ? [JSON.parse(item.body).created_at] : [],
      ),
    );
    expect(times).toEqual([at(1), at(2), at(DAY)].map((time) => time.toISOString()));
  });

  it('a signer’s counters that moved meanwhile are left alone', async () => {
    const { state, signers } = await storedRequest(table);
    await table.update(signerKey(state.id, 0), { codeAttempts: 3 });
    await changeRequest({ table, now: () => NOON }, state.id, opened, {
      known: { state, signers, content: (await loadRequest(table, state.id))?.content ?? ({} as never) },
    });
    expect((await loadRequest(table, state.id))?.signers[0]).toMatchObject({
      codeAttempts: 3,
      status: 'opened',
    });
  });
});
