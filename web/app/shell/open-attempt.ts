import { type PageStorage, readJson } from '../../parts/storage.ts';

/** A sign-in whose code was mailed. Its secret is in a cookie that the page cannot read. */
export interface Attempt {
  email: string;
  code_expires_at: string;
}

const KEY = 'sign-in';

/** Stored, because phones unload a page while its user reads the mail with the code. Null once the code has expired. */
export function openAttempt(storage: Pick<PageStorage, 'getItem'>, now: number): Attempt | null {
  const attempt = readJson<Attempt>(storage, KEY);
  return attempt && isOpen(attempt, now) ? attempt : null;
}

export const isOpen = ({ code_expires_at }: Attempt, now: number) => Date.parse(code_expires_at) > now;

export const keepAttempt = (storage: Pick<PageStorage, 'setItem'>, attempt: Attempt) =>
  storage.setItem(KEY, JSON.stringify(attempt));

export const forgetAttempt = (storage: Pick<PageStorage, 'removeItem'>) => storage.removeItem(KEY);
