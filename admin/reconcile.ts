import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import type { SignatureRequest } from '../shared/requests/model.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { HOUR } from '../shared/runtime/time.ts';
import type { Item } from '../shared/store/items.ts';
import { BY_OWNER, ownerListing } from '../shared/store/keys.ts';
import { evidenceKey, renewedFiles, requestIdOf, sealedKey } from '../shared/store/objects.ts';
import { listOwners } from '../shared/store/owners.ts';
import { loadRequest } from '../shared/store/requests.ts';
import { command } from './command.ts';
import type { Operator } from './operator.ts';
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

function neededBy({ state, content, signers }: SignatureRequest): string[] {
  if (state.purgedAt) return [];
  return [
    content.documentKey,
    ...signers.flatMap(({ signature }) => (signature?.type === 'drawn' ? (signature.value ?? []) : [])),
    ...(state.status === 'signed' ? [sealedKey(state.id)] : []),
    ...(state.evidenceHash ? [evidenceKey(state.id)] : []),
    ...renewedFiles(state),
  ];
}

/** The files of every request that has any. A listing is in the order of keys, so those of a request stand together. */
async function* storedFiles(s3: S3Client, bucket: string): AsyncGenerator<Files> {
  let files: Files | undefined;
  // A page may end between a delete marker and the versions below it.
  const deleted = new Set<string | undefined>();
  let marker: { KeyMarker?: string; VersionIdMarker?: string } | undefined;
  do {
    const page = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: 'requests/', ...marker }),
    );
    for (const { Key, IsLatest } of page.DeleteMarkers ?? []) if (IsLatest) deleted.add(Key);
    for (const { Key = '', IsLatest, LastModified } of page.Versions ?? []) {
      const requestId = requestIdOf(Key);
      if (files?.requestId !== requestId) {
        if (files) yield files;
        files = { requestId, current: new Set(), restorable: new Set(), newest: 0 };
      }
      if (IsLatest) files.current.add(Key);
      else if (deleted.has(Key)) files.restorable.add(Key);
      files.newest = Math.max(files.newest, LastModified?.getTime() ?? 0);
    }
    marker =
      page.IsTruncated && page.NextKeyMarker
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextVersionIdMarker && { VersionIdMarker: page.NextVersionIdMarker }),
          }
        : undefined;
  } while (marker);
  if (files) yield files;
}

/** The ids of all requests, owner by owner. */
async function* requestIds({ table }: Operator): AsyncGenerator<string> {
  for (const { id } of await listOwners(table))
    for (const mode of ['live', 'test'] as const) {
      let startAfter: Item | undefined;
      do {
        const page = await table.query({
          index: BY_OWNER,
          pk: ownerListing(id, mode),
          ...(startAfter && { startAfter }),
        });
        for (const item of page.items) yield String(item.id);
        startAfter = page.next;
      } while (startAfter);
    }
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
  const { table, clients, output, now } = operator;
  const s3 = new S3Client({ ...clients, forcePathStyle: true });
  const seen = new Set<string>();
  const incomplete: Missing[] = [];
  const strays: { request_id: string; keys: string[] }[] = [];
  const progress = new Progress('Comparing requests with their files');

  const compare = (request: SignatureRequest, files: Files | undefined) => {
    const missing = neededBy(request)
      .filter((key) => !files?.current.has(key))
      .map((key) => ({ key, restorable: files?.restorable.has(key) ?? false }));
    if (missing.length > 0)
      incomplete.push({ request_id: request.state.id, status: request.state.status, missing });
    progress.add();
  };

  for await (const batch of batches(storedFiles(s3, output('DocumentsBucket'))))
    await inParallel(batch, async (files) => {
      const { requestId, current, newest } = files;
      seen.add(requestId);
      const request = await loadRequest(table, requestId);
      if (request) compare(request, files);
      else if (current.size > 0 && now().getTime() - newest > UNFINISHED)
        strays.push({ request_id: requestId, keys: [...current] });
    });
  for await (const batch of batches(requestIds(operator)))
    await inParallel(batch, async (id) => {
      if (seen.has(id)) return;
      const request = await loadRequest(table, id);
      if (request) compare(request, undefined);
    });
  progress.end();
  return {
    consistent: incomplete.length === 0 && strays.length === 0,
    requests_without_files: incomplete,
    files_without_request: strays,
  };
}

export const reconcileCommands = [
  command({
    name: 'reconcile',
    summary: 'Compare all requests with the stored files, for example after a restore; changes nothing',
    args: [],
    options: {},
    run: (_input, operator) => reconcile(operator),
  }),
];
