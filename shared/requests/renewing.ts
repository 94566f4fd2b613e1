import type { Actor } from '../contract/fields.ts';
import { after, DAY } from '../runtime/time.ts';
import { type Change, changeOf, type Renewal, type RequestState, type SignatureRequest } from './model.ts';

/** Rules for renewing the files of a request at B-LTA that its owner's archive protects. */

const HALF_YEAR = (365.25 / 2) * DAY;
const MAX_WAIT_DAYS = 7;

/**
 * Due half a year before the newest timestamp's certificate ends. Of a certificate that ends sooner half of its time is used
 * first, or files would be renewed every day.
 */
export function renewalOf(stampedAt: string, endsAt: string): Renewal {
  const end = Date.parse(endsAt);
  return {
    dueAt: new Date(Math.max(end - HALF_YEAR, (Date.parse(stampedAt) + end) / 2)).toISOString(),
    endsAt,
    failures: 0,
    fault: null,
    nextAttemptAt: null,
  };
}

/** Left undone at this time, a renewal is alarmed: half of the time between due date and end is over. */
export const overdueAt = ({ dueAt, endsAt }: Renewal): string =>
  new Date((Date.parse(dueAt) + Date.parse(endsAt)) / 2).toISOString();

type Archived = RequestState & { renewal: Renewal; documentHash: string };

/** Files with an end to their proof, which nothing removes. */
export const isArchived = (state: RequestState): state is Archived =>
  state.renewal !== null && state.documentHash !== null && state.purgeAt === null && state.purgedAt === null;

/** Due, and not waiting after a failure. */
export const isRenewalDue = (state: RequestState, now: Date): state is Archived =>
  isArchived(state) &&
  state.renewal.dueAt <= now.toISOString() &&
  (state.renewal.nextAttemptAt ?? '') <= now.toISOString();

export const renewalsOf = ({ renewed }: RequestState): number => renewed?.number ?? 0;

/** True while no other run has renewed the files meanwhile, and nothing removes them. */
const isUnchanged = (state: RequestState, renewals: number): state is Archived =>
  isArchived(state) && renewalsOf(state) === renewals;

export interface RenewedFiles {
  documentHash: string;
  /** Null for a request without an evidence file at B-LTA. */
  evidenceHash: string | null;
  endsAt: string;
}

/** Records renewed files; undefined if another run was first, or the files are to be removed. */
export function filesRenewed(
  request: SignatureRequest,
  { renewals, files, actor }: { renewals: number; files: RenewedFiles; actor: Actor },
  now: Date,
): Change | undefined {
  const { state } = request;
  if (!isUnchanged(state, renewals)) return undefined;
  const at = now.toISOString();
  const { endsAt, ...hashes } = files;
  const number = renewals + 1;
  return changeOf(request, {
    state: { ...state, renewal: renewalOf(at, endsAt), renewed: { number, at, ...hashes } },
    audit: [
      {
        type: 'archive_renewed',
        at,
        actor,
        details: {
          renewal: number,
          renewed_document_hash: hashes.documentHash,
          ...(hashes.evidenceHash && { renewed_evidence_hash: hashes.evidenceHash }),
          holds_until: endsAt,
        },
      },
    ],
  });
}

/** It stays due, and is tried again after one day, two, four, then each week. */
export function renewalFailed(
  request: SignatureRequest,
  { renewals, fault }: { renewals: number; fault: string },
  now: Date,
): Change | undefined {
  const { state } = request;
  if (!isUnchanged(state, renewals)) return undefined;
  const days = Math.min(2 ** state.renewal.failures, MAX_WAIT_DAYS);
  const renewal: Renewal = {
    ...state.renewal,
    failures: state.renewal.failures + 1,
    fault,
    nextAttemptAt: after(now, days * DAY),
  };
  return changeOf(request, { state: { ...state, renewal } });
}
