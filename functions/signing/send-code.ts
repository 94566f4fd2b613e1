import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { countTestMailOf } from '../../shared/accounts/test-mail-limit.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { sendCode } from '../../shared/contract/signing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { nextCodeAt } from '../../shared/requests/codes.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { CLIENT_SETTINGS, MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { present } from '../../shared/runtime/present.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { dispatch } from '../../shared/store/dispatch.ts';
import type { OutboxItem } from '../../shared/store/outbox.ts';
import { mailRequestedCode } from '../../shared/verification/mail-code.ts';

const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { mail: setting('MAIL_QUEUE_URL') };
const send = (items: OutboxItem[]) => dispatch(sqs, queues, items);
const baseUrl = setting('BASE_URL');

export const handler = signingEndpoint(sendCode, async ({ caller, visitor, table, json }) => {
  const mailing = { table, mailer, baseUrl, codePepper: caller.keys.codePepper, now: systemNow, send };
  await countTestMailOf(table, caller.request.state, caller.signer.email, systemNow());
  const ids = { requestId: caller.request.state.id, signerId: caller.signer.id };
  const { request, outcome } = await mailRequestedCode(mailing, ids, visitor);
  if (!outcome.sent) throw new ApiError('email_failed');
  const signer = signerById(request, ids.signerId);
  return json({
    sent: true,
    code_expires_at: present(signer.code, 'code').expiresAt,
    next_code_at: present(nextCodeAt(signer), 'nextCodeAt'),
  });
});
