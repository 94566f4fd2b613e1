import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { isDeletionAsked, isPurgeDue, protectExisting, purged } from '../../shared/requests/ending.ts';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { followArchive } from '../../shared/store/follow-archive.ts';
import type { Item } from '../../shared/store/items.ts';
import { requestObjects, sealedDocumentOf, sealedEvidenceOf } from '../../shared/store/objects.ts';
import { findOwner } from '../../shared/store/owners.ts';
import { removeObjects } from '../../shared/store/remove-objects.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { runJob } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const { s3, bucket } = configuredDocuments(JOB_CLIENT_SETTINGS);

/** False if an interrupted purge has removed a file. A file that somebody deleted or replaced still has a version. */
async function hasFiles({ state, content }: SignatureRequest): Promise<boolean> {
  const recorded = [sealedDocumentOf(state), sealedEvidenceOf(state)].flatMap((file) => file?.key ?? []);
  const kept = await Promise.all([content.documentKey, ...recorded].map(hasVersion));
  return kept.every(Boolean);
}

async function hasVersion(Prefix: string): Promise<boolean> {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix }));
  return Versions.length > 0;
}

async function isKept(request: SignatureRequest): Promise<boolean> {
  const { state } = request;
  if (state.mode !== 'live' || isDeletionAsked(state)) return false;
  const owner = await findOwner(table, state.ownerId);
  return owner?.archive === true && hasFiles(request);
}

/**
 * Deletes the objects of a request whose retention is over, unless its owner's archive protects it now. A deletion that the
 * owner asked for, or that a run began, is completed either way.
 */
async function purge(item: Item, now: () => Date): Promise<boolean> {
  const id = String(item.id);
  const request = await loadRequest(table, id);
  if (!request || !isPurgeDue(request.state, now())) return false;
  if (await isKept(request)) {
    const keep = (current: SignatureRequest, time: Date) => protectExisting(current, true, time);
    await changeRequest({ table, now }, id, keep, { known: request });
    // The archive may have been switched off meanwhile, by a command that saw this request before it was protected.
    await followArchive(table, { ownerId: request.state.ownerId, applied: true }, [id], now);
    return false;
  }
  // Delete the objects first: after a crash the request is still due, and the next run deletes the rest.
  await removeObjects(s3, bucket, requestObjects(id));
  let purgedHere = false;
  await changeRequest({ table, now }, id, (current, time) => {
    // Protection that has just begun took the date away, but the objects are gone.
    const purgeAt = current.state.purgeAt ?? request.state.purgeAt;
    const change = purged({ ...current, state: { ...current.state, purgeAt } }, time);
    purgedHere = change !== undefined;
    return change;
  });
  return purgedHere;
}

export const handler = runJob({ table, name: 'purge', kind: 'PURGE', work: purge });
