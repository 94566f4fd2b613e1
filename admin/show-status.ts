import { command } from './command.ts';
import { type Problem, problemsOf, readStatus, type Status } from './status.ts';
import { table } from './text.ts';

/** The status as text for a terminal. */

const problemText = ({ problem, runbook, ids, more }: Problem) => {
  const shown = ids.map((id) => `\n      ${id}`).join('');
  return `  ! ${problem}: ${runbook}${shown}${more > 0 ? `\n      and ${more} more` : ''}`;
};

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
            status.seal_faults.map(({ request, code, reason, since, tries }) => [
              request,
              code,
              since,
              tries,
              reason,
            ]),
          ),
        ]
      : []),
    table(
      ['queue', 'waiting', 'in flight', 'dead letters'],
      status.queues.map(({ queue, waiting, in_flight: inFlight, dead_letters: dead }) => [
        queue,
        waiting,
        inFlight,
        dead,
      ]),
    ),
    table(
      ['job', 'last run', 'due', 'done', 'failed'],
      status.jobs.map(({ job, ended_at: ended, due, done, failed }) => [job, ended, due, done, failed]),
    ),
    table(
      ['certificate', 'until', 'days'],
      status.certificates.map(({ certificate, expires_at: end, days_left: days }) => [
        certificate,
        end,
        days,
      ]),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

export const statusCommands = [
  command({
    name: 'status',
    summary: 'Show waiting work, failures, job runs, and requests by state',
    options: {
      quick: { kind: 'switch', help: 'Skip the counts by state, which read every owner’s list' },
    },
    run: async ({ quick }, operator) => {
      const status = await readStatus(operator, quick);
      const report = { ...status, problems: problemsOf(status) };
      if (report.problems.length > 0) operator.terminal.badNews();
      return operator.terminal.showsTables ? statusText(report) : report;
    },
  }),
];
