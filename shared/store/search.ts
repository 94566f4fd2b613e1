import * as z from 'zod';
import { type ListedState, listedState, type RequestState } from '../requests/model.ts';
import { string } from '../runtime/schemas.ts';
import { visible } from '../runtime/visible.ts';
import { parseItem } from './items.ts';
import {
  metaKey,
  type OwnerMode,
  referenceKey,
  referencePartition,
  signerPartition,
  titleKey,
  titlePartition,
} from './keys.ts';
import type { QueryInput, Table, Write } from './table.ts';

/**
 * An owner's requests by reference, by a signer's address, or by the beginning of the title. Each way has look-up items
 * of its own, which name requests; what those hold is read from the table.
 */
export const SEARCHES = ['reference', 'signer_email', 'title_prefix'] as const;
export type Search = { by: (typeof SEARCHES)[number]; text: string };

const lookUp = z.object({ sk: string, requestId: string });

/** The last look-up item of a page. */
export const searchPosition = lookUp.pick({ sk: true });
type SearchPosition = z.output<typeof searchPosition>;

/** Keys hold so much of a title: a sort key has at most 1,024 bytes. */
const TITLE_BYTES = 600;

/** Normalizes a title for comparison: ignores case, width and invisible characters, and the other sigma at the end of a word. */
const comparable = (title: string): string =>
  visible(title).normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');

/**
 * A comparable title as keys hold it. Decoding leaves U+FFFD of a character that was cut. A title's own is dropped too:
 * stored keys lack it.
 */
const titleInKey = (title: string): string =>
  new TextDecoder()
    .decode(new TextEncoder().encode(comparable(title)).subarray(0, TITLE_BYTES))
    .replace(/\ufffd$/, '');

/** Signers have look-up items of their own (`signer-requests.ts`). */
export function searchWrites(state: RequestState): Write[] {
  const title = { put: { ...titleKey(state, titleInKey(state.title)), requestId: state.id } };
  if (state.reference === null) return [title];
  return [title, { put: { ...referenceKey(state, state.reference), requestId: state.id } }];
}

function queryOf(owner: OwnerMode, { by, text }: Search): QueryInput {
  if (by === 'reference') return { pk: referencePartition(owner, text), newestFirst: true };
  if (by === 'signer_email')
    return {
      pk: signerPartition(text),
      sk: { prefix: `${owner.ownerId}#${owner.mode}#` },
      newestFirst: true,
    };
  const prefix = titleInKey(text);
  // DynamoDB refuses an empty one.
  return { pk: titlePartition(owner), ...(prefix && { sk: { prefix } }) };
}

/** The key holds the beginning of a title and what follows, so a prefix can match the key without matching the title. */
const isFound =
  ({ by, text }: Search) =>
  ({ title }: ListedState): boolean =>
    by !== 'title_prefix' || comparable(title).startsWith(comparable(text));

/**
 * Limits the reads for one page. The page may then be shorter than asked for, if other filters let few requests
 * through.
 */
const MOST_READS = 10;

/** One page of what was found: by title in its order, else the newest first. */
export async function searchRequests(
  table: Table,
  owner: OwnerMode,
  search: Search,
  isWanted: (state: ListedState) => boolean,
  limit: number,
  startAfter: SearchPosition | undefined,
): Promise<{ states: ListedState[]; next: SearchPosition | null }> {
  const query = queryOf(owner, search);
  const states: ListedState[] = [];
  let next: SearchPosition | null = startAfter ?? null;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const missing = limit - states.length;
    const items = await table.queryUpTo(missing + 1, {
      ...query,
      consistent: true,
      startAfter: next ? { pk: query.pk, sk: next.sk } : undefined,
    });
    const page = items.slice(0, missing).map((item) => parseItem(lookUp, item));
    const named = await table.findEach(
      listedState,
      page.map(({ requestId }) => metaKey(requestId)),
    );
    states.push(...named.filter(isFound(search)).filter(isWanted));
    const last = page.at(-1);
    next = items.length > missing && last ? { sk: last.sk } : null;
    if (!next || states.length === limit) break;
  }
  return { states, next };
}
