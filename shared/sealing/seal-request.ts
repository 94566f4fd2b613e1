import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { sealed, sealFailed } from '../requests/ending.ts';
import type { SealRecord, SignatureRequest } from '../requests/model.ts';
import { MINUTE } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { outboxKey, ownerKey, sha256Hex } from '../store/keys.ts';
import { sealedKey } from '../store/objects.ts';
import type { OutboxItem } from '../store/outbox.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { SealError } from './errors.ts';
import type { SealKey } from './keys/port.ts';
import { makeSignaturePage } from './page/signature-page.ts';
import { seal } from './seal.ts';
import { signersOnPage } from './signers-on-page.ts';
import type { Timestamper } from './timestamp.ts';

/** How long passing faults are tried again before the seal is given up. */
export const KEEP_TRYING = 70 * MINUTE;

export interface Sealing {
  table: Table;
  s3: S3Client;
  bucket: string;
  baseUrl: string;
  /** Live and test requests are sealed by different certificates. */
  keyFor: (mode: 'live' | 'test') => Promise<SealKey>;
  timestamp: Timestamper;
  now: () => Date;
}

interface Sealed {
  sha256: string;
  record: SealRecord;
}

async function readObject({ s3, bucket }: Sealing, key: string) {
  const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The object ${key} is empty.`);
  return { bytes: await Body.transformToByteArray(), metadata: Metadata ?? {} };
}

async function readOriginal(sealing: Sealing, key: string): Promise<Uint8Array> {
  try {
    return (await readObject(sealing, key)).bytes;
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey')
      throw new SealError('original_unsealable', true, 'the original is gone');
    throw error;
  }
}

async function signaturePage(
  sealing: Sealing,
  { state, content, signers }: SignatureRequest,
): Promise<Uint8Array> {
  const onPage = await signersOnPage(async (key) => (await readObject(sealing, key)).bytes, signers);
  return makeSignaturePage({
    language: state.locale,
    test: state.mode === 'test',
    requestId: state.id,
    title: state.title,
    document: { filename: content.filename, sha256: content.documentSha256 },
    signers: onPage,
    createdAt:
      onPage
        .map(({ signedAt }) => signedAt)
        .sort()
        .at(-1) ?? state.createdAt,
  });
}

async function makeSeal(sealing: Sealing, request: SignatureRequest) {
  const { state, content } = request;
  const [original, key] = await Promise.all([
    readOriginal(sealing, content.documentKey),
    sealing.keyFor(state.mode),
  ]);
  const page = content.alreadySigned ? undefined : await signaturePage(sealing, request);
  return seal({
    original,
    ...(page && { signaturePage: page }),
    key,
    timestamp: sealing.timestamp,
    now: sealing.now(),
    name: 'Signature requests',
    reason: `All signers of request ${state.id} have signed`,
  });
}

/** Facts about the seal travel with the object, so that a second run that finds the object knows all the first one knew. */
const encodeFacts = (record: SealRecord) => Buffer.from(JSON.stringify(record)).toString('base64url');
const decodeFacts = (text: string) =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as SealRecord;

async function existingSeal(sealing: Sealing, key: string): Promise<Sealed | undefined> {
  try {
    const { bytes, metadata } = await readObject(sealing, key);
    return { sha256: sha256Hex(bytes), record: decodeFacts(metadata.seal ?? '') };
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** The first seal that is stored is the document; whoever comes second takes that one, whatever it made itself. */
async function sealOnce(sealing: Sealing, request: SignatureRequest): Promise<Sealed> {
  const key = sealedKey(request.state.id);
  const existing = await existingSeal(sealing, key);
  if (existing) return existing;
  const made = await makeSeal(sealing, request);
  const record: SealRecord = {
    sealedAt: made.sealedAt,
    objectKey: key,
    size: made.bytes.length,
    pagesAdded: made.pagesAdded,
    technical: { ...made.technical },
  };
  try {
    await sealing.s3.send(
      new PutObjectCommand({
        Bucket: sealing.bucket,
        Key: key,
        Body: made.bytes,
        ContentType: 'application/pdf',
        IfNoneMatch: '*',
        Metadata: { seal: encodeFacts(record) },
      }),
    );
    return { sha256: made.sha256, record };
  } catch (error) {
    const lost =
      error instanceof Error &&
      (error.name === 'PreconditionFailed' || error.name === 'ConditionalRequestConflict');
    const theirs = lost ? await existingSeal(sealing, key) : undefined;
    if (!theirs) throw error;
    return theirs;
  }
}

/**
 * Seals a request that waits for it, and ends the wait. Safe to run twice at any point and side by side.
 * Gives what is to be sent on; throws what may pass, so that the message comes again.
 */
export async function sealRequest(
  sealing: Sealing,
  outboxId: string,
  requestId: string,
): Promise<OutboxItem[]> {
  const request = await loadRequest(sealing.table, requestId);
  const done = { delete: outboxKey(outboxId) };
  if (request?.state.status !== 'awaiting_stamp') {
    await sealing.table.delete(done.delete);
    return [];
  }
  const ifWaiting = <T>(current: SignatureRequest, change: () => T) =>
    current.state.status === 'awaiting_stamp' ? change() : undefined;
  try {
    const { sha256, record } = await sealOnce(sealing, request);
    const owner = await sealing.table.get(ownerKey(request.state.ownerId));
    const archiveProtected = request.state.mode === 'live' && owner?.archive === true;
    const changed = await changeRequest(
      sealing.table,
      requestId,
      (current, now) =>
        ifWaiting(current, () =>
          sealed(current, { record, documentHash: sha256, archiveProtected, baseUrl: sealing.baseUrl }, now),
        ),
      sealing.now,
      { known: request, beside: [done] },
    );
    return changed?.outbox ?? [];
  } catch (error) {
    const waitedSince = Date.parse(request.state.stampQueuedAt ?? request.state.createdAt);
    const hopeless = error instanceof SealError && error.permanent;
    if (!hopeless && sealing.now().getTime() - waitedSince < KEEP_TRYING) throw error;
    const code = error instanceof SealError ? error.code : 'storage_unavailable';
    await changeRequest(
      sealing.table,
      requestId,
      (current, now) => ifWaiting(current, () => sealFailed(current, { code }, now)),
      sealing.now,
      { beside: [done] },
    );
    throw new StampFailed(requestId, code, error);
  }
}

/** The seal was given up: alarmed, and an operator's to put right. */
export class StampFailed extends Error {
  readonly code: string;

  constructor(requestId: string, code: string, cause: unknown) {
    super(`The seal of ${requestId} was given up: ${code}`, { cause });
    this.name = 'StampFailed';
    this.code = code;
  }
}
