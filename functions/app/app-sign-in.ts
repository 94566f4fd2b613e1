import { SQSClient } from '@aws-sdk/client-sqs';
import { ownersOf } from '../../shared/accounts/acting-for.ts';
import { meView } from '../../shared/accounts/me.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { requestSignIn, signIn } from '../../shared/contract/app.ts';
import { openRoute } from '../../shared/http/app-endpoint.ts';
import { header } from '../../shared/http/call.ts';
import { routed } from '../../shared/http/router.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { findUser } from '../../shared/store/users.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { attemptOfBrowser } from '../../shared/verification/sign-in/app-session.ts';
import { queueSignInMail } from '../../shared/verification/sign-in/queue.ts';
import { requestSignInCode } from '../../shared/verification/sign-in/request-code.ts';
import { signIn as exchange } from '../../shared/verification/sign-in/sign-in.ts';

const table = configuredTable();
const sqs = new SQSClient(CLIENT_SETTINGS);
const queueUrl = setting('MAIL_QUEUE_URL');

export const handler = routed([
  openRoute(requestSignIn, async ({ caller, body, visitor, now, json }) => {
    const { email, locale = 'en' } = body;
    const earlierAttemptId = attemptOfBrowser(header(caller, 'cookie'));
    const asked = await requestSignInCode(table, { email, locale, visitor, earlierAttemptId }, now);
    await queueSignInMail(sqs, queueUrl, asked.attempt.id, visitor);
    return json(
      { sent: true, code_expires_at: asked.attempt.expiresAt, next_code_at: asked.nextCodeAt },
      { 'Set-Cookie': asked.cookie },
    );
  }),

  openRoute(signIn, async ({ caller, body, visitor, json }) => {
    const { codePepper } = await signingKeys();
    const parts = { table, codePepper, now: systemNow };
    const { session, cookie, known } = await exchange(parts, {
      cookies: header(caller, 'cookie'),
      code: body.code,
      visitor,
      read: async (userId) => {
        const user = await findUser(table, userId);
        if (!user) throw new ApiError('sign_in_required');
        return { user, owners: await ownersOf(table, user) };
      },
    });
    return json(meView(known.user, known.owners, session), { 'Set-Cookie': cookie });
  }),
]);
