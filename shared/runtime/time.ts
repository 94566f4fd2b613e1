export type Now = () => Date;

export const systemNow: Now = () => new Date();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const after = (time: Date | string, milliseconds: number): string =>
  new Date(new Date(time).getTime() + milliseconds).toISOString();

/** Now, or just after `earlier` if that is no longer past: calls begin at the same moment, and clocks differ. */
export const nowAfter = (earlier: string, now: Date): string =>
  now.toISOString() > earlier ? now.toISOString() : after(earlier, 1);

/** As the table's `ttl` wants it. */
export const epochSeconds = (time: Date | string): number => Math.ceil(new Date(time).getTime() / SECOND);

export const secondsUntil = (time: string, now: Date): number =>
  Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / SECOND));

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export type UtcTime = ReturnType<typeof utcTime>;

/** The parts of a time in UTC; `month` is 0 to 11, and hour, minute and second have two digits. */
export function utcTime(iso: string) {
  const time = new Date(iso);
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return {
    year: time.getUTCFullYear(),
    month: time.getUTCMonth(),
    day: time.getUTCDate(),
    hour: twoDigits(time.getUTCHours()),
    minute: twoDigits(time.getUTCMinutes()),
    second: twoDigits(time.getUTCSeconds()),
  };
}
