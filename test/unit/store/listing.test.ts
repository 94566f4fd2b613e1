import type { NewRequest } from '../../../shared/requests/creating.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { metaKey } from '../../../shared/store/keys.ts';
import { type ListFilter, listRequests, type Position, passes } from '../../../shared/store/listing.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, newRequest, OWNER } from '../../support/requests.ts';
import { changed } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;

async function create(id: string, milliseconds: number, changes: Partial<NewRequest> = {}): Promise<void> {
  const { request, change } = newRequest(1, { id, title: id, owner: OWNER, ...changes }, at(milliseconds));
  await table.transact(creationWrites(change, request.content, at(milliseconds)).writes);
}

const list = (filter: Partial<ListFilter> = {}, limit = 10, startAfter?: Position) =>
  listRequests(table, { ownerId: 'owner-1', mode: 'live', ...filter }, limit, startAfter);
const ids = async (...call: Parameters<typeof list>) => (await list(...call)).states.map(({ id }) => id);

beforeEach(async () => {
  memory.clear();
  for (const [n, id] of ['a', 'b', 'c', 'd'].entries()) await create(id, n);
  await create('of the other mode', 9, { owner: { ...OWNER, mode: 'test' } });
  await create('of another owner', 9, { owner: { ...OWNER, id: 'owner-2' } });
});

describe('the list of requests', () => {
  it('an owner’s requests of one mode are listed, newest first', async () => {
    expect(await ids()).toEqual(['d', 'c', 'b', 'a']);
    expect(await ids({ mode: 'test' })).toEqual(['of the other mode']);
    expect(await ids({ ownerId: 'nobody' })).toEqual([]);
  });

  it('a time after the last year that keys can hold is after all requests', async () => {
    const end = '9999-12-31T23:59:59-01:00';
    expect(await ids({ createdTo: end })).toEqual(['d', 'c', 'b', 'a']);
    expect(await ids({ createdFrom: end })).toEqual([]);
  });

  it('a fraction of a millisecond is after the millisecond that it begins with', async () => {
    const [created] = (await list({}, 1)).states.map(({ createdAt }) => createdAt.replace('Z', ''));
    expect(await ids({ createdFrom: `${created}0001Z` })).toEqual([]);
    expect(await ids({ createdTo: `${created}0001Z` })).toEqual(['d', 'c', 'b', 'a']);
    expect(await ids({ createdFrom: `${created}000+00:00` })).toEqual(['d']);
    expect(await ids({ createdTo: `${created}000Z` })).toEqual(['c', 'b', 'a']);
  });

  it('a listed request has what a summary shows', async () => {
    const { states } = await list({}, 1);
    expect(states).toEqual([
      {
        id: 'd',
        title: 'd',
        reference: null,
        status: 'pending',
        mode: 'live',
        signerCount: 1,
        createdAt: at(3).toISOString(),
        sentAt: null,
        signedAt: null,
        cancelledAt: null,
        expiresAt: expect.any(String),
      },
    ]);
  });

  it('each page begins after the one before, whatever is added meanwhile', async () => {
    const first = await list({}, 2);
    expect(first.states.map(({ id }) => id)).toEqual(['d', 'c']);
    expect(first.next).toEqual({ createdAt: at(2).toISOString(), id: 'c' });
    await create('e', 4);
    const second = await list({}, 2, first.next ?? undefined);
    expect(second.states.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(second.next).toBeNull();
  });

  it('a page takes one query and one read of its requests, and knows whether there is a next one', async () => {
    memory.mock.resetHistory();
    expect((await list({}, 3)).next).not.toBeNull();
    expect((await list({}, 4)).next).toBeNull();
    expect(memory.mock.calls()).toHaveLength(4);
    expect((await list({ ownerId: 'nobody' })).next).toBeNull();
    expect(memory.mock.calls()).toHaveLength(5);
  });

  it('requests are filtered by status, also across pages', async () => {
    await changed(table, 'b', (request, now) => cancel(request, { actor: 'client', reason: null }, now));
    expect(await ids({ status: 'cancelled' })).toEqual(['b']);
    const first = await list({ status: 'pending' }, 2);
    expect(first.states.map(({ id }) => id)).toEqual(['d', 'c']);
    expect(await ids({ status: 'pending' }, 2, first.next ?? undefined)).toEqual(['a']);
  });

  it('a request whose status changed after the index was read is left out', async () => {
    const cancelled = { ...memory.item(metaKey('b')), ...metaKey('b'), status: 'cancelled' };
    memory.set(cancelled);
    expect(await ids({ status: 'pending' })).toEqual(['d', 'c', 'a']);
  });

  it('a listed request is as it was written last, also while the index lags', async () => {
    memory.isLagging = true;
    await changed(table, 'd', (request, now) => cancel(request, { actor: 'client', reason: null }, now));
    expect((await list({}, 1)).states).toMatchObject([{ id: 'd', status: 'cancelled' }]);
  });

  it('what the index does not project is read from the table', async () => {
    await create('e', 4, { reference: 'case 7' });
    expect((await list({}, 1)).states).toMatchObject([{ id: 'e', reference: 'case 7' }]);
  });

  it('a range of dates includes its beginning and excludes its end, in any offset', async () => {
    expect(await ids({ createdFrom: at(1).toISOString() })).toEqual(['d', 'c', 'b']);
    expect(await ids({ createdTo: at(1).toISOString() })).toEqual(['a']);
    expect(await ids({ createdFrom: at(1).toISOString(), createdTo: at(3).toISOString() })).toEqual([
      'c',
      'b',
    ]);
    expect(await ids({ createdFrom: '2026-11-21T14:00:00.001+02:00' })).toEqual(['d', 'c', 'b']);
    expect(await ids({ status: 'pending', createdTo: '2026-11-21T14:00:00.001+02:00' })).toEqual(['a']);
  });

  it('a request that was found otherwise passes from the beginning of a range to just before its end', async () => {
    const { states } = await list();
    const passing = (range: Pick<ListFilter, 'createdFrom' | 'createdTo'>) =>
      states.filter(passes({ ownerId: 'owner-1', mode: 'live', ...range })).map(({ id }) => id);
    expect(passing({ createdFrom: at(1).toISOString(), createdTo: at(3).toISOString() })).toEqual(['c', 'b']);
  });

  it('an empty range needs no query', async () => {
    memory.mock.resetHistory();
    const from = at(1).toISOString();
    expect(await list({ createdFrom: from, createdTo: from })).toEqual({ states: [], next: null });
    expect(await list({ createdFrom: from, createdTo: at(0).toISOString() })).toEqual({
      states: [],
      next: null,
    });
    expect(memory.mock.calls()).toHaveLength(0);
  });
});
