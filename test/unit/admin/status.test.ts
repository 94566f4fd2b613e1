import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../admin/operator.ts';
import { problemsOf, readStatus, type Status } from '../../../admin/status.ts';
import { due, outboxKey } from '../../../shared/store/keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

type Job = Status['jobs'][number];
type Renewal = Status['renewals']['oldest'][number];

const AT = '2026-11-21T12:00:00.000Z';
const NONE: Status = {
  at: AT,
  requests: null,
  test_requests: null,
  awaiting_stamp: { count: 0, oldest_since: null, oldest_seconds: null },
  seal_faults: [],
  stamp_failed: 0,
  outbox: { backlog: 0, late: 0, late_since: null },
  overdue: { expire: 0, purge: 0, remind: 0 },
  renewals: { due: 0, oldest: [] },
  dead_letters: {},
  queues: [],
  jobs: [],
  certificates: [],
  next_certificate_expiry: null,
  ids: { awaiting_stamp: [], stamp_failed: [], outbox_late: [], expire: [], purge: [], remind: [] },
};

const job = (name: Job['job'], ended_at: string | null, failed = 0): Pick<Status, 'jobs'> => ({
  jobs: [{ job: name, started_at: null, ended_at, due: 1, done: 1, failed, goes_on: false } satisfies Job],
});
const renewals = (overdue: boolean, fault: string | null): Pick<Status, 'renewals'> => ({
  renewals: { due: 1, oldest: [{ request_id: 'r', overdue, fault } as Renewal] },
});
const sealWaiting = (oldest_seconds: number): Pick<Status, 'awaiting_stamp'> => ({
  awaiting_stamp: { count: 12, oldest_since: AT, oldest_seconds },
});
const queue = (dead_letters: number): Pick<Status, 'queues'> => ({
  queues: [{ queue: 'mail', waiting: 9, in_flight: 9, dead_letters, dead_letter_ids: ['r'] }],
});
const certificate = (
  name: 'seal' | 'timestamp',
  days_left: number | null,
  fault: string | null = null,
): Pick<Status, 'certificates'> => ({
  certificates: [{ certificate: name, expires_at: days_left === null ? null : AT, fault, days_left }],
});
const ids = (name: keyof Status['ids']): Pick<Status, 'ids'> => ({ ids: { ...NONE.ids, [name]: ['r'] } });

it.each<[string, Partial<Status>]>([
  ['nothing is stored', {}],
  ['a seal waits for half an hour', sealWaiting(1_800)],
  ['a queue has messages to process', queue(0)],
  ['the sweep ran six minutes ago', job('sweep', '2026-11-21T11:54:00.000Z')],
  ['another job ran 25 hours ago', job('purge', '2026-11-20T11:00:00.000Z')],
  ['a job of a new stack has not run yet', job('purge', null)],
  ['a renewal is due, and not overdue', renewals(false, 'HTTP 503')],
  ['a certificate has 30 days left', certificate('seal', 30)],
])('there is no problem when %s', (_when, status) => {
  expect(problemsOf({ ...NONE, ...status })).toEqual([]);
});

it.each<[string, Partial<Status>, string, string[]?, number?]>([
  ['seals failed', { stamp_failed: 12, ...ids('stamp_failed') }, '12 seals failed for good', ['r'], 11],
  [
    'a seal waits for longer',
    { ...sealWaiting(1_801), ...ids('awaiting_stamp') },
    `A seal has been waiting since ${AT}`,
    ['r'],
    11,
  ],
  [
    'outbox items are late',
    { outbox: { backlog: 3, late: 1, late_since: AT }, ...ids('outbox_late') },
    '1 outbox item is late',
  ],
  ['a queue has a dead letter', queue(1), 'The queue mail has 1 dead letter'],
  [
    'the sweep did not run for longer',
    job('sweep', '2026-11-21T11:53:59.999Z'),
    'The job sweep last ran at 2026-11-21T11:53:59.999Z',
    ['sweep'],
  ],
  [
    'another job did not run for longer',
    job('purge', '2026-11-20T10:59:59.999Z'),
    'The job purge last ran at 2026-11-20T10:59:59.999Z',
    ['purge'],
  ],
  [
    'the sweep left an item',
    { ...job('sweep', AT, 1), ...ids('outbox_late') },
    'The job sweep failed on 1 item in its last run',
  ],
  [
    'another job left an item',
    { ...job('purge', AT, 1), ...ids('purge') },
    'The job purge failed on 1 item in its last run',
  ],
  [
    'a job about certificates left some',
    job('gather-revocation', AT, 2),
    'The job gather-revocation failed on 2 items in its last run',
    ['gather-revocation'],
  ],
  [
    'a renewal is overdue',
    renewals(true, 'HTTP 503'),
    'The timestamps of archived files are overdue: HTTP 503',
  ],
  [
    'an overdue renewal was not tried',
    renewals(true, null),
    'The timestamps of archived files are overdue: not tried yet',
  ],
  ['a certificate has ended', certificate('seal', -1), `The seal certificate expired at ${AT}`, ['seal']],
  ['a certificate ends', certificate('seal', 29), 'The seal certificate expires in 29 days', ['seal']],
  ['a certificate is missing', certificate('seal', null), 'The seal certificate is missing', ['seal']],
  [
    'no timestamp authority is set',
    certificate('timestamp', null),
    'There is no timestamp authority: nothing is sealed',
    ['timestamp'],
  ],
  [
    'the timestamp secret is wrong',
    certificate('timestamp', null, 'no JSON'),
    'The timestamp certificate is missing: no JSON',
    ['timestamp'],
  ],
])('the status says so when %s', (_when, status, problem, about = ['r'], more = 0) => {
  expect(problemsOf({ ...NONE, ...status })).toEqual([
    { problem, runbook: expect.stringMatching(/^docs\/runbook\.md#/), ids: about, more },
  ]);
});

it('what the sweep should have sent again is late after five minutes', async () => {
  mockClient(SQSClient).resolves({ Attributes: {} });
  mockClient(SecretsManagerClient).resolves({ SecretString: '{}' });
  const memory = new MemoryDynamo();
  const toResend = (id: string, at: string) =>
    memory.set({ ...outboxKey(id), id, requestId: `of-${id}`, ...due('OUTBOX', at, id) });
  toResend('earlier', '2026-11-21T11:55:00.000Z');
  toResend('later', '2026-11-21T11:55:00.001Z');
  const { outbox, ids: named } = await readStatus(
    {
      table: memory.table,
      clients: {} as Operator['clients'],
      now: () => new Date(AT),
      output: (name) => name,
    } as Operator,
    true,
  );
  expect(outbox).toEqual({ backlog: 2, late: 1, late_since: '2026-11-21T11:55:00.000Z' });
  expect(named.outbox_late).toEqual(['of-earlier']);
});
