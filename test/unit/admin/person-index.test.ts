import { exportPersonalData } from '../../../admin/person-export.ts';
import { indexOnce, indexSigners } from '../../../admin/person-index.ts';
import {
  formerSignerKey,
  metaKey,
  referenceKey,
  signerRequestKey,
  titleKey,
} from '../../../shared/store/keys.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { loadRequest } from '../../../shared/store/requests.ts';
import { searchRequests } from '../../../shared/store/search.ts';
import { findSignerRequests } from '../../../shared/store/signer-requests.ts';
import { BAD_NEWS, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { storedRequest } from '../../support/stored-requests.ts';
import {
  anna,
  berta,
  correctedRequest,
  EMAIL,
  endedRequest,
  erase,
  memory,
  operator,
  table,
} from './stored-person.ts';

beforeEach(() => memory.clear());

describe('person index', () => {
  const lookUp = (state: Parameters<typeof signerRequestKey>[1]) => signerRequestKey(EMAIL, state);

  it('finds requests of versions that wrote no look-up, once and again', async () => {
    const { state } = await storedRequest(table, 1, { signers: [anna] });
    await addOwner(table, ownerItem({ id: state.ownerId }));
    await table.delete(lookUp(state));
    await indexOnce(operator);
    expect(await findSignerRequests(table, EMAIL)).toMatchObject([
      { requestId: state.id, signerId: anna.id },
    ]);
    await table.delete(lookUp(state));
    await indexOnce(operator);
    expect(await findSignerRequests(table, EMAIL)).toEqual([]);
    expect(await indexSigners(operator)).toBe(1);
    expect(await findSignerRequests(table, EMAIL)).toHaveLength(1);
  });

  it('finds the former address of a signer who was corrected by such a version', async () => {
    const id = await correctedRequest();
    const { state } = (await loadRequest(table, id)) ?? {};
    if (!state) throw new Error('The request is stored.');
    await addOwner(table, ownerItem({ id: state.ownerId }));
    await table.delete(formerSignerKey(EMAIL, id, anna.id));
    await indexSigners(operator);
    expect((await exportPersonalData(EMAIL, operator)).requests).toMatchObject([{ request_id: id }]);
  });

  it('makes requests of such versions findable by title and reference', async () => {
    const { state } = await storedRequest(table, 1, { title: 'Lease', reference: 'flat 7' });
    await addOwner(table, ownerItem({ id: state.ownerId }));
    await table.delete(titleKey(state, 'lease'));
    await table.delete(referenceKey(state, 'flat 7'));
    await indexSigners(operator);
    for (const [by, text] of [
      ['title_prefix', 'lease'],
      ['reference', 'flat 7'],
    ] as const) {
      const found = await searchRequests(table, state, { by, text }, () => true, 10, undefined);
      expect(found.states.map(({ id }) => id)).toEqual([state.id]);
    }
  });

  it('goes on after a damaged request, names it, and is made again until that is mended', async () => {
    const requests = [];
    for (let n = 0; n < 2; n += 1) requests.push(await storedRequest(table, 1, { signers: [anna] }));
    const [damaged, other] = requests.map(({ state }) => state);
    if (!damaged || !other) throw new Error('There are two requests.');
    for (const state of [damaged, other]) {
      await addOwner(table, ownerItem({ id: state.ownerId }));
      await table.delete(lookUp(state));
    }
    await table.update(metaKey(damaged.id), { status: 'lost' });
    const notes: string[] = [];
    const indexed = await indexSigners({ ...operator, terminal: pipes(notes) });
    expect(indexed).toBe(1);
    expect(notes).toEqual([BAD_NEWS, expect.stringContaining(`REQ#${damaged.id} R#META is damaged`)]);
    expect(await findSignerRequests(table, EMAIL)).toMatchObject([{ requestId: other.id }]);
    await table.update(metaKey(damaged.id), { status: damaged.status });
    await indexOnce(operator);
    expect(await findSignerRequests(table, EMAIL)).toHaveLength(2);
  });

  it('does not bring back a signer who is erased meanwhile', async () => {
    const id = await endedRequest();
    const request = await loadRequest(table, id);
    await addOwner(table, ownerItem({ id: request?.state.ownerId ?? '' }));
    memory.beforeWrites.push(() => erase());
    await indexSigners(operator);
    expect(await findSignerRequests(table, EMAIL)).toEqual([]);
    expect(await findSignerRequests(table, berta.email)).toHaveLength(1);
  });
});
