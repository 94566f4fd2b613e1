import type { Actor } from '../contract/fields.ts';
import type { RequestState } from '../requests/model.ts';
import {
  filesRenewed,
  isArchived,
  isRenewalDue,
  overdueAt,
  type RenewedFiles,
  renewalFailed,
  renewalsOf,
} from '../requests/renewing.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { log } from '../runtime/log.ts';
import { present } from '../runtime/present.ts';
import { SealError } from '../sealing/errors.ts';
import { firstEnd, holdsUntil } from '../sealing/long-term/holds-until.ts';
import { type Renewal, renew } from '../sealing/long-term/renew.ts';
import { PdfRefusal } from '../sealing/pdf/refusal.ts';
import { changeRequest } from '../store/change.ts';
import type { Bucket } from '../store/find-object.ts';
import { claimObject, useClaimWrite } from '../store/object-claims.ts';
import { archivalDocumentOf, archivalEvidenceOf, renewedKey, type StoredFile } from '../store/objects.ts';
import { putOnce } from '../store/put-once.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { readRequired } from './sealing.ts';

/** The name under which the runs for archived files are reported. */
export const RENEWALS_JOB = 'renew-archived';

export interface Renewing extends Bucket, Renewal {
  table: Table;
  now: () => Date;
}

export interface Attempt {
  /** False if there was nothing to renew, or another run was first. */
  renewed: boolean;
  /** The reason that it failed; the renewal stays due. */
  fault: string | null;
  /** Half of the time between due date and end is over, and it is not done. */
  overdue: boolean;
}

const NOTHING: Attempt = { renewed: false, fault: null, overdue: false };

/** Renews a request's files if they are due, by the scheduled job. */
export async function renewIfDue(renewing: Renewing, requestId: string): Promise<Attempt> {
  const request = await loadRequest(renewing.table, requestId);
  if (!request || !isArchived(request.state)) return NOTHING;
  if (isRenewalDue(request.state, renewing.now())) return attempt(renewing, request.state, 'service');
  return { ...NOTHING, overdue: isOverdue(request.state, renewing.now()) };
}

/** Renews a request's files before they are due, and at once after failures; undefined if nothing is to be renewed. */
export async function renewNow(renewing: Renewing, requestId: string): Promise<Attempt | undefined> {
  const request = await loadRequest(renewing.table, requestId);
  return request && isArchived(request.state) ? attempt(renewing, request.state, 'operator') : undefined;
}

const isOverdue = ({ renewal }: RequestState, now: Date): boolean =>
  renewal !== null && overdueAt(renewal) <= now.toISOString();

/**
 * Stores the renewed files and records them in one transaction. Concurrent runs store different files: the first to record its
 * own wins, and the sweep removes the others, as it does the files of a crashed run.
 */
async function attempt(renewing: Renewing, state: RequestState, actor: Actor): Promise<Attempt> {
  const renewals = renewalsOf(state);
  try {
    const { files, keys } = await renewFiles(renewing, state);
    let isRecorded = false;
    await changeRequest(
      renewing,
      state.id,
      (current, time) => {
        const change = filesRenewed(current, { renewals, files, actor }, time);
        isRecorded = change !== undefined;
        return change;
      },
      { extraWrites: keys.map(useClaimWrite) },
    );
    return { ...NOTHING, renewed: isRecorded };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    log.warn('Files could not be renewed', { signature_request_id: state.id, fault });
    const failed = await changeRequest(renewing, state.id, (current, time) =>
      renewalFailed(current, { renewals, fault }, time),
    );
    return { renewed: false, fault, overdue: isOverdue(failed?.request.state ?? state, renewing.now()) };
  }
}

/** The fault to record, of a file, authority or responder; undefined for errors that the next run simply retries. */
const faultOf = (error: unknown): string | undefined =>
  error instanceof SealError || error instanceof PdfRefusal ? error.message : undefined;

interface Renewed {
  bytes: Uint8Array;
  sha256: string;
  /** The end of its newest timestamp's certificate, and that of the one before. */
  holdsUntil: string;
  heldUntil: string;
}

async function renewFiles(
  renewing: Renewing,
  state: RequestState,
): Promise<{ files: RenewedFiles; keys: string[] }> {
  const recorded = present(archivalDocumentOf(state), 'document');
  const document = present(await renewFile(renewing, recorded), 'document timestamp');
  const recordedEvidence = archivalEvidenceOf(state);
  const evidence = recordedEvidence ? await renewFile(renewing, recordedEvidence) : undefined;
  const endsAt = present(firstEnd(document.holdsUntil, evidence?.holdsUntil), 'end');
  const endedAt = present(firstEnd(document.heldUntil, evidence?.heldUntil), 'end');
  if (endsAt <= endedAt)
    throw new SealError(
      'timestamp_unavailable',
      `the authority's certificate ends no later than that of the last timestamp, ${endedAt}`,
    );
  const keys: string[] = [];
  for (const file of [document, evidence]) if (file) keys.push(await storeRenewed(renewing, state.id, file));
  return {
    files: { documentHash: document.sha256, evidenceHash: evidence?.sha256 ?? null, endsAt },
    keys,
  };
}

/** Renews one file; undefined for one below B-LTA. */
async function renewFile(renewing: Renewing, recorded: StoredFile): Promise<Renewed | undefined> {
  const stored = await readRequired(renewing, recorded.key);
  if (sha256Hex(stored) !== recorded.sha256)
    throw new SealError('original_changed', `the object ${recorded.key} is not the one that was recorded`);
  const heldUntil = holdsUntil(stored);
  if (!heldUntil) return undefined;
  const bytes = await renew(stored, renewing);
  return {
    bytes,
    sha256: sha256Hex(bytes),
    holdsUntil: present(holdsUntil(bytes), 'document timestamp'),
    heldUntil,
  };
}

async function storeRenewed(renewing: Renewing, requestId: string, file: Renewed): Promise<string> {
  const key = renewedKey(requestId, file.sha256);
  await claimObject(renewing.table, key, renewing.now());
  await putOnce(renewing.s3, {
    Bucket: renewing.bucket,
    Key: key,
    Body: file.bytes,
    ContentType: 'application/pdf',
  });
  return key;
}
