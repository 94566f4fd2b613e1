import type { S3Client } from '@aws-sdk/client-s3';
import type { SignatureRequest } from '../requests/model.ts';
import { log } from '../runtime/log.ts';
import { beginRemoval, endRemoval } from '../store/object-claims.ts';
import { evidenceKey, renewedFiles, requestIdOfObject, sealedKey } from '../store/objects.ts';
import { removeObjects } from '../store/remove-objects.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { type JobOutcome, processDue, type TimeBudget } from './due.ts';

/** Sealed files count as used until the purge, even if unrecorded: a seal job takes over those that it finds. */
const refersTo = ({ state, content, signers }: SignatureRequest, key: string): boolean =>
  !state.purgedAt &&
  (content.documentKey === key ||
    signers.some(({ signature }) => signature?.value === key) ||
    [sealedKey(state.id), evidenceKey(state.id), ...renewedFiles(state)].includes(key));

/**
 * Removes objects that no request refers to: originals of interrupted creates, images of refused signatures, files of
 * interrupted renewals, and after the purge the files of a seal run that lost to another one.
 */
export const sweepOrphans = (
  table: Table,
  s3: S3Client,
  bucket: string,
  time: TimeBudget,
): Promise<JobOutcome> =>
  processDue(table, 'ORPHAN', time, async ({ id, due_sk }) => {
    const key = String(id);
    if (!(await beginRemoval(table, key, String(due_sk), time.now()))) return false;
    const request = await loadRequest(table, requestIdOfObject(key));
    // A repeated call claims an object that the first one has put into use.
    const isUsed = request !== undefined && refersTo(request, key);
    if (!isUsed) {
      await removeObjects(s3, bucket, key);
      log.info('Removed an object that no request refers to', {
        signature_request_id: requestIdOfObject(key),
      });
    }
    await endRemoval(table, key);
    return !isUsed;
  });
