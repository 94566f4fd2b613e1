import { ApiError } from '../../contract/api-error.ts';
import { CODE_MINUTES } from '../../requests/creating.ts';
import type { Visitor } from '../../requests/model.ts';
import { sha256Hex } from '../../runtime/hash.ts';
import { networkHash } from '../../runtime/network.ts';
import { after, DAY, MINUTE, SECOND } from '../../runtime/time.ts';
import { addressHash } from '../../store/keys.ts';
import { retryOnConflict } from '../../store/retry-on-conflict.ts';
import {
  type AskedCodes,
  type Attempt,
  askedCodesWrite,
  attemptWrite,
  BROWSER_KNOWN_MS,
  findAskedCodes,
  findAttempt,
} from '../../store/sign-ins.ts';
import type { Table } from '../../store/table.ts';
import type { Locale } from '../../texts/languages.ts';
import { newAccessToken } from '../code.ts';
import { attemptCookie } from './app-session.ts';

/** A browser waits so long before it asks again for the same address. */
const PAUSE = 30 * SECOND;
/**
 * Codes of an address within 24 hours, which limits guesses. One network alone cannot use them up. Strangers in several can, so a
 * browser in which the user has signed in has a limit of its own.
 */
export const CODES_OF_ADDRESS = 40;
export const CODES_OF_NETWORK = 20;

/** The known browser that asks, or else its network. */
interface Asker {
  browser: string | null;
  network: string;
}

/** The codes asked for within 24 hours with this one, or the refusal. */
function withNewCode(asked: AskedCodes | undefined, asker: Asker, now: Date): AskedCodes['times'] {
  const recent = (asked?.times ?? []).filter(({ at }) => after(at, DAY) > now.toISOString());
  const network = asker.browser ?? asker.network;
  const own = recent.filter((code) => code.network === network);
  for (const [codes, most] of [
    [asker.browser ? [] : recent, CODES_OF_ADDRESS],
    [own, CODES_OF_NETWORK],
  ] as const) {
    const oldest = codes.at(-most);
    if (oldest)
      throw new ApiError('too_many_codes', 'Too many codes were asked for with this address lately.', {
        retryAt: after(oldest.at, DAY),
      });
  }
  return [...recent, { at: now.toISOString(), network }];
}

interface Asked {
  email: string;
  locale: Locale;
  visitor: Visitor;
  /** The attempt that this browser made before. */
  earlierAttemptId: string | undefined;
}

/**
 * Starts an attempt to sign in. Whether a user has the address is looked up later, by the job that mails the code: this
 * call does the same for any address, in the same time.
 */
export async function requestSignInCode(
  table: Table,
  { email, locale, visitor, earlierAttemptId }: Asked,
  now: Date,
): Promise<{ attempt: Attempt; cookie: string; nextCodeAt: string }> {
  const earlier = earlierAttemptId ? await findAttempt(table, earlierAttemptId) : undefined;
  const at = now.toISOString();
  const address = addressHash(email);
  // One that was used has ended.
  const isOpen = earlier?.address === address && earlier.expiresAt > at;
  const pauseEnds = isOpen ? after(earlier.createdAt, PAUSE) : '';
  if (at < pauseEnds) throw new ApiError('too_many_codes', undefined, { retryAt: pauseEnds });
  const secret = newAccessToken();
  const known = earlier?.known && earlier.known.until > at ? earlier.known : null;
  const attempt: Attempt = {
    id: sha256Hex(secret),
    address,
    locale,
    createdAt: at,
    expiresAt: after(now, CODE_MINUTES * MINUTE),
    code: null,
    wrongCodes: 0,
    known,
    version: 1,
  };
  await retryOnConflict(async () => {
    const asked = await findAskedCodes(table, address);
    const asker = {
      browser: known?.address === address ? known.browser : null,
      network: networkHash(visitor.ipAddress),
    };
    const times = withNewCode(asked, asker, now);
    await table.transact([askedCodesWrite(address, asked, times, now), attemptWrite(attempt)]);
  });
  return {
    attempt,
    cookie: attemptCookie(secret, BROWSER_KNOWN_MS),
    nextCodeAt: after(now, PAUSE),
  };
}
