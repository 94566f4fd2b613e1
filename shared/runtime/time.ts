export type Now = () => Date;

export const systemNow: Now = () => new Date();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const after = (time: Date | string, milliseconds: number): string =>
  new Date(new Date(time).getTime() + milliseconds).toISOString();

export const secondsUntil = (time: string, now: Date): number =>
  Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / SECOND));

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
