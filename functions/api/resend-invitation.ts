import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Caller } from '../../shared/accounts/authenticate.ts';
import { countTestMails } from '../../shared/accounts/test-mail-limit.ts';
import { resendInvitation } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { assertMayBeMailed } from '../../shared/requests/inviting.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { CLIENT_SETTINGS, MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { dispatch } from '../../shared/store/dispatch.ts';
import type { OutboxItem } from '../../shared/store/outbox.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import type { Table } from '../../shared/store/table.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { resendInvitation as resend } from '../../shared/verification/mail-code.ts';

const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { mail: setting('MAIL_QUEUE_URL') };
const send = (items: OutboxItem[]) => dispatch(sqs, queues, items);
const baseUrl = setting('BASE_URL');

/** Comes before the change, so that a resend that is refused leaves the earlier code valid. */
async function countIfTest(table: Table, caller: Caller, ids: { id: string; signer_id: string }) {
  if (caller.mode === 'live') return;
  const request = requireOwned(await loadRequest(table, ids.id), caller);
  const signer = signerById(request, ids.signer_id);
  assertMayBeMailed(request, signer, systemNow());
  await countTestMails(table, caller, [signer.email], systemNow());
}

export const handler = apiEndpoint(resendInvitation, async ({ caller, params, body, table, json }) => {
  await countIfTest(table, caller, params);
  const { codePepper } = await signingKeys();
  const { outcome, at } = await resend(
    { table, mailer, baseUrl, codePepper, now: systemNow, send },
    { requestId: params.id, signerId: params.signer_id },
    { locale: body.locale, check: (request) => void requireOwned(request, caller) },
  );
  return json({
    ok: true,
    signer_id: params.signer_id,
    email_sent: outcome.sent,
    email_error: outcome.error,
    access_code_rotated_at: at,
  });
});
