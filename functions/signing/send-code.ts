import { SESClient } from '@aws-sdk/client-ses';
import { mailRequestedCode } from '../../shared/codes/mail-code.ts';
import { sendCode } from '../../shared/contract/signing.ts';
import { ApiError } from '../../shared/http/api-error.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { nextCodeAt } from '../../shared/requests/codes.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';

const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const baseUrl = setting('BASE_URL');

export const handler = signingEndpoint(sendCode, async ({ caller, visitor, table }) => {
  const mailing = { table, mailer, baseUrl, codePepper: caller.keys.codePepper, now: systemNow };
  const ids = { requestId: caller.request.state.id, signerId: caller.signer.id };
  const { request, outcome } = await mailRequestedCode(mailing, ids, visitor);
  if (!outcome.sent) throw new ApiError('email_failed');
  const signer = signerById(request, ids.signerId);
  return { json: { sent: true, code_expires_at: signer.code?.expiresAt, next_code_at: nextCodeAt(signer) } };
});
