import type { NewRequest } from '../../../shared/requests/creating.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import { type Search, searchRequests } from '../../../shared/store/search.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, newRequest, OWNER } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;

let created = 0;
async function create(id: string, changes: Partial<NewRequest> = {}): Promise<void> {
  created += 1;
  const now = at(created);
  const { request, change } = newRequest(1, { id, title: id, owner: OWNER, ...changes }, now);
  await table.transact(creationWrites(change, request.content, now).writes);
}

const find = (by: Search['by'], text: string, limit = 10, isWanted = (_: { id: string }) => true) =>
  searchRequests(table, { ownerId: 'owner-1', mode: 'live' }, { by, text }, isWanted, limit, undefined);
const ids = async (...call: Parameters<typeof find>) => (await find(...call)).states.map(({ id }) => id);

beforeEach(() => memory.clear());

describe('the search by reference', () => {
  it('requests of the exact reference are found, newest first', async () => {
    await create('a', { reference: 'case 7' });
    await create('b', { reference: 'Case 7' });
    await create('c', { reference: 'case 7' });
    await create('d');
    expect(await ids('reference', 'case 7')).toEqual(['c', 'a']);
    expect(await ids('reference', 'case')).toEqual([]);
  });

  it('a request is found as soon as it is created', async () => {
    memory.isLagging = true;
    await create('a', { reference: 'case 7' });
    expect(await ids('reference', 'case 7')).toEqual(['a']);
    expect(await ids('title_prefix', 'a')).toEqual(['a']);
    expect(await ids('signer_email', 'signer0@example.com')).toEqual(['a']);
  });

  it('neither another owner’s nor another mode’s are found', async () => {
    await create('a', { reference: 'case 7', owner: { ...OWNER, id: 'owner-2' } });
    await create('b', { reference: 'case 7', owner: { ...OWNER, mode: 'test' } });
    expect(await ids('reference', 'case 7')).toEqual([]);
    expect(await ids('signer_email', 'signer0@example.com')).toEqual([]);
    expect(await ids('title_prefix', 'a')).toEqual([]);
  });
});

describe('the search by a signer’s address', () => {
  it('the requests of one signer are found, newest first', async () => {
    await create('a');
    await create('b');
    expect(await ids('signer_email', 'signer0@example.com')).toEqual(['b', 'a']);
    expect(await ids('signer_email', 'signer1@example.com')).toEqual([]);
  });
});

describe('the search by the beginning of a title', () => {
  it.each([
    ['lease', ['Lease of a flat', 'LEASE 2026', 'Lease\u200b of a garage', 'Ｌｅａｓｅ in wide letters']],
    ['LEASE OF', ['Lease of a flat', 'Lease\u200b of a garage']],
    ['lease of a flats', []],
    ['of', []],
  ])('"%s" finds titles without regard to case, width and what cannot be seen', async (prefix, found) => {
    const titles = [
      'Lease of a flat',
      'LEASE 2026',
      'Lease\u200b of a garage',
      'Ｌｅａｓｅ in wide letters',
      'Other',
    ];
    for (const [n, title] of titles.entries()) await create(`id-${n}`, { title });
    const { states } = await find('title_prefix', prefix);
    expect(states.map(({ title }) => title).sort()).toEqual([...found].sort());
  });

  it('a beginning of which keys hold nothing is looked for in all titles', async () => {
    await create('a', { title: '\ufffd' });
    await create('b', { title: 'Lease' });
    expect(await ids('title_prefix', '\ufffd')).toEqual(['a']);
  });

  it('titles come in their order', async () => {
    for (const title of ['beta', 'alphabet', 'Alpha']) await create(title, { title });
    expect(await ids('title_prefix', 'alpha')).toEqual(['Alpha', 'alphabet']);
  });

  it('requests of other titles are not read', async () => {
    for (let n = 0; n < 11; n += 1) await create(`a${n}`);
    await create('Lease');
    expect(await ids('title_prefix', 'lease', 1)).toEqual(['Lease']);
  });

  it('a prefix is compared with the title alone, not with what follows it in the key', async () => {
    await create('Offer');
    expect(await ids('title_prefix', 'offer')).toEqual(['Offer']);
    expect(await ids('title_prefix', `offer#${NOON.getUTCFullYear()}`)).toEqual([]);
  });

  it('a Greek prefix that ends inside a word is found', async () => {
    await create('a', { title: 'ΟΔΟΣΑ' });
    expect(await ids('title_prefix', 'ΟΔΟΣ')).toEqual(['a']);
  });

  it('a prefix that ends in U+FFFD is compared with all of it', async () => {
    for (const title of ['ab\ufffd', 'abc']) await create(title, { title });
    expect(await ids('title_prefix', 'ab\ufffd')).toEqual(['ab\ufffd']);
    expect(await ids('title_prefix', 'ab')).toEqual(['ab\ufffd', 'abc']);
  });

  it('a prefix that is longer than a key is compared with all of it', async () => {
    const beyondKeys = '\ufdfa'.repeat(50);
    for (const end of ['a', 'b']) await create(end, { title: beyondKeys + end });
    expect(await ids('title_prefix', `${beyondKeys}A`)).toEqual(['a']);
    expect(await ids('title_prefix', beyondKeys)).toEqual(['a', 'b']);
  });

  it('a title of any length and script has a key', async () => {
    await create('long', { title: '\ufdfa'.repeat(200) });
    expect(await ids('title_prefix', '\ufdfa'.repeat(200))).toEqual(['long']);
    const key = memory.items.find(
      ({ requestId, pk }) => requestId === 'long' && String(pk).startsWith('TITLE'),
    );
    expect(Buffer.byteLength(String(key?.sk))).toBeLessThan(1_024);
  });
});

describe('pages of a search', () => {
  it('each page begins after the one before', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await create(id, { reference: 'r' });
    const first = await find('reference', 'r', 2);
    expect(first.states.map(({ id }) => id)).toEqual(['e', 'd']);
    const rest = await searchRequests(
      table,
      { ownerId: 'owner-1', mode: 'live' },
      { by: 'reference', text: 'r' },
      () => true,
      3,
      first.next ?? undefined,
    );
    expect(rest.states.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(rest.next).toBeNull();
  });

  it('other filters do not leave a page short while there is more', async () => {
    for (let n = 0; n < 9; n += 1) await create(`r${n}`, { reference: 'r' });
    const isEven = ({ id }: { id: string }) => Number(id.slice(1)) % 2 === 0;
    expect(await ids('reference', 'r', 3, isEven)).toEqual(['r8', 'r6', 'r4']);
  });

  it('a filter that lets nothing through ends the page after so many reads', async () => {
    for (let n = 0; n < 30; n += 1) await create(`r${n}`, { reference: 'r' });
    const page = await find('reference', 'r', 1, () => false);
    expect(page.states).toEqual([]);
    expect(page.next).not.toBeNull();
  });
});
