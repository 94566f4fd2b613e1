import { ListObjectVersionsCommand, type ObjectVersion, type S3Client } from '@aws-sdk/client-s3';
import { MODES } from '../shared/contract/fields.ts';
import { hasFiles } from '../shared/requests/ending.ts';
import { isActive } from '../shared/requests/lifecycle.ts';
import type { SignatureRequest } from '../shared/requests/model.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { HOUR } from '../shared/runtime/time.ts';
import { damageIn } from '../shared/store/items.ts';
import {
  evidenceKey,
  renewedFiles,
  requestIdOfObject,
  requestObjects,
  sealedKey,
} from '../shared/store/objects.ts';
import { listOwners } from '../shared/store/owners.ts';
import { loadRequest } from '../shared/store/requests.ts';
import { command } from './command.ts';
import { listingPages } from './listing-pages.ts';
import { documentsOf, type Operator } from './operator.ts';
import { Progress } from './progress.ts';

/** A create that is under way has stored its document before its request. */
const UNFINISHED = HOUR;

/** The stored objects of one request. */
interface Files {
  requestId: string;
  current: Set<string>;
  /** Hidden by a delete marker, with a version below it. */
  restorable: Set<string>;
  newest: number;
}

interface Missing {
  request_id: string;
  status: string;
  missing: { key: string; restorable: boolean }[];
}

/** A purge removes files before it records that. */
function neededBy({ state, content, signers }: SignatureRequest, now: Date): string[] {
  if (!hasFiles(state, now)) return [];
  return [
    content.documentKey,
    ...signers.flatMap(({ signature }) => (signature?.type === 'drawn' ? (signature.value ?? []) : [])),
    ...(state.status === 'signed' ? [sealedKey(state.id)] : []),
    ...(state.evidenceHash ? [evidenceKey(state.id)] : []),
    ...renewedFiles(state),
  ];
}

/** The files of every request that has any. A listing is in the order of keys, so those of a request stand together. */
async function* storedFiles(s3: S3Client, bucket: string, prefix = 'requests/'): AsyncGenerator<Files> {
  let files: Files | undefined;
  for await (const { Key = '', IsLatest, LastModified, isDeleted } of storedVersions(s3, bucket, prefix)) {
    const requestId = requestIdOfObject(Key);
    if (files?.requestId !== requestId) {
      if (files) yield files;
      files = { requestId, current: new Set(), restorable: new Set(), newest: 0 };
    }
    if (IsLatest) files.current.add(Key);
    else if (isDeleted) files.restorable.add(Key);
    files.newest = Math.max(files.newest, LastModified?.getTime() ?? 0);
  }
  if (files) yield files;
}

/** `isDeleted`: under a delete marker. */
async function* storedVersions(
  s3: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<ObjectVersion & { isDeleted: boolean }> {
  // A page may end between a delete marker and the versions below it.
  const deleted = new Set<string | undefined>();
  let from: { KeyMarker?: string; VersionIdMarker?: string } | undefined;
  do {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...from }));
    for (const { Key, IsLatest } of page.DeleteMarkers ?? []) if (IsLatest) deleted.add(Key);
    for (const version of page.Versions ?? []) yield { ...version, isDeleted: deleted.has(version.Key) };
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = IsTruncated && KeyMarker ? { KeyMarker, ...(VersionIdMarker && { VersionIdMarker }) } : undefined;
  } while (from);
}

/** The ids of all requests, owner by owner. */
async function* requestIds({ table }: Operator): AsyncGenerator<string> {
  for (const { id } of await listOwners(table))
    for (const mode of MODES)
      for await (const items of listingPages(table, id, mode))
        for (const item of items) yield String(item.id);
}

const AT_ONCE = 500;

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Compares table and bucket, which are restored separately. Changes nothing. */
async function reconcile(operator: Operator) {
  const { table, now } = operator;
  const { s3, bucket } = documentsOf(operator);
  const seen = new Set<string>();
  const incomplete: Missing[] = [];
  const strays: { request_id: string; keys: string[] }[] = [];
  const early: { request_id: string; status: string; keys: string[] }[] = [];
  const damaged: { request_id: string; damage: string }[] = [];
  using progress = new Progress('Comparing requests with their files');

  const missingIn = (files: Files | undefined, request: SignatureRequest) =>
    neededBy(request, now()).filter((key) => !files?.current.has(key));

  /** The service keeps running: what a listing lacks may have been stored after it, or purged since the request was read. */
  const compare = async (request: SignatureRequest, listed: Files | undefined) => {
    progress.add();
    if (missingIn(listed, request).length === 0) return;
    const { id } = request.state;
    const [files] = await Array.fromAsync(storedFiles(s3, bucket, requestObjects(id)));
    if (missingIn(files, request).length === 0) return;
    const current = await loadRequest(table, id);
    if (!current) return;
    const missing = missingIn(files, request).filter((key) => neededBy(current, now()).includes(key));
    if (missing.length > 0)
      incomplete.push({
        request_id: id,
        status: current.state.status,
        missing: missing.map((key) => ({ key, restorable: files?.restorable.has(key) ?? false })),
      });
  };

  /** A seal job takes files that it finds for its own: those of signatures that a restore took back must not be there. */
  const findEarlySeal = ({ state }: SignatureRequest, { current }: Files) => {
    const keys = [sealedKey(state.id), evidenceKey(state.id)].filter((key) => current.has(key));
    if (isActive(state) && keys.length > 0) early.push({ request_id: state.id, status: state.status, keys });
  };

  const check = async (requestId: string, files: Files | undefined) => {
    const request = await loadRequest(table, requestId);
    if (request) {
      if (files) findEarlySeal(request, files);
      await compare(request, files);
    } else if (files && files.current.size > 0 && now().getTime() - files.newest > UNFINISHED)
      strays.push({ request_id: requestId, keys: [...files.current] });
  };
  const checkIfWhole = async (requestId: string, files?: Files) => {
    try {
      await check(requestId, files);
    } catch (error) {
      damaged.push({ request_id: requestId, damage: damageIn(error) });
    }
  };

  for await (const batch of batches(storedFiles(s3, bucket)))
    await inParallel(batch, async (files) => {
      seen.add(files.requestId);
      await checkIfWhole(files.requestId, files);
    });
  for await (const batch of batches(requestIds(operator)))
    await inParallel(batch, async (id) => {
      if (!seen.has(id)) await checkIfWhole(id);
    });
  return {
    consistent: [...incomplete, ...strays, ...early, ...damaged].length === 0,
    requests_without_files: incomplete,
    files_without_request: strays,
    seals_without_signatures: early,
    damaged_requests: damaged,
  };
}

export const reconcileCommands = [
  command({
    name: 'reconcile',
    summary: 'Compare all requests with the stored files, for example after a restore; changes nothing',
    run: async (_input, operator) => {
      const report = await reconcile(operator);
      if (!report.consistent) operator.terminal.badNews();
      return report;
    },
  }),
];
