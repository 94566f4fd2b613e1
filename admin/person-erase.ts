import { type AuditEvent, auditEvent } from '../shared/requests/chain.ts';
import { deletionRequested, purged } from '../shared/requests/ending.ts';
import { erasePerson, withoutErased, withoutPerson } from '../shared/requests/erasing.ts';
import { addressesOf } from '../shared/requests/link-holders.ts';
import type { RequestState } from '../shared/requests/model.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { changeRequest } from '../shared/store/change.ts';
import { forgetBody } from '../shared/store/deliveries.ts';
import { damageIn, parseItem } from '../shared/store/items.ts';
import { auditKey, formerSignerKey, type Key, outboxKey, tokenKey } from '../shared/store/keys.ts';
import { requestObjects } from '../shared/store/objects.ts';
import { removeObjects } from '../shared/store/remove-objects.ts';
import { loadRequest, loadRequestWithTrail, type StoredRequest } from '../shared/store/requests.ts';
import { retryOnConflict } from '../shared/store/retry-on-conflict.ts';
import { findSignerRequests, type SignerRequest } from '../shared/store/signer-requests.ts';
import { holds, type Table } from '../shared/store/table.ts';
import { AUDIT_TEXTS } from '../shared/texts/languages.ts';
import { allPending } from '../shared/work/due.ts';
import { documentsOf, type Operator } from './operator.ts';
import { accountsOf, requestsOf } from './person-export.ts';
import { Progress } from './progress.ts';
import { confirm } from './terminal.ts';
import { eraseUser } from './user-erase.ts';

/** Erases a signer from one request after the other. The look-up goes last, so that a run that died is resumed. */

interface Choice {
  /** Removes files that still exist. */
  purge: boolean;
}

/** Asks before files are removed that other signers and the senders may still need. */
export async function confirmPurge(
  email: string,
  yes: boolean,
  { table, terminal }: Operator,
): Promise<void> {
  const found = await findSignerRequests(table, email);
  let withFiles = 0;
  await inParallel(found, async ({ requestId }) => {
    // A damaged one keeps its files.
    const request = await loadRequest(table, requestId).catch((error) => void damageIn(error));
    if (request?.state.endedAt && !request.state.purgedAt) withFiles += 1;
  });
  if (withFiles === 0) return;
  await confirm(
    terminal,
    `The files of ended requests to ${email} (${withFiles}) will be removed for good, for their senders and all their signers.`,
    yes,
  );
}

export async function erasePersonalData(email: string, choice: Choice, operator: Operator) {
  const erased: string[] = [];
  const refused: { request_id: string; reason: string }[] = [];
  const { current, former } = await requestsOf(email, operator.table);
  using progress = new Progress('Erasing from requests', current.length);
  for (const found of current) {
    const reason = await eraseFrom(found, choice, operator).catch(whyDamaged);
    if (reason === undefined) erased.push(found.requestId);
    else refused.push({ request_id: found.requestId, reason });
    progress.add();
  }
  for (const { requestId } of former)
    refused.push({ request_id: requestId, reason: whyNotFormer(requestId) });
  const kept = [];
  for (const account of await accountsOf(email, operator)) {
    const reason = await eraseUser(account.user_id, operator);
    if (reason) kept.push({ ...account, reason });
  }
  return {
    complete: refused.length === 0 && kept.length === 0,
    erased,
    refused,
    accounts_kept: kept,
  };
}

/** Returns the reason if the request may not be touched. */
async function eraseFrom(
  found: SignerRequest,
  { purge }: Choice,
  operator: Operator,
): Promise<string | undefined> {
  const { table } = operator;
  const request = await loadRequestWithTrail(table, found.requestId);
  if (request) {
    const refusal = whyNot(request.state, purge);
    if (refusal) return refusal;
    if (!request.state.purgedAt) await purgeNow(found.requestId, operator);
    await eraseRecord(request, found.signerId, operator);
    await eraseEvents(found, table);
    const unreadable = await eraseOutbox(found.requestId, table);
    await eraseUnderWay(found.requestId, table);
    await eraseDelivered(found.requestId, table);
    if (unreadable.length > 0) return whyNotWhole(unreadable);
  }
  await table.delete({ pk: found.pk, sk: found.sk });
  return undefined;
}

function whyNot(state: RequestState, purge: boolean): string | undefined {
  const { id, status, endedAt, purgedAt, purgeAt } = state;
  if (!endedAt) {
    if (status === 'awaiting_stamp') return 'It waits for its seal; erase again once it is sealed.';
    if (status === 'stamp_failed')
      return `Its seal failed; mend the cause (docs/runbook.md#stamp-failures), queue it again with "request restamp ${id}", then erase again.`;
    return `It is running; wait for its end, or cancel it with "request cancel ${id}", then erase again.`;
  }
  if (purgedAt || purge) return undefined;
  return purgeAt
    ? `Its files stay until ${purgeAt}; erase again then, or remove them now with --purge.`
    : 'Its files are in its owner’s archive; remove them now with --purge.';
}

const whyNotWhole = (unreadable: readonly string[]): string =>
  `A webhook event that still waits cannot be read; all else is erased. Mend or delete ${unreadable.join(', ')} in the table, then erase again.`;

const whyDamaged = (error: unknown): string => `${damageIn(error)} Mend it in the table, then erase again.`;

/** The signer may be another person since, who has signed: what is held of both is one record. */
const whyNotFormer = (id: string): string =>
  `The sender corrected this address, and its data is held with the signer. If the signer may be erased, do so by the address that "request show ${id}" shows now.`;

/** Once they are asked for, the purge job removes the files if this run dies, and the sweep what a late run of the seal stores. */
async function purgeNow(id: string, operator: Operator): Promise<void> {
  const { table, now } = operator;
  const { s3, bucket } = documentsOf(operator);
  const by = { archive: false, actor: 'operator' } as const;
  await changeRequest({ table, now }, id, (request, time) => deletionRequested(request, by, time));
  await removeObjects(s3, bucket, requestObjects(id));
  await changeRequest({ table, now }, id, (request, time) => purged(request, time, by.actor));
}

/** Leaves room for the record itself: a transaction holds at most 100 writes. */
const MOST_LOOK_UPS = 90;

/**
 * The link and the look-ups by former addresses, which nothing names afterwards, go in the same transaction; of a signer
 * who was corrected more often than that holds, the others go before.
 */
async function eraseRecord(request: StoredRequest, signerId: string, { table, now }: Operator) {
  const { state, signers, events } = request;
  const signer = signers.find(({ id }) => id === signerId);
  if (!signer || signer.erasedAt) return;
  const lookUps = addressesOf(signer, events).map((email) => formerSignerKey(email, state.id, signerId));
  await inParallel(lookUps.slice(MOST_LOOK_UPS), (key) => table.delete(key));
  const by = { signerId, shownAs: AUDIT_TEXTS[state.locale].signer.erased };
  await changeRequest({ table, now }, state.id, (current, time) => erasePerson(current, by, time), {
    extraWrites: [tokenKey(signer.accessToken), ...lookUps.slice(0, MOST_LOOK_UPS)].map((key) => ({
      delete: key,
    })),
  });
}

async function eraseEvents({ requestId, signerId }: SignerRequest, table: Table): Promise<void> {
  const { events = [] } = (await loadRequestWithTrail(table, requestId)) ?? {};
  await inParallel(events, (event) => eraseEvent(table, requestId, event, signerId));
}

/** Bodies of deliveries whose outcome is not known. Read before the trail, which names a delivery from its outcome on. */
const eraseUnderWay = async (requestId: string, table: Table): Promise<void> =>
  inParallel(await allPending(table, 'DELIVERY'), async ({ pk, sk }) => {
    const attempt = await readUnchecked(table, { pk: String(pk), sk: String(sk) });
    if (attempt?.requestId === requestId)
      await forgetBody(table, String(attempt.eventId), String(attempt.endpointId));
  });

/** Bodies of webhook events that were delivered; the trail names the deliveries. */
async function eraseDelivered(requestId: string, table: Table): Promise<void> {
  const { events = [] } = (await loadRequestWithTrail(table, requestId)) ?? {};
  await inParallel(events, async ({ details: { event_id, endpoint_id } }) => {
    if (typeof event_id === 'string' && typeof endpoint_id === 'string')
      await forgetBody(table, event_id, endpoint_id);
  });
}

/** One event holds everyone who was invited, and two people may be erased at once. */
const eraseEvent = (table: Table, requestId: string, known: AuditEvent, signerId: string): Promise<void> =>
  retryOnConflict(async (attempt) => {
    const key = auditKey(requestId, known.sequence);
    const item = attempt > 1 && (await table.get(key, { consistent: true }));
    const event = item ? parseItem(auditEvent, item) : known;
    const erased = withoutPerson(event, signerId);
    if (!erased) return;
    const { ipAddress, userAgent, details, salts } = erased;
    await table.update(key, { ipAddress, userAgent, details, salts }, holds({ details: event.details }));
  });

/**
 * Webhook events that were not sent yet. Those already in a queue lose the values when they are delivered. Returns the keys of
 * those that cannot be read.
 */
async function eraseOutbox(requestId: string, table: Table): Promise<string[]> {
  const unreadable: string[] = [];
  await inParallel(await allPending(table, 'OUTBOX'), async ({ id }) => {
    const key = outboxKey(String(id));
    try {
      await eraseWaitingEvent(table, requestId, key);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unreadable.push(key.pk);
    }
  });
  return unreadable;
}

const eraseWaitingEvent = (table: Table, requestId: string, key: Key): Promise<void> =>
  retryOnConflict(async () => {
    const item = await readUnchecked(table, key);
    if (item?.kind !== 'event' || item.requestId !== requestId) return;
    const request = await loadRequest(table, requestId);
    const body = request ? withoutErased(String(item.body), request) : item.body;
    if (body !== item.body) await table.update(key, { body }, holds({ body: item.body }));
  });

/** One item that is damaged, or of a later version, must not keep the others from being erased. */
const readUnchecked = (table: Table, key: Key) => table.get(key, { consistent: true });
