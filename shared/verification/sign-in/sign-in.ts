import { ApiError } from '../../contract/api-error.ts';
import { MAX_ATTEMPTS } from '../../requests/codes.ts';
import type { Visitor } from '../../requests/model.ts';
import { measure } from '../../runtime/metrics.ts';
import { accountEventWrite } from '../../store/account-log.ts';
import { type AppSession, appSessionWrite, endedSessionWrite } from '../../store/app-sessions.ts';
import { type Owner, ownerWrite } from '../../store/owners.ts';
import { retryOnConflict, transactIfUnchanged } from '../../store/retry-on-conflict.ts';
import { type Attempt, changeAttempt, findAttempt, usedAttemptWrite } from '../../store/sign-ins.ts';
import type { Table } from '../../store/table.ts';
import { sameHash } from '../code.ts';
import type { CodeMailing } from '../code-mailing.ts';
import { attemptOfBrowser, newAppSession, sessionOf } from './app-session.ts';
import { signInCodeHash } from './mail-code.ts';

type Parts = Pick<CodeMailing, 'table' | 'codePepper' | 'now'>;

const locked = () =>
  new ApiError('locked', 'Too many wrong codes; ask for a new one.', { fields: { locked_until: null } });

async function openAttempt(table: Table, attemptId: string | undefined, now: Date): Promise<Attempt> {
  const attempt = attemptId && (await findAttempt(table, attemptId));
  if (!attempt || attempt.expiresAt <= now.toISOString())
    throw new ApiError(
      'code_expired',
      'The code has expired or was used, or belongs to another browser; ask for a new one.',
    );
  if (attempt.wrongCodes >= MAX_ATTEMPTS) throw locked();
  return attempt;
}

/** No code hashes to it. */
const NO_HASH = '0'.repeat(64);

async function countWrongCode(table: Table, attempt: Attempt): Promise<ApiError> {
  const wrongCodes = attempt.wrongCodes + 1;
  await changeAttempt(table, attempt, { wrongCodes });
  measure({ WrongCodes: 1 });
  const left = MAX_ATTEMPTS - wrongCodes;
  return left > 0 ? new ApiError('wrong_code', undefined, { fields: { attempts_left: left } }) : locked();
}

interface Exchange<T> {
  /** As the browser sent them. */
  cookies: string | undefined;
  code: string;
  visitor: Visitor;
  /** Reads the user and the rest of the answer before the code is used: the session is in this one answer. */
  read: (userId: string) => Promise<T>;
}

/**
 * Exchanges a code for a session. Right or wrong, the attempt is stored before anyone learns which, so that concurrent
 * guesses cannot exceed the limit. An attempt without a code, for want of a user, answers as one with another code. The
 * browser's earlier session ends, whoever's it is: its cookie is replaced.
 */
export const signIn = <T extends { user: Owner }>(
  { table, codePepper, now }: Parts,
  { cookies, code, visitor, read }: Exchange<T>,
): Promise<{ session: AppSession; cookie: string; known: T }> =>
  retryOnConflict(async () => {
    const at = now();
    const attempt = await openAttempt(table, attemptOfBrowser(cookies), at);
    const isRight = sameHash(signInCodeHash(codePepper, attempt.id, code), attempt.code?.hash ?? NO_HASH);
    if (!attempt.code || !isRight) throw await countWrongCode(table, attempt);
    const { userId } = attempt.code;
    const known = await read(userId);
    const opened = newAppSession(userId, visitor, at);
    const earlier = await sessionOf(table, cookies, at);
    const eventOf = (type: 'signed_in' | 'signed_out', session: AppSession) =>
      accountEventWrite(session.userId, type, { userId, visitor, now: at }, { session_id: session.id });
    await transactIfUnchanged(
      table,
      [
        usedAttemptWrite(attempt, at),
        // A new version of a user who is being erased: the erasure then finds this session too.
        ownerWrite(known.user),
        ...(earlier ? [endedSessionWrite(earlier.userId, earlier.id)] : []),
      ],
      [
        appSessionWrite(opened.session),
        eventOf('signed_in', opened.session),
        ...(earlier ? [eventOf('signed_out', earlier)] : []),
      ],
    );
    return { ...opened, known };
  });
