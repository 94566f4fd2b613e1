import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { int, orNull, string } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { LOCALES } from '../texts/languages.ts';
import { askedCodesKey, attemptKey } from './keys.ts';
import { holds, isNew, type Table, type Write } from './table.ts';

/** Attempts to sign in. An attempt with an unknown address is stored like any other, and never gets a code. */

/** A browser in which the user of an address has signed in. */
const knownBrowser = z.object({ browser: string, address: string, until: string });
type KnownBrowser = z.output<typeof knownBrowser>;

const attempt = z.object({
  /** The SHA-256 of the cookie's value. */
  id: string,
  /** The SHA-256 of the address. */
  address: string,
  locale: z.enum(LOCALES),
  createdAt: string,
  expiresAt: string,
  /** Null until a code was mailed. */
  code: orNull(z.object({ hash: string, userId: string })),
  wrongCodes: int,
  /** Kept from attempt to attempt of a browser, whatever address they are for. */
  known: orNull(knownBrowser),
  /** Increases with every change; each is conditioned on the version it read. */
  version: int,
});
export type Attempt = z.output<typeof attempt>;

const askedCodes = z.object({
  times: z.array(z.object({ at: string, network: string })),
  version: int,
});
/** The codes asked for with an address, oldest first. */
export type AskedCodes = z.output<typeof askedCodes>;

/** A browser is known for so long after its user has signed in with it. */
export const BROWSER_KNOWN_MS = 90 * DAY;

export const attemptWrite = (made: Attempt): Write => ({
  put: {
    ...attemptKey(made.id),
    ...made,
    ttl: Math.max(epochSeconds(made.expiresAt), made.known ? epochSeconds(made.known.until) : 0),
  },
  condition: isNew,
});

export const findAttempt = (table: Table, id: string): Promise<Attempt | undefined> =>
  table.find(attempt, attemptKey(id));

export const changeAttempt = (
  table: Table,
  read: Attempt,
  changes: Partial<Pick<Attempt, 'code' | 'wrongCodes'>>,
): Promise<void> =>
  // A transaction, which the SDK can repeat after a lost answer: a wrong code counts once.
  table.transact([
    {
      update: attemptKey(read.id),
      set: { ...changes, version: read.version + 1 },
      condition: holds({ version: read.version }),
    },
  ]);

/** A right code works once. The attempt stays, so that the browser is known from now on. */
export const usedAttemptWrite = (read: Attempt, now: Date): Write => {
  const at = now.toISOString();
  const known: KnownBrowser = {
    browser: read.known?.address === read.address ? read.known.browser : randomUUID(),
    address: read.address,
    until: after(at, BROWSER_KNOWN_MS),
  };
  return {
    update: attemptKey(read.id),
    set: { code: null, expiresAt: at, known, version: read.version + 1, ttl: epochSeconds(known.until) },
    condition: holds({ version: read.version }),
  };
};

export const findAskedCodes = (table: Table, address: string): Promise<AskedCodes | undefined> =>
  table.find(askedCodes, askedCodesKey(address));

export const askedCodesWrite = (
  address: string,
  read: AskedCodes | undefined,
  times: AskedCodes['times'],
  now: Date,
): Write => ({
  put: {
    ...askedCodesKey(address),
    times,
    version: (read?.version ?? 0) + 1,
    ttl: epochSeconds(after(now, DAY)),
  },
  condition: read ? holds({ version: read.version }) : isNew,
});
