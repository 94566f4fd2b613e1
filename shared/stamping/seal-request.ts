import type { SignerOnPage } from '../audit/signatures.ts';
import { hasFiles, sealed, sealFailed } from '../requests/ending.ts';
import type { SealRecord, SignatureRequest } from '../requests/model.ts';
import { addLogFields, errorFields, log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { present } from '../runtime/present.ts';
import { MINUTE } from '../runtime/time.ts';
import { SealError } from '../sealing/errors.ts';
import type { SealKey } from '../sealing/keys/port.ts';
import type { Lasting } from '../sealing/level.ts';
import { firstEnd } from '../sealing/long-term/holds-until.ts';
import { HashedOriginal } from '../sealing/original.ts';
import { seal } from '../sealing/seal.ts';
import { documentReason } from '../sealing/seal-reasons.ts';
import type { SealFacts } from '../sealing/technical.ts';
import { changeRequest } from '../store/change.ts';
import { findObject } from '../store/find-object.ts';
import { followArchive } from '../store/follow-archive.ts';
import { outboxKey } from '../store/keys.ts';
import { claimObject } from '../store/object-claims.ts';
import { evidenceKey, sealedKey } from '../store/objects.ts';
import type { OutboxItem } from '../store/outbox.ts';
import { findOwner, type Owner } from '../store/owners.ts';
import { type Changed, loadRequestWithTrail, type StoredRequest } from '../store/requests.ts';
import { type Table, tryWrite, type Write } from '../store/table.ts';
import { agreedDrawings, assertAgreedOriginal } from './agreed.ts';
import { verifyFoundSeal } from './found-seal.ts';
import { faultCode, keepFault } from './keep-fault.ts';
import { makeEvidence } from './seal-evidence.ts';
import { readRequired, type Sealing, storeFirst, verifyUrlOf } from './sealing.ts';
import { makeSignaturePage } from './signature-page.ts';
import { lastSignatureAt, signersOnPage } from './signers-on-page.ts';

/** Temporary errors are retried for this long before the seal fails. */
export const RETRY_PERIOD_MS = 70 * MINUTE;
/** Tolerated difference between an authority's clock and ours. A restore goes back further. */
const CLOCKS_DIFFER_MS = 5 * MINUTE;

interface Sealed {
  sha256: string;
  record: SealRecord;
  lasting: Lasting;
}

/** The document that the signers agreed to, their signatures, and the owner as it is now. */
interface Agreed {
  original: HashedOriginal;
  signers: readonly SignerOnPage[];
  owner: Owner | undefined;
}

async function readAgreed(sealing: Sealing, request: StoredRequest): Promise<Agreed> {
  const read = (key: string) => readRequired(sealing, key);
  const [bytes, drawings, owner] = await Promise.all([
    read(request.content.documentKey),
    agreedDrawings(read, request),
    findOwner(sealing.table, request.state.ownerId),
  ]);
  const original = new HashedOriginal(bytes);
  assertAgreedOriginal(original.sha256, request);
  const signers = await signersOnPage(async (key) => present(drawings.get(key), key), request.signers);
  return { original, signers, owner };
}

function readingKeyOnce(sealing: Sealing, { state }: StoredRequest): Sealing {
  let key: Promise<SealKey> | undefined;
  return {
    ...sealing,
    keyFor: () => {
      key ??= sealing.keyFor(state.mode);
      return key;
    },
  };
}

/** Warms the key and the authorities, which a first run needs after the files. Failures surface in the step that needs them. */
async function readAhead({ isRepeated, keyFor, anchors }: Sealing, { state }: StoredRequest): Promise<void> {
  if (!isRepeated) await Promise.allSettled([keyFor(state.mode), anchors()]);
}

/** Uses the current time zone of the owner's brand: the page that is sealed first stays anyway. */
async function signaturePage(
  sealing: Sealing,
  { state, content }: StoredRequest,
  { signers, owner }: Agreed,
): Promise<Uint8Array> {
  return makeSignaturePage({
    language: state.locale,
    test: state.mode === 'test',
    requestId: state.id,
    title: state.title,
    sender: state.ownerName,
    anchor: state.anchor,
    verifyUrl: verifyUrlOf(sealing),
    timeZone: owner?.brand?.timeZone ?? null,
    document: { filename: content.filename, sha256: content.documentSha256 },
    signers,
    createdAt: lastSignatureAt(signers) ?? state.createdAt,
  });
}

async function makeSeal(sealing: Sealing, request: StoredRequest, agreed: Agreed) {
  const { state, content } = request;
  const [page, key] = await Promise.all([
    content.alreadySigned ? undefined : signaturePage(sealing, request, agreed),
    sealing.keyFor(state.mode),
  ]);
  return seal({
    original: agreed.original,
    ...(page && { signaturePage: page }),
    key,
    timestamp: sealing.timestamp,
    longTerm: sealing.longTerm,
    now: sealing.now(),
    reason: documentReason(request.state.id),
  });
}

const sealedAs = (objectKey: string, size: number, facts: SealFacts): Sealed => ({
  sha256: facts.sha256,
  record: {
    sealedAt: facts.sealedAt,
    objectKey,
    size,
    pagesAdded: facts.pagesAdded,
    technical: { ...facts.technical },
  },
  lasting: facts.lasting,
});

/** A seal from before the last signature shows signatures that a restore of the table has undone. */
function assertAfterSignatures(sealedAt: string, signers: readonly SignerOnPage[]): void {
  const signedAt = lastSignatureAt(signers);
  if (signedAt && Date.parse(sealedAt) < Date.parse(signedAt) - CLOCKS_DIFFER_MS)
    throw new SealError('foreign_seal', 'the stored file was sealed before the last signature');
}

/** The seal that another run stored. */
async function existingSeal(
  sealing: Sealing,
  request: StoredRequest,
  { original, signers }: Agreed,
): Promise<Sealed | undefined> {
  const key = sealedKey(request.state.id);
  const bytes = await findObject(sealing, key);
  if (!bytes) return undefined;
  const expected = { original: original.bytes, reason: documentReason(request.state.id) };
  const facts = verifyFoundSeal(bytes, expected, await sealing.trustFor(request.state.mode));
  assertAfterSignatures(facts.sealedAt, signers);
  return sealedAs(key, bytes.length, facts);
}

/** Returns the first files that are stored; a later run discards its own. Without an anchor there is no evidence. */
async function sealOnce(sealing: Sealing, request: StoredRequest, agreed: Agreed) {
  const key = sealedKey(request.state.id);
  const evidenceOf = async (seal: Sealed, isStored = true) =>
    request.state.anchor
      ? makeEvidence(sealing, request, { signers: agreed.signers, seal, isStored })
      : undefined;
  const existing = () => existingSeal(sealing, request, agreed);
  const found = sealing.isRepeated && (await existing());
  if (found) return { seal: found, evidence: await (await evidenceOf(found))?.() };
  const created = await makeSeal(sealing, request, agreed);
  const own = sealedAs(key, created.bytes.length, created);
  const [first, storeEvidence] = await both(
    storeFirst(sealing, { key, pdf: created.bytes, own, existing }),
    evidenceOf(own, false),
  );
  // If another run was faster, its seal needs evidence, not ours.
  const store = first === own ? storeEvidence : await evidenceOf(first);
  return { seal: first, evidence: await store?.() };
}

/** Waits for both even if one fails, so that no work continues in the background. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/**
 * Seals a request that awaits it. Safe to repeat after an interruption and to run concurrently.
 * Returns the outbox items to send; rethrows temporary errors, so that the queue redelivers the message.
 */
export async function sealRequest(
  sealing: Sealing,
  outboxId: string,
  requestId: string,
): Promise<OutboxItem[]> {
  const readAt = sealing.now();
  const request = await loadRequestWithTrail(sealing.table, requestId);
  const done = { delete: outboxKey(outboxId) };
  if (request?.state.status !== 'awaiting_stamp') {
    await endJobFrom(readAt, sealing.table, outboxId);
    // The run that gave up may have crashed before counting it. Counting twice does no harm.
    if (request?.state.status === 'stamp_failed') measure({ SealFailures: 1 });
    // An earlier run may have crashed before this step.
    if (request) await catchUp(sealing, request);
    return [];
  }
  addLogFields({ owner_id: request.state.ownerId });
  const { stampQueuedAt, createdAt } = request.state;
  let changed: Changed | undefined;
  try {
    changed = await sealAndRecord(sealing, request, done);
  } catch (error) {
    return giveUp(sealing, request, error, done);
  }
  const outbox = changed?.outbox ?? [];
  const queuedAt = Date.parse(stampQueuedAt ?? createdAt);
  // Only the run that completes the seal has something to send.
  if (outbox.length > 0) measure({ Sealed: 1, TimeToSeal: sealing.now().getTime() - queuedAt });
  if (changed) await catchUp(sealing, changed.request);
  return outbox;
}

const isAwaited = ({ state }: SignatureRequest): boolean => state.status === 'awaiting_stamp';

async function sealAndRecord(
  sealing: Sealing,
  request: StoredRequest,
  done: Write,
): Promise<Changed | undefined> {
  const withOneKey = readingKeyOnce(sealing, request);
  const [agreed] = await Promise.all([readAgreed(sealing, request), readAhead(withOneKey, request)]);
  const { seal: made, evidence } = await sealOnce(withOneKey, request, agreed);
  const { sha256, record, lasting } = made;
  const facts = {
    record,
    documentHash: sha256,
    evidenceHash: evidence?.sha256 ?? null,
    archiveProtected: request.state.mode === 'live' && agreed.owner?.archive === true,
    holdsUntil: lasting.level === 'B-LTA' ? firstEnd(lasting.until, evidence?.holdsUntil) : null,
    baseUrl: sealing.baseUrl,
  };
  return changeRequest(
    sealing,
    request.state.id,
    (current, now) => (isAwaited(current) ? sealed(current, facts, now) : undefined),
    { known: request, extraWrites: [done] },
  );
}

/** Rethrows the error while a retry may help; throws a StampFailed if this run gives the seal up. */
async function giveUp(
  sealing: Sealing,
  request: StoredRequest,
  error: unknown,
  done: Write,
): Promise<OutboxItem[]> {
  const { id, stampQueuedAt } = request.state;
  const failsSince = await keepFault(sealing, request, error);
  const isPermanent = error instanceof SealError && error.permanent;
  if (!isPermanent && sealing.now().getTime() - failsSince.getTime() < RETRY_PERIOD_MS) throw error;
  const code = faultCode(error);
  const givenUp = await changeRequest(
    sealing,
    id,
    (current, now) =>
      // A seal that was queued again meanwhile gets its whole time again.
      isAwaited(current) && current.state.stampQueuedAt === stampQueuedAt
        ? sealFailed(current, { code }, now)
        : undefined,
    { extraWrites: [done] },
  );
  const effects = givenUp?.outbox ?? [];
  if (effects.length > 0) {
    measure({ SealFailures: 1 });
    throw new StampFailed(id, code, error, effects);
  }
  log.warn('A failed run gives nothing up: its seal is done, given up or queued again', errorFields(error));
  if (givenUp) await catchUp(sealing, givenUp.request);
  return [];
}

/** Applies changes that were made while the seal was under way: archive switches and purges. */
async function catchUp({ table, now }: Sealing, { state }: SignatureRequest): Promise<void> {
  // A command may have switched the archive before the seal was recorded.
  await followArchive(table, { ownerId: state.ownerId, applied: state.archiveProtected }, [state.id], now);
  // This run may have stored its files after a purge had removed those of a faster run.
  if (hasFiles(state, now())) return;
  for (const key of [sealedKey(state.id), evidenceKey(state.id)]) await claimObject(table, key, now());
}

/** Deletes a job that has nothing to do, unless an operator queued it after the request was read. */
async function endJobFrom(readAt: Date, table: Table, outboxId: string): Promise<void> {
  const isFromBefore = {
    expression: 'attribute_not_exists(#createdAt) OR #createdAt <= :readAt',
    values: { readAt: readAt.toISOString() },
  };
  await tryWrite(table.delete(outboxKey(outboxId), isFromBefore));
}

/** Thrown when the seal fails for good; an operator has to fix the cause. */
export class StampFailed extends Error {
  override name = 'StampFailed';
  readonly code: string;
  /** Effects of the failure, to be dispatched. */
  readonly outbox: OutboxItem[];

  constructor(requestId: string, code: string, cause: unknown, outbox: OutboxItem[]) {
    super(`The seal of ${requestId} was given up: ${code}`, { cause });
    this.code = code;
    this.outbox = outbox;
  }
}
