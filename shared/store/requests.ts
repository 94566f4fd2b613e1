import { randomBytes } from 'node:crypto';
import { LIMITS } from '../contract/limits.ts';
import { type AuditEvent, auditEvent, chain, emptyHead } from '../requests/chain.ts';
import { entriesOf } from '../requests/erasing.ts';
import { isActive, mayStillSign } from '../requests/lifecycle.ts';
import { requestIdOfToken } from '../requests/links.ts';
import {
  type Change,
  type RequestContent,
  type RequestState,
  requestContent,
  requestState,
  type SignatureRequest,
  type SignerState,
  signerState,
} from '../requests/model.ts';
import { isArchived } from '../requests/renewing.ts';
import { present } from '../runtime/present.ts';
import { type Item, parseItem } from './items.ts';
import {
  AUDIT_PREFIX,
  auditKey,
  BY_DUE,
  BY_OWNER,
  BY_STATUS,
  contentKey,
  due,
  metaKey,
  ownerListing,
  requestPartition,
  STATE_PREFIX,
  signerKey,
  signerRequestKey,
  statusListing,
  tokenKey,
} from './keys.ts';
import { type OutboxItem, outboxItems, outboxWrite } from './outbox.ts';
import { transactIfUnchanged } from './retry-on-conflict.ts';
import { searchWrites } from './search.ts';
import { formerSignerWrite, signerRequestWrite } from './signer-requests.ts';
import { changedFields, changeWrites, holds, isNew, type Table, type Write } from './table.ts';

/** A request is one partition: state, content, signers and trail. */

export interface StoredRequest extends SignatureRequest {
  events: AuditEvent[];
}

/** Index attributes: the lists that show the request, and the job it is due for. */
function indexFields(state: RequestState): Item {
  const listing = {
    owner_pk: ownerListing(state.ownerId, state.mode),
    status_pk: statusListing(state.ownerId, state.mode, state.status),
    created_sk: `${state.createdAt}#${state.id}`,
  };
  if (isActive(state)) return { ...listing, ...due('EXPIRE', state.expiresAt, state.id) };
  if (state.status === 'stamp_failed')
    return { ...listing, ...due('STAMP_FAILED', state.createdAt, state.id) };
  if (state.stampQueuedAt) return { ...listing, ...due('STAMP', state.stampQueuedAt, state.id) };
  if (state.purgeAt && !state.purgedAt) return { ...listing, ...due('PURGE', state.purgeAt, state.id) };
  if (isArchived(state)) return { ...listing, ...due('RENEW', state.renewal.dueAt, state.id) };
  return listing;
}

const stateItem = (state: RequestState): Item => ({ ...state, ...indexFields(state) });

/** Attributes that the store adds to a request's items: keys of the table and its indexes, and the item's layout. */
export const STORAGE_ATTRIBUTES: readonly string[] = [
  'pk',
  'sk',
  BY_OWNER.pk,
  BY_STATUS.pk,
  BY_OWNER.sk,
  BY_DUE.pk,
  BY_DUE.sk,
  'requestId',
  'itemVersion',
];

/** A signer with a pending reminder is in the due index. */
const signerItem = (requestId: string, signer: SignerState): Item => ({
  ...signer,
  requestId,
  ...(signer.remindAt ? due('REMIND', signer.remindAt, `${requestId}#${signer.position}`) : {}),
});

function fromItems(items: Item[]): StoredRequest | undefined {
  const under = (prefix: string) => items.filter((item) => String(item.sk).startsWith(prefix));
  const [state] = under('R#META');
  const [content] = under('R#CONTENT');
  if (!state || !content) return undefined;
  return {
    state: parseItem(requestState, state),
    content: parseItem(requestContent, content),
    signers: under('R#SIGNER#').map((item) => parseItem(signerState, item)),
    events: under(AUDIT_PREFIX).map((item) => parseItem(auditEvent, item)),
  };
}

/** True for signers as they were before a change that the state shows: a query may see a transaction in part. */
const areSignersOld = ({ state, signers }: SignatureRequest): boolean =>
  signers.length < state.signerCount ||
  signers.filter(({ erasedAt }) => erasedAt).length < state.erasures ||
  (!isActive(state) && state.status !== 'expired' && signers.some(mayStillSign));

/** Reads state, content and signers. Rules do not need the trail. */
export const loadRequest = (table: Table, id: string): Promise<SignatureRequest | undefined> =>
  readWhole(
    () => table.queryAll({ pk: requestPartition(id), sk: { prefix: STATE_PREFIX }, consistent: true }),
    areSignersOld,
  );

/** The number of erased signers of the request. */
export async function countErasures(table: Table, id: string): Promise<number> {
  const item = await table.get(metaKey(id), { consistent: true });
  return Number(item?.erasures ?? 0);
}

/** True for a read that saw a change in part: items are read one after the other, those of a long trail page by page. */
const isTorn = (request: StoredRequest): boolean =>
  request.events.at(-1)?.sequence !== request.state.auditSequence || areSignersOld(request);

/** Reads a request again if it was changed meanwhile. One that does not fit together is returned as it is. */
async function readWhole(
  read: () => Promise<Item[]>,
  isInPart: (request: StoredRequest) => boolean = isTorn,
): Promise<StoredRequest | undefined> {
  const request = fromItems(await read());
  return request && isInPart(request) ? fromItems(await read()) : request;
}

/** State, content and an item for each signer stand beside the trail. */
const MOST_STATE_ITEMS = 2 + LIMITS.signers;

/**
 * Reads a request with the newest events of its trail, however long that is. The state sorts after the trail, so both
 * come with one query from the end.
 */
export async function loadRequestWithNewestEvents(
  table: Table,
  id: string,
  most: number,
): Promise<(StoredRequest & { hasEarlierEvents: boolean }) | undefined> {
  const request = await readWhole(async () =>
    (
      await table.queryUpTo(most + MOST_STATE_ITEMS, {
        pk: requestPartition(id),
        consistent: true,
        newestFirst: true,
      })
    ).reverse(),
  );
  if (!request) return undefined;
  const events = request.events.slice(-most);
  return { ...request, events, hasEarlierEvents: (events[0]?.sequence ?? 1) > 1 };
}

/** One page of the trail, oldest first, after this sequence number. */
export async function listEvents(
  table: Table,
  id: string,
  limit: number,
  after = 0,
): Promise<{ events: AuditEvent[]; next: number | null }> {
  const items = await table.queryUpTo(limit + 1, {
    pk: requestPartition(id),
    sk: { prefix: AUDIT_PREFIX },
    startAfter: { ...auditKey(id, after) },
    consistent: true,
  });
  const events = items.slice(0, limit).map((item) => parseItem(auditEvent, item));
  return { events, next: items.length > limit ? (events.at(-1)?.sequence ?? null) : null };
}

export async function loadRequestWithTrail(table: Table, id: string): Promise<StoredRequest | undefined> {
  return readWhole(() => table.queryAll({ pk: requestPartition(id), consistent: true }));
}

export async function loadRequestOfLink(table: Table, token: string): Promise<SignatureRequest | undefined> {
  const id = requestIdOfToken(token) ?? (await lookUpLink(table, token));
  return id === undefined ? undefined : loadRequest(table, id);
}

async function lookUpLink(table: Table, token: string): Promise<string | undefined> {
  const item = await table.get(tokenKey(token), { consistent: true });
  return item && String(item.requestId);
}

const newSalt = () => randomBytes(32).toString('base64url');

interface Prepared {
  state: RequestState;
  writes: Write[];
  outbox: OutboxItem[];
}

/** The state after a change, and the writes of its audit events and outbox items. */
function prepare(change: Change, now: Date): Prepared {
  const { auditSequence: sequence, auditHead: head } = change.state;
  const events = chain(entriesOf(change), { sequence, head }, newSalt);
  const { items: outbox, lastEventAt } = outboxItems(change.effects, change.state, now);
  const end = { sequence: sequence + events.length, hash: events.at(-1)?.hash ?? head };
  const state: RequestState = {
    ...change.state,
    lastEventAt,
    version: change.state.version + 1,
    auditSequence: end.sequence,
    auditHead: end.hash,
    anchor: change.fixesAnchor ? end : change.state.anchor,
  };
  return {
    state,
    outbox,
    writes: [
      ...events.map(
        (event): Write => ({ put: { ...auditKey(state.id, event.sequence), ...event }, condition: isNew }),
      ),
      ...outbox.map(outboxWrite),
    ],
  };
}

/** The writes that create a request. They fail with `ConditionFailed` if it exists already. */
export function creationWrites(change: Change, content: RequestContent, now: Date): Prepared {
  const { id } = change.state;
  const prepared = prepare({ ...change, state: { ...change.state, auditHead: emptyHead(id) } }, now);
  return {
    ...prepared,
    writes: [
      { put: { ...metaKey(id), ...stateItem(prepared.state) }, condition: isNew },
      ...prepared.writes,
      { put: { ...contentKey(id), ...content } },
      ...change.signers.map(
        (signer): Write => ({ put: { ...signerKey(id, signer.position), ...signerItem(id, signer) } }),
      ),
      ...change.signers.map((signer) => signerRequestWrite(change.state, signer)),
      ...searchWrites(change.state),
    ],
  };
}

const signerBefore = (before: SignatureRequest, { id }: SignerState): SignerState =>
  present(
    before.signers.find((signer) => signer.id === id),
    'the signer before the change',
  );

/**
 * A corrected signer has another link, and another address to be found by. Erasing removes both by itself. The new address
 * must be nobody else's: the read may have seen another correction in part.
 */
function lookUpWrites(before: SignatureRequest, { state, signers }: Change): Write[] {
  return signers.flatMap((signer): Write[] => {
    if (signer.erasedAt) return [];
    const old = signerBefore(before, signer);
    const link: Write[] =
      old.accessToken === signer.accessToken ? [] : [{ delete: tokenKey(old.accessToken) }];
    const address: Write[] =
      old.email === signer.email
        ? []
        : [
            { delete: signerRequestKey(old.email, state) },
            formerSignerWrite(state.id, old.id, old.email),
            { ...signerRequestWrite(state, signer), condition: isNew },
          ];
    return [...link, ...address];
  });
}

/** The signers after a change; those that it changes have a new version. */
const versioned = (before: SignatureRequest, { signers }: Change): SignerState[] =>
  signers.map((signer) => {
    const old = signerBefore(before, signer);
    const isChanged = Object.keys(changedFields(old, signer)).length > 0;
    return isChanged ? { ...signer, version: old.version + 1 } : signer;
  });

/**
 * Each on the condition that the signer still is what was read: a query may see another transaction in part, the state as
 * that left it, and a signer as before. Signers of earlier commits have no version.
 */
const signerWrites = (before: SignatureRequest, signers: readonly SignerState[]): Write[] =>
  signers.flatMap((signer): Write[] => {
    const old = signerBefore(before, signer);
    const { id } = before.state;
    const condition = {
      expression: 'attribute_not_exists(#version) OR #version = :version',
      values: { version: old.version },
    };
    return changeWrites(signerKey(id, old.position), signerItem(id, old), signerItem(id, signer), condition);
  });

export interface Changed {
  request: SignatureRequest;
  outbox: OutboxItem[];
}

/**
 * Writes a change if the request is unchanged since it was read, else throws `ConditionFailed` of the first write. Only changed fields are
 * written, so that members which a later version added stay as they are. `extraWrites` join the transaction, for example to delete the finished outbox item.
 */
export async function commitChange(
  table: Table,
  before: SignatureRequest,
  change: Change,
  now: Date,
  extraWrites: Write[],
): Promise<Changed> {
  const prepared = prepare(change, now);
  const state: Write = {
    update: metaKey(prepared.state.id),
    set: changedFields(stateItem(before.state), stateItem(prepared.state)),
    condition: holds({ version: before.state.version }),
  };
  const signers = versioned(before, change);
  const unchanged = [state, ...signerWrites(before, signers), ...lookUpWrites(before, change)];
  // A transaction even for one write: if its answer is lost, the SDK repeats it without applying it twice.
  await transactIfUnchanged(table, unchanged, [...prepared.writes, ...extraWrites]);
  return {
    request: { state: prepared.state, content: before.content, signers },
    outbox: prepared.outbox,
  };
}
