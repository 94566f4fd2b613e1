import type { Mode } from '../shared/contract/fields.ts';
import type { Item } from '../shared/store/items.ts';
import { BY_OWNER, ownerListing } from '../shared/store/keys.ts';
import type { Table } from '../shared/store/table.ts';

/** The list of an owner's requests, page by page. */
export async function* listingPages(
  table: Table,
  ownerId: string,
  mode: Mode,
  limit?: number,
): AsyncGenerator<Item[]> {
  let startAfter: Item | undefined;
  do {
    const page = await table.query({
      index: BY_OWNER,
      pk: ownerListing(ownerId, mode),
      limit,
      startAfter,
    });
    yield page.items;
    startAfter = page.next;
  } while (startAfter);
}
