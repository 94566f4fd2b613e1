import { parseExpression } from '../../../local/schedules/expression.ts';

const after = (expression: string, time: string, zone = 'UTC') => {
  const next = parseExpression(expression, zone).after(Date.parse(time));
  return next === undefined ? undefined : new Date(next).toISOString();
};

describe('a schedule’s next time', () => {
  it.each([
    ['rate(1 minute)', '2026-05-01T12:00:30Z', '2026-05-01T12:01:00.000Z'],
    ['rate(5 minutes)', '2026-05-01T12:00:00Z', '2026-05-01T12:05:00.000Z'],
    ['rate(1 day)', '2026-05-01T12:00:00Z', '2026-05-02T00:00:00.000Z'],
    ['cron(30 3 * * ? *)', '2026-05-01T03:30:00Z', '2026-05-02T03:30:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-05-01T12:01:00Z', '2026-05-01T12:15:00.000Z'],
    ['cron(0 8 1 * ? *)', '2026-05-02T00:00:00Z', '2026-06-01T08:00:00.000Z'],
    ['cron(0 8 ? * MON-FRI *)', '2026-05-01T09:00:00Z', '2026-05-04T08:00:00.000Z'],
    // EventBridge's weekday 1 is Sunday.
    ['cron(0 8 ? * 1 *)', '2026-05-01T09:00:00Z', '2026-05-03T08:00:00.000Z'],
    ['cron(0 0 29 2 ? 2028)', '2026-05-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['cron(0 0 1 1 ? 2020)', '2026-05-01T00:00:00Z', undefined],
  ])('the next time of %s after %s is %s', (expression, time, next) => {
    expect(after(expression, time)).toBe(next);
  });

  /** @behaviour scheduler.time-zones */
  it('a schedule keeps its local time over the change to daylight saving time', () => {
    expect(after('cron(0 4 * * ? *)', '2026-03-28T12:00:00Z', 'Europe/Helsinki')).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(after('cron(0 4 * * ? *)', '2026-03-27T12:00:00Z', 'Europe/Helsinki')).toBe(
      '2026-03-28T02:00:00.000Z',
    );
  });

  it.each([
    'rate(0 minutes)',
    'rate(soon)',
    'cron(* * * * *)',
    'cron(99 * * * ? *)',
    // One of day and weekday must be a question mark.
    'cron(0 7 * * * *)',
    'cron(0 7 ? * ? *)',
    'at(2026-01-01T00:00:00)',
    'daily',
  ])('the invalid expression %s is refused', (expression) => {
    expect(() => parseExpression(expression, 'UTC')).toThrow(expression);
  });
});
