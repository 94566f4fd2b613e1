import { MODES } from '../shared/contract/fields.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { damageIn } from '../shared/store/items.ts';
import { jobKey, metaKey } from '../shared/store/keys.ts';
import { listOwners } from '../shared/store/owners.ts';
import { loadRequest } from '../shared/store/requests.ts';
import { retryOnConflict } from '../shared/store/retry-on-conflict.ts';
import { searchWrites } from '../shared/store/search.ts';
import { formerSignerWrite, signerRequestWrite } from '../shared/store/signer-requests.ts';
import { holds, type Table } from '../shared/store/table.ts';
import { listingPages } from './listing-pages.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

/**
 * Requests made by versions that wrote no look-ups (by signer, title, reference) get theirs here: each owner's list is walked page by page.
 * Repeating it changes nothing; it is needed once, and again after a rollback to such a version.
 */

const PAGE = 100;
const DONE = jobKey('person-index');

/** False if a damaged request keeps the index from being complete. */
export async function indexOnce(operator: Operator): Promise<boolean> {
  const isDone = async () => (await operator.table.get(DONE, { consistent: true })) !== undefined;
  if (await isDone()) return true;
  await indexSigners(operator);
  return isDone();
}

/** Returns the number of requests. Names those that are damaged, and does not count as done until they are mended. */
export async function indexSigners({ table, now, terminal }: Operator): Promise<number> {
  const owners = await listOwners(table);
  using progress = new Progress('Indexing signers by owner', owners.length);
  const damages: string[] = [];
  let count = 0;
  for (const owner of owners) {
    for (const mode of MODES)
      for await (const items of listingPages(table, owner.id, mode, PAGE)) {
        await inParallel(items, async ({ id }) => {
          try {
            await indexRequest(table, String(id));
            count += 1;
          } catch (error) {
            damages.push(damageIn(error));
          }
        });
      }
    progress.add();
  }
  if (damages.length === 0) await table.put({ ...DONE, completedAt: now().toISOString() });
  else terminal.badNews();
  for (const damage of damages)
    terminal.note(`${damage} Its signers may not be found until it is mended in the table.`);
  return count;
}

/** Writes only if the request is as it was read: a signer who was erased meanwhile does not come back. */
const indexRequest = (table: Table, id: string): Promise<void> =>
  retryOnConflict(async () => {
    const request = await loadRequest(table, id);
    if (!request) return;
    const { state, signers } = request;
    const present = signers.filter(({ erasedAt }) => !erasedAt);
    await table.transact([
      { check: metaKey(id), condition: holds({ version: state.version }) },
      ...present.map((signer) => signerRequestWrite(state, signer)),
      ...present.flatMap(({ id: signerId, asCreated }) =>
        asCreated ? formerSignerWrite(id, signerId, asCreated.email) : [],
      ),
      ...searchWrites(state),
    ]);
  });
