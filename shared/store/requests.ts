import type { AuditEvent } from '../audit/chain.ts';
import { chain, emptyHead } from '../audit/chain.ts';
import type {
  Change,
  RequestContent,
  RequestState,
  SignatureRequest,
  SignerState,
} from '../requests/model.ts';
import {
  AUDIT_PREFIX,
  auditKey,
  contentKey,
  due,
  metaKey,
  ownerListing,
  requestPartition,
  STATE_PREFIX,
  signerKey,
  statusListing,
  tokenKey,
} from './keys.ts';
import { type OutboxItem, outboxItems, outboxWrite } from './outbox.ts';
import { type Item, isNew, type Table, type Write } from './table.ts';

/** Requests as they are stored: one partition each, with its state, content, signers and trail. */

export interface StoredRequest extends SignatureRequest {
  events: AuditEvent[];
}

/** Where a state stands in the lists, and what it waits for. */
function indexFields(state: RequestState): Item {
  const listing = {
    owner_pk: ownerListing(state.ownerId, state.mode),
    status_pk: statusListing(state.ownerId, state.mode, state.status),
    created_sk: `${state.createdAt}#${state.id}`,
  };
  if (['pending', 'sent', 'opened'].includes(state.status))
    return { ...listing, ...due('EXPIRE', state.expiresAt, state.id) };
  if (state.status === 'stamp_failed')
    return { ...listing, ...due('STAMP_FAILED', state.createdAt, state.id) };
  if (state.stampQueuedAt) return { ...listing, ...due('STAMP', state.stampQueuedAt, state.id) };
  if (state.purgeAt && !state.purgedAt) return { ...listing, ...due('PURGE', state.purgeAt, state.id) };
  return listing;
}

/** A signer is due while a reminder is ahead. */
export const signerItem = (requestId: string, signer: SignerState): Item => ({
  ...signer,
  requestId,
  ...(signer.remindAt
    ? due('REMIND', signer.remindAt, `${requestId}#${signer.position}`)
    : { due_pk: undefined, due_sk: undefined }),
});

/** What only the table needs: keys and index fields, derived again at each write. */
const TABLE_FIELDS = new Set(['pk', 'sk', 'owner_pk', 'status_pk', 'created_sk', 'due_pk', 'due_sk']);
const withoutTableFields = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !TABLE_FIELDS.has(name)));

function fromItems(items: Item[]): StoredRequest | undefined {
  const under = (prefix: string) =>
    items.filter((item) => String(item.sk).startsWith(prefix)).map(withoutTableFields);
  const [state] = under('R#META');
  const [content] = under('R#CONTENT');
  if (!state || !content) return undefined;
  return {
    state: state as RequestState & Item,
    content: content as RequestContent & Item,
    signers: under('R#SIGNER#') as (SignerState & Item)[],
    events: under(AUDIT_PREFIX) as (AuditEvent & Item)[],
  };
}

/** State, content and signers, as of now. The trail is left out: it is not needed to decide anything. */
export async function loadRequest(table: Table, id: string): Promise<SignatureRequest | undefined> {
  return fromItems(
    await table.queryAll({ pk: requestPartition(id), sk: { prefix: STATE_PREFIX }, consistent: true }),
  );
}

export async function loadRequestWithTrail(table: Table, id: string): Promise<StoredRequest | undefined> {
  return fromItems(await table.queryAll({ pk: requestPartition(id), consistent: true }));
}

export async function findLink(
  table: Table,
  token: string,
): Promise<{ requestId: string; signerId: string } | undefined> {
  const item = await table.get(tokenKey(token), { consistent: true });
  return item && { requestId: String(item.requestId), signerId: String(item.signerId) };
}

interface Prepared {
  state: RequestState;
  writes: Write[];
  outbox: OutboxItem[];
}

/** What every change writes besides signers: the state, its new events, its outbox. */
function prepare(change: Change, now: Date): Prepared {
  const { auditSequence: sequence, auditHead: head } = change.state;
  const events = chain(change.audit, { sequence, head });
  const { items: outbox, lastEventAt } = outboxItems(change.follow, change.state, now);
  const state: RequestState = {
    ...change.state,
    lastEventAt,
    version: change.state.version + 1,
    auditSequence: sequence + events.length,
    auditHead: events.at(-1)?.hash ?? head,
  };
  return {
    state,
    outbox,
    writes: [
      { put: { ...metaKey(state.id), ...state, ...indexFields(state) } },
      ...events.map(
        (event): Write => ({ put: { ...auditKey(state.id, event.sequence), ...event }, condition: isNew }),
      ),
      ...outbox.map(outboxWrite),
    ],
  };
}

/** The writes that bring a new request into being; `ConditionFailed` means that it exists already. */
export function creationWrites(change: Change, content: RequestContent, now: Date): Prepared {
  const { id } = change.state;
  const prepared = prepare({ ...change, state: { ...change.state, auditHead: emptyHead(id) } }, now);
  const [meta, ...others] = prepared.writes;
  if (!meta) throw new Error('A change has a state.');
  return {
    ...prepared,
    writes: [
      { ...meta, condition: isNew } as Write,
      ...others,
      { put: { ...contentKey(id), ...content } },
      ...change.signers.map(
        (signer): Write => ({ put: { ...signerKey(id, signer.position), ...signerItem(id, signer) } }),
      ),
      ...change.signers.map(
        (signer): Write => ({ put: { ...tokenKey(signer.accessToken), requestId: id, signerId: signer.id } }),
      ),
    ],
  };
}

export const changedFields = (before: Item, now: Item): Item =>
  Object.fromEntries(
    Object.keys(now)
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name]]),
  );

/** Only a signer's changed fields are written: counters beside them move on their own. */
function signerWrites(before: SignatureRequest, change: Change): Write[] {
  return change.signers.flatMap((signer): Write[] => {
    const old = before.signers.find((candidate) => candidate.id === signer.id);
    const set = changedFields(
      old ? signerItem(change.state.id, old) : {},
      signerItem(change.state.id, signer),
    );
    return Object.keys(set).length > 0 ? [{ update: signerKey(change.state.id, signer.position), set }] : [];
  });
}

/**
 * Writes a decision if the request still is as it was read; `ConditionFailed` where it is not.
 * `beside` goes into the same transaction (an outbox item that is done with, for one).
 */
export async function commitChange(
  table: Table,
  before: SignatureRequest,
  change: Change,
  now: Date,
  beside: Write[] = [],
): Promise<{ request: SignatureRequest; outbox: OutboxItem[] }> {
  const prepared = prepare(change, now);
  const [meta, ...others] = prepared.writes;
  if (!meta || !('put' in meta)) throw new Error('A change has a state.');
  const unchanged = { expression: '#version = :version', values: { version: before.state.version } };
  const writes = [...others, ...signerWrites(before, change), ...beside];
  if (writes.length === 0) await table.put(meta.put, unchanged);
  else await table.transact([{ ...meta, condition: unchanged }, ...writes]);
  return {
    request: { state: prepared.state, content: before.content, signers: change.signers },
    outbox: prepared.outbox,
  };
}
