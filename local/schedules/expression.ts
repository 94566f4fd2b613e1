/** EventBridge's `rate(…)` and `cron(…)` expressions. */
import { Cron } from 'croner';
import { StackError } from '../assembly/template.ts';

const UNITS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

interface Expression {
  /** The first scheduled time after this one. Undefined if there is none. */
  after(time: number): number | undefined;
}

function rate(text: string): Expression {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(text) ?? [];
  const every = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(every > 0)) throw new StackError(`rate(${text}) is not a valid rate.`);
  return { after: (time) => (Math.floor(time / every) + 1) * every };
}

function cron(text: string, timeZone: string): Expression {
  const [minute, hour, day, month, weekday, year] = text.split(/\s+/);
  if (year === undefined) throw new StackError(`cron(${text}) does not have the six fields of EventBridge.`);
  if ((day === '?') === (weekday === '?'))
    throw new StackError(`cron(${text}) must have a ? as its day or as its weekday, and not as both.`);
  try {
    const schedule = new Cron([0, minute, hour, day, month, weekday, year].join(' '), {
      timezone: timeZone,
      paused: true,
      alternativeWeekdays: true,
      sloppyRanges: true,
      mode: '7-part',
    });
    return { after: (time) => schedule.nextRun(new Date(time))?.getTime() };
  } catch (error) {
    throw new StackError(`cron(${text}) is not valid: ${error instanceof Error ? error.message : error}`);
  }
}

export function parseExpression(expression: string, timeZone: string): Expression {
  const [, kind, text = ''] = /^(rate|cron)\((.+)\)$/.exec(expression) ?? [];
  if (kind === 'rate') return rate(text);
  if (kind === 'cron') return cron(text, timeZone);
  throw new StackError(`The schedule expression ${expression} is neither rate(…) nor cron(…).`);
}
