import { command } from './command.ts';
import { type Problem, problemsOf, readStatus, type Status } from './status.ts';
import { table } from './text.ts';

/** The status as text for a terminal. */

const problemText = ({ problem, runbook, ids, more }: Problem) => {
  const shown = ids.map((id) => `\n      ${id}`).join('');
  return `  ! ${problem}: ${runbook}${shown}${more > 0 ? `\n      and ${more} more` : ''}`;
};

const cells = <R extends object>(rows: readonly R[], ...names: (keyof R)[]): unknown[][] =>
  rows.map((row) => names.map((name) => row[name]));

function statusText(status: Status & { problems: Problem[] }): string {
  const { requests, test_requests: test, awaiting_stamp: stamps, outbox, overdue, renewals } = status;
  const parts = [
    `At ${status.at}`,
    status.problems.length === 0
      ? 'No problems.'
      : `Problems:\n${status.problems.map(problemText).join('\n')}`,
    ...(requests && test
      ? [
          table(
            ['requests', 'live', 'test'],
            Object.entries(requests).map(([state, count]) => [
              state,
              count,
              test[state as keyof typeof test],
            ]),
          ),
        ]
      : []),
    table(
      ['waiting', 'count', 'oldest'],
      [
        ['seals', stamps.count, stamps.oldest_since],
        ['outbox', outbox.backlog, outbox.late_since],
        ['to expire', overdue.expire, null],
        ['to purge', overdue.purge, null],
        ['to remind', overdue.remind, null],
        ['to renew', renewals.due, renewals.oldest[0]?.due_at ?? null],
      ],
    ),
    ...(status.seal_faults.length > 0
      ? [
          table(
            ['seal of', 'fault', 'since', 'tries', 'reason'],
            cells(status.seal_faults, 'request', 'code', 'since', 'tries', 'reason'),
          ),
        ]
      : []),
    table(
      ['queue', 'waiting', 'in flight', 'dead letters'],
      cells(status.queues, 'queue', 'waiting', 'in_flight', 'dead_letters'),
    ),
    table(
      ['job', 'last run', 'due', 'done', 'failed'],
      cells(status.jobs, 'job', 'ended_at', 'due', 'done', 'failed'),
    ),
    table(
      ['certificate', 'until', 'days'],
      cells(status.certificates, 'certificate', 'expires_at', 'days_left'),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

export const statusCommands = [
  command({
    name: 'status',
    summary: 'Show waiting work, failures, job runs, and requests by state',
    options: {
      quick: { help: 'Skip the counts by state, which read every owner’s list' },
    },
    run: async ({ quick }, operator) => {
      const status = await readStatus(operator, quick);
      const report = { ...status, problems: problemsOf(status) };
      if (report.problems.length > 0) operator.terminal.badNews();
      return operator.terminal.showsTables ? statusText(report) : report;
    },
  }),
];
