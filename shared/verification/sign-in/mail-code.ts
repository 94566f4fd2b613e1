import { assertNotPostponed } from '../../mail/mailer.ts';
import { renderSignIn } from '../../mail/render-account.ts';
import { log } from '../../runtime/log.ts';
import { SECOND } from '../../runtime/time.ts';
import { retryOnConflict } from '../../store/retry-on-conflict.ts';
import { changeAttempt, findAttempt } from '../../store/sign-ins.ts';
import { findUserByAddress } from '../../store/users.ts';
import { codeFrom, codeHash } from '../code.ts';
import type { CodeMailing } from '../code-mailing.ts';
import type { SignInMail } from './queue.ts';

const MAIL_TIMEOUT_MS = 20 * SECOND;

type Parts = Pick<CodeMailing, 'table' | 'mailer' | 'codePepper' | 'now'>;

/** Bound to the attempt, and so to its browser. */
export const signInCodeHash = (pepper: Buffer, attemptId: string, code: string): string =>
  codeHash(pepper, 'sign-in', attemptId, code);

/**
 * Mails the code of an attempt, if a user has its address. A message that comes twice mails the same code; the queue repeats a
 * mail that SES could not take yet.
 */
export async function mailSignInCode(
  { table, mailer, codePepper, now }: Parts,
  { attemptId, seed }: SignInMail,
): Promise<void> {
  const code = codeFrom(codePepper, `sign-in-code:${attemptId}:${seed}`);
  const given = await retryOnConflict(async () => {
    const attempt = await findAttempt(table, attemptId);
    const user = attempt && (await findUserByAddress(table, attempt.address));
    if (!attempt || !user || attempt.expiresAt <= now().toISOString()) return undefined;
    const hash = signInCodeHash(codePepper, attemptId, code);
    await changeAttempt(table, attempt, { code: { hash, userId: user.id } });
    return { attempt, user };
  });
  if (!given) return log.info('No code is due for an attempt to sign in');
  const { attempt, user } = given;
  // The browser's language only counts until the user has chosen one.
  const locale = user.locale ?? attempt.locale;
  const startedAt = now();
  const content = renderSignIn({
    locale,
    code,
    codeExpiresAt: attempt.expiresAt,
    sentAt: startedAt.toISOString(),
  });
  const deadline = new Date(startedAt.getTime() + MAIL_TIMEOUT_MS);
  const mail = { to: user.name, senderName: null, brand: undefined, content, about: null };
  assertNotPostponed(await mailer(mail, deadline));
}
