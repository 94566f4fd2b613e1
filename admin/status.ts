import { MINUTE, SECOND } from '../shared/runtime/time.ts';
import { certificateExpiries, daysLeft } from '../shared/stamping/expiries.ts';
import { listOwners } from '../shared/store/owners.ts';
import { findSealFaults } from '../shared/store/seal-faults.ts';
import type { JobName, StackOutput } from '../shared/store/stack-names.ts';
import { countPending } from '../shared/work/due.ts';
import { readDueRenewals } from './archive-status.ts';
import { countRequests } from './counts.ts';
import { readJobs } from './jobs.ts';
import type { Operator } from './operator.ts';
import { readQueues } from './queues.ts';
import { requestsOfDue } from './request-ids.ts';
import { secretText } from './secret-versions.ts';

/** The state of the service at a glance. */

/** Getting a new certificate takes weeks. */
const CERTIFICATE_DAYS = 30;
// Anything older points to a fault.
const OUTBOX_LATE = 5 * MINUTE;
const SEAL_LATE = 30 * MINUTE;
const HOURS_BETWEEN_RUNS: Partial<Record<JobName, number>> = { sweep: 0.1 };
const DAILY_HOURS = 25;

/** A secret that cannot be read, such as one marked for deletion, must not hide the rest of the status. */
async function readSecrets(operator: Operator) {
  const faults: Record<string, string> = {};
  const read = (certificate: string, outputName: StackOutput) =>
    secretText(operator, outputName).catch((error: unknown) => {
      faults[certificate] = `its secret cannot be read: ${error instanceof Error ? error.name : 'unknown'}`;
      return '{}';
    });
  const [seal, testSeal, timestamp] = await Promise.all([
    read('seal', 'SealSecretArn'),
    read('test_seal', 'TestSealSecretArn'),
    read('timestamp', 'TimestampSecretArn'),
  ]);
  return { seal, testSeal, timestamp, faults };
}

async function readCertificates(operator: Operator) {
  const { faults, ...secrets } = await readSecrets(operator);
  const now = operator.now();
  return certificateExpiries(secrets, now).map(({ certificate, expiresAt, fault }) => ({
    certificate,
    expires_at: expiresAt,
    fault: fault ?? faults[certificate] ?? null,
    days_left: expiresAt === null ? null : daysLeft(expiresAt, now),
  }));
}

const age = (since: string | null, now: Date) =>
  since === null ? null : Math.max(0, Math.round((now.getTime() - Date.parse(since)) / SECOND));

export async function readStatus(operator: Operator, quick: boolean) {
  const { table } = operator;
  const now = operator.now();
  const requests = quick ? null : await countRequests(table, await listOwners(table));
  const [stamps, failed, outbox, late, expiry, purge, reminders, renewals, queues, jobs, certificates] =
    await Promise.all([
      countPending(table, 'STAMP'),
      countPending(table, 'STAMP_FAILED'),
      countPending(table, 'OUTBOX'),
      countPending(table, 'OUTBOX', new Date(now.getTime() - OUTBOX_LATE)),
      countPending(table, 'EXPIRE', now),
      countPending(table, 'PURGE', now),
      countPending(table, 'REMIND', now),
      readDueRenewals(operator),
      readQueues(operator),
      readJobs(operator),
      readCertificates(operator),
    ]);
  const idsOf = ({ first }: typeof stamps) => requestsOfDue(first, table);
  const [waitingIds, failedIds] = await Promise.all([idsOf(stamps), idsOf(failed)]);
  const faults = await findSealFaults(table, [...waitingIds, ...failedIds]);
  const ends = certificates.flatMap(({ expires_at: end }) => (end ? [end] : [])).sort();
  return {
    at: now.toISOString(),
    requests: requests?.live ?? null,
    test_requests: requests?.test ?? null,
    awaiting_stamp: {
      count: stamps.count,
      oldest_since: stamps.oldest,
      oldest_seconds: age(stamps.oldest, now),
    },
    stamp_failed: failed.count,
    /** Of the requests in `ids.awaiting_stamp` and `ids.stamp_failed`. */
    seal_faults: faults.map(({ requestId, code, reason, since, lastAt, tries }) => ({
      request: requestId,
      code,
      reason,
      since,
      last_at: lastAt,
      tries,
    })),
    outbox: { backlog: outbox.count, late: late.count, late_since: late.oldest },
    overdue: { expire: expiry.count, purge: purge.count, remind: reminders.count },
    /** Archived files that are due for another timestamp, and the reasons why the oldest ones failed. */
    renewals: { due: renewals.count, oldest: renewals.oldest },
    dead_letters: Object.fromEntries(queues.map(({ queue, dead_letters: count }) => [queue, count])),
    queues,
    jobs,
    certificates,
    next_certificate_expiry: ends[0] ?? null,
    /** The requests that have waited longest, at most ten of each. */
    ids: {
      awaiting_stamp: waitingIds,
      stamp_failed: failedIds,
      outbox_late: await idsOf(late),
      expire: await idsOf(expiry),
      purge: await idsOf(purge),
      remind: await idsOf(reminders),
    },
  };
}

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** A problem for an operator, with its section of the runbook and the ids that it concerns. */
export interface Problem {
  problem: string;
  runbook: string;
  /** Requests, jobs or certificates. */
  ids: readonly string[];
  /** Number of further ids beyond `ids`. */
  more: number;
}

const problem = (what: string, section: string, ids: readonly string[], count = ids.length): Problem => ({
  problem: what,
  runbook: `docs/runbook.md#${section}`,
  ids,
  more: Math.max(0, count - ids.length),
});

const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

function sealProblems({ stamp_failed: failed, awaiting_stamp: waiting, ids }: Status): Problem[] {
  const isLate = (waiting.oldest_seconds ?? 0) * SECOND > SEAL_LATE;
  const since = `A seal has been waiting since ${waiting.oldest_since}`;
  return [
    failed > 0
      ? problem(`${counted(failed, 'seal')} failed for good`, 'stamp-failures', ids.stamp_failed, failed)
      : [],
    isLate ? problem(since, 'seals-that-wait', ids.awaiting_stamp, waiting.count) : [],
  ].flat();
}

const queueProblems = ({ outbox, queues, ids }: Status): Problem[] => [
  ...(outbox.late > 0
    ? [
        problem(
          `${counted(outbox.late, 'outbox item is', 'outbox items are')} late`,
          'outbox-backlog',
          ids.outbox_late,
        ),
      ]
    : []),
  ...queues
    .filter(({ dead_letters: count }) => count > 0)
    .map(({ queue, dead_letters: count, dead_letter_ids: about }) =>
      problem(`The queue ${queue} has ${counted(count, 'dead letter')}`, 'dead-letters', about),
    ),
];

/** Files that are due are nothing to act on until half of the time is over. */
function renewalProblems({ renewals }: Status): Problem[] {
  const overdue = renewals.oldest.filter((each) => each.overdue);
  if (overdue.length === 0) return [];
  const reasons = [...new Set(overdue.map(({ fault }) => fault ?? 'not tried yet'))].join('; ');
  const what = `The timestamps of archived files are overdue: ${reasons}`;
  const ids = overdue.map(({ request_id: id }) => id);
  return [problem(what, 'renewals-that-are-overdue', ids)];
}

/** The requests that a job has left undone; of one that is about certificates, the job. */
function leftBy(job: string, { ids }: Status): readonly string[] {
  const left: Readonly<Record<string, readonly string[]>> = { ...ids, sweep: ids.outbox_late };
  return left[job] ?? [job];
}

const jobProblems = (status: Status): Problem[] =>
  status.jobs.flatMap(({ job, ended_at: ended, failed }) => {
    const limit = (HOURS_BETWEEN_RUNS[job] ?? DAILY_HOURS) * 60 * MINUTE;
    const isLate = ended !== null && Date.parse(status.at) - Date.parse(String(ended)) > limit;
    const failure = `The job ${job} failed on ${counted(Number(failed), 'item')} in its last run`;
    return [
      isLate ? problem(`The job ${job} last ran at ${ended}`, 'jobs-that-do-not-run', [job]) : [],
      Number(failed) > 0 ? problem(failure, 'items-that-fail', leftBy(job, status)) : [],
    ].flat();
  });

function certificateProblem(status: Status['certificates'][number]): string {
  const { certificate, expires_at: end, days_left: days, fault } = status;
  if (days !== null && days < 0) return `The ${certificate} certificate expired at ${end}`;
  if (days !== null) return `The ${certificate} certificate expires in ${counted(days, 'day')}`;
  if (certificate === 'timestamp' && !fault) return 'There is no timestamp authority: nothing is sealed';
  return `The ${certificate} certificate is missing${fault ? `: ${fault}` : ''}`;
}

const certificateProblems = ({ certificates }: Status): Problem[] =>
  certificates
    .filter(({ days_left: days }) => days === null || days < CERTIFICATE_DAYS)
    .map((each) => problem(certificateProblem(each), 'certificates', [each.certificate]));

export const problemsOf = (status: Status): Problem[] => [
  ...sealProblems(status),
  ...queueProblems(status),
  ...jobProblems(status),
  ...renewalProblems(status),
  ...certificateProblems(status),
];
