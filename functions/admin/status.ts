import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { waiting } from '../../shared/jobs/due.ts';
import { MINUTE, SECOND } from '../../shared/runtime/time.ts';
import { certificateExpiries, daysLeft } from '../../shared/sealing/expiries.ts';
import { listOwners } from '../../shared/store/owners.ts';
import { command } from './command.ts';
import { countRequests } from './counts.ts';
import { readJobs } from './jobs.ts';
import type { Operator } from './operator.ts';
import { readQueues } from './queues.ts';
import { statusText } from './status-text.ts';

/** How the service is, in one look. */

/** A certificate takes weeks to get. */
const CERTIFICATE_DAYS = 30;
/** What is older than this should have been seen to long ago. */
const OUTBOX_LATE = 5 * MINUTE;
const SEAL_LATE = 30 * MINUTE;
const HOURS_BETWEEN_RUNS: Record<string, number> = { sweep: 0.1 };
const DAILY = 25;

async function readCertificates({ clients, output, now }: Operator) {
  const secrets = new SecretsManagerClient(clients);
  const read = async (name: string) => {
    const { SecretString = '{}' } = await secrets.send(new GetSecretValueCommand({ SecretId: output(name) }));
    return SecretString;
  };
  const [seal, testSeal, timestamp] = await Promise.all([
    read('SealSecretArn'),
    read('TestSealSecretArn'),
    read('TimestampSecretArn'),
  ]);
  return certificateExpiries({ seal, testSeal, timestamp }).map(({ certificate, expiresAt, fault }) => ({
    certificate,
    expires_at: expiresAt,
    fault,
    days_left: expiresAt === null ? null : daysLeft(expiresAt, now()),
  }));
}

const age = (since: string | null, now: Date) =>
  since === null ? null : Math.max(0, Math.round((now.getTime() - Date.parse(since)) / SECOND));

async function readStatus(operator: Operator, quick: boolean) {
  const { table } = operator;
  const now = operator.now();
  const requests = quick ? null : await countRequests(table, await listOwners(table));
  const [stamps, failed, outbox, late, expiry, purge, reminders, queues, jobs, certificates] =
    await Promise.all([
      waiting(table, 'STAMP'),
      waiting(table, 'STAMP_FAILED'),
      waiting(table, 'OUTBOX'),
      waiting(table, 'OUTBOX', new Date(now.getTime() - OUTBOX_LATE)),
      waiting(table, 'EXPIRE', now),
      waiting(table, 'PURGE', now),
      waiting(table, 'REMIND', now),
      readQueues(operator),
      readJobs(operator),
      readCertificates(operator),
    ]);
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
    outbox: { backlog: outbox.count, late: late.count, late_since: late.oldest },
    overdue: { expire: expiry.count, purge: purge.count, remind: reminders.count },
    dead_letters: Object.fromEntries(queues.map(({ queue, dead_letters: count }) => [queue, count])),
    queues,
    jobs,
    certificates,
    next_certificate_expiry: ends[0] ?? null,
  };
}

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** What needs somebody, each with its section of the runbook. */
export function problemsOf(status: Status): string[] {
  const now = Date.parse(status.at);
  const problems: [boolean, string, string][] = [
    [status.stamp_failed > 0, `${status.stamp_failed} seals were given up`, 'stamp-failures'],
    [
      (status.awaiting_stamp.oldest_seconds ?? 0) * SECOND > SEAL_LATE,
      `A seal waits since ${status.awaiting_stamp.oldest_since}`,
      'seals-that-wait',
    ],
    [status.outbox.late > 0, `${status.outbox.late} outbox items are late`, 'outbox-backlog'],
    ...status.queues.map(({ queue, dead_letters: count }): [boolean, string, string] => [
      count > 0,
      `${count} dead letters of the queue ${queue}`,
      'dead-letters',
    ]),
    ...status.jobs.flatMap(({ job, ended_at: ended, failed }): [boolean, string, string][] => [
      [
        ended !== null && now - Date.parse(String(ended)) > (HOURS_BETWEEN_RUNS[job] ?? DAILY) * 60 * MINUTE,
        `The job ${job} ran last at ${ended}`,
        'jobs-that-do-not-run',
      ],
      [Number(failed) > 0, `The job ${job} could not do ${failed} things in its last run`, 'items-that-fail'],
    ]),
    ...status.certificates.map(({ certificate, days_left: days, fault }): [boolean, string, string] => [
      days === null || days < CERTIFICATE_DAYS,
      days === null
        ? `The ${certificate} certificate is missing${fault ? `: ${fault}` : ''}`
        : `The ${certificate} certificate has ${days} days`,
      'certificates',
    ]),
  ];
  return problems
    .filter(([isOne]) => isOne)
    .map(([, what, section]) => `${what}: docs/runbook.md#${section}`);
}

export const statusCommands = [
  command({
    name: 'status',
    summary: 'Show what waits, what failed, when the jobs ran, and requests by state',
    args: [],
    options: {
      quick: { kind: 'switch', help: 'Leave out the counts by state, which read every owner’s list' },
      json: { kind: 'switch', help: 'JSON on a terminal too' },
    },
    run: async ({ quick, json }, operator) => {
      const status = await readStatus(operator, quick);
      const report = { ...status, problems: problemsOf(status) };
      return process.stdout.isTTY && !json ? statusText(report) : report;
    },
  }),
];
