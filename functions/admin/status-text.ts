import type { Status } from './status.ts';

/** The status for a person at a terminal. */

const shown = (value: unknown) => (value === null || value === undefined ? '–' : String(value));

function table(head: string[], rows: unknown[][]): string {
  const cells = [head, ...rows.map((row) => row.map(shown))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

export function statusText(status: Status & { problems: string[] }): string {
  const { requests, test_requests: test, awaiting_stamp: stamps, outbox, overdue } = status;
  const parts = [
    `At ${status.at}`,
    status.problems.length === 0
      ? 'Nothing needs you.'
      : `Needs you:\n${status.problems.map((problem) => `  ! ${problem}`).join('\n')}`,
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
      ],
    ),
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
