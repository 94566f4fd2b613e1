import * as z from 'zod';
import { dateTime, type Mode, REQUEST_STATUSES } from '../shared/contract/fields.ts';
import { type ListedState, listedState } from '../shared/requests/model.ts';
import { string } from '../shared/runtime/schemas.ts';
import { parseItem } from '../shared/store/items.ts';
import { metaKey, signerPartition } from '../shared/store/keys.ts';
import { type ListFilter, listRequests, passes, position } from '../shared/store/listing.ts';
import { addressOf } from './arguments.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { ownerOf } from './keys.ts';
import type { Operator } from './operator.ts';
import { indexOnce } from './person-index.ts';

/** Requests by owner, from its list, or by signer, from the look-ups of an address. Either is a query, page by page. */

const MAX_LIMIT = 100;

const signerPosition = z.object({ sk: string });

interface Found {
  requests: ReturnType<typeof row>[];
  next: object | null;
}

const encoded = (next: object) => Buffer.from(JSON.stringify(next)).toString('base64url');

function decoded<S extends z.ZodType>(after: string | undefined, schema: S): z.output<S> | undefined {
  if (after === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(after, 'base64url').toString()));
  } catch {
    throw otherList();
  }
}

const otherList = () => new UsageError('--after must be the "next" of the same list.');

interface SignerFilter {
  email: string;
  ownerId: string | undefined;
  mode: Mode;
  isWanted: (state: ListedState) => boolean;
}

/** Goes through the requests of one address, of one owner or of all, until the page is full. */
async function findBySigner(
  { email, ownerId, mode, isWanted }: SignerFilter,
  limit: number,
  after: { sk: string } | undefined,
  { table }: Operator,
): Promise<Found> {
  const pk = signerPartition(email);
  const prefix = ownerId && `${ownerId}#${mode}#`;
  // DynamoDB refuses a start outside of the range.
  if (prefix && after && !after.sk.startsWith(prefix)) throw otherList();
  const requests: Found['requests'] = [];
  let startAfter = after && { pk, sk: after.sk };
  do {
    const { items, next } = await table.query({
      pk,
      ...(prefix && { sk: { prefix } }),
      newestFirst: true,
      limit: limit - requests.length,
      startAfter,
    });
    const stored = await table.getAll(items.map(({ requestId }) => metaKey(String(requestId))));
    const owners = new Map(items.map(({ requestId, sk }) => [requestId, String(sk).split('#')[0] ?? '']));
    const wanted = stored
      .map((item) => parseItem(listedState, item))
      .filter((state) => state.mode === mode && isWanted(state));
    requests.push(...wanted.map((state) => row(state, owners.get(state.id) ?? '')));
    startAfter = next && { pk, sk: String(next.sk) };
  } while (startAfter && requests.length < limit);
  return { requests, next: startAfter ? { sk: startAfter.sk } : null };
}

async function findByOwner(
  filter: ListFilter,
  limit: number,
  after: string | undefined,
  { table }: Operator,
): Promise<Found> {
  const start = decoded(after, position);
  if (start && filter.createdFrom && start.createdAt < filter.createdFrom) throw otherList();
  const { states, next } = await listRequests(table, filter, limit, start);
  return { requests: states.map((state) => row(state, filter.ownerId)), next };
}

const row = (state: ListedState, ownerId: string) => ({
  request_id: state.id,
  status: state.status,
  created_at: state.createdAt,
  owner_id: ownerId,
  title: state.title,
  signers: state.signerCount,
});

/** A date begins at midnight UTC. A time must name its zone: without one it would be read in that of the operator's machine. */
const instant = z.union([z.iso.date(), dateTime]);

function instantOf(since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  if (!instant.safeParse(since).success)
    throw new UsageError('--since must be a date, like 2026-11-21 or 2026-11-21T10:00:00Z.');
  return new Date(since).toISOString();
}

function limitOf(given: string | undefined): number {
  const limit = Number(given ?? 25);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

export const requestListCommands = [
  command({
    name: 'request list',
    summary: 'List requests by owner or signer, newest first, page by page',
    options: {
      org: { value: 'ID', help: 'Of this organization' },
      user: { value: 'ID', help: 'Of this user' },
      signer: {
        value: 'ADDRESS',
        help: 'With this signer; without an owner, of all owners, one after the other',
      },
      status: { choices: REQUEST_STATUSES, help: 'In this state' },
      since: { value: 'DATE', help: 'Created then or later (UTC)' },
      test: { help: 'Test requests instead of live ones' },
      limit: { value: 'N', help: `How many, at most ${MAX_LIMIT} (default: 25)` },
      after: { value: 'NEXT', help: 'The following page: the "next" of the one before' },
    },
    run: async ({ org, user, signer, status, since, test, limit: count, after }, operator) => {
      const owner = await ownerOf({ org, user }, operator);
      const mode = test ? 'test' : 'live';
      const limit = limitOf(count);
      const createdFrom = instantOf(since);
      const filter = { ownerId: owner?.id ?? '', mode, status, createdFrom } as const;
      if (!owner && signer === undefined)
        throw new UsageError('Say whose requests: --org ID, --user ID or --signer ADDRESS.');
      const email = signer === undefined ? undefined : addressOf('--signer', signer);
      if (email !== undefined) await indexOnce(operator);
      const { requests, next } =
        email === undefined
          ? await findByOwner(filter, limit, after, operator)
          : await findBySigner(
              { email, ownerId: owner?.id, mode, isWanted: passes(filter) },
              limit,
              decoded(after, signerPosition),
              operator,
            );
      return { requests, next: next && encoded(next) };
    },
  }),
];
