import { SESClient } from '@aws-sdk/client-ses';
import { resendInvitation as resend } from '../../shared/codes/mail-code.ts';
import { signingKeys } from '../../shared/codes/secrets.ts';
import { resendInvitation } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { owned } from '../../shared/http/owned-request.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';

const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(resendInvitation, async ({ caller, params, body, table }) => {
  const { codePepper } = await signingKeys();
  const { outcome, at } = await resend(
    { table, mailer, baseUrl, codePepper, now: systemNow },
    { requestId: params.id, signerId: params.signer_id },
    { locale: body.locale, check: (request) => void owned(request, caller) },
  );
  return {
    json: {
      ok: true,
      signer_id: params.signer_id,
      email_sent: outcome.sent,
      email_error: outcome.sent ? null : outcome.error,
      access_code_rotated_at: at,
    },
  };
});
