import { resendInvitation } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { codeMailing } from '../../shared/http/code-mailing.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { countTestMailTo } from '../../shared/http/test-mail.ts';
import { resendInvitation as resend } from '../../shared/verification/mail-code.ts';

const mailing = codeMailing();

export const handler = apiEndpoint(resendInvitation, async ({ caller, params, body, table, json }) => {
  await countTestMailTo(table, caller, params);
  const { outcome, at } = await resend(
    await mailing(table),
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
