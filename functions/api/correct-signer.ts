import { correctSigner } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { codeMailing } from '../../shared/http/code-mailing.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { countTestMailTo } from '../../shared/http/test-mail.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { setting } from '../../shared/runtime/config.ts';
import { correctSigner as correct } from '../../shared/verification/mail-code.ts';
import { signerInRequestView } from '../../shared/views/signature-request.ts';

const mailing = codeMailing();
const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(correctSigner, async ({ caller, params, body, table, json }) => {
  await countTestMailTo(table, caller, params, body.email);
  const { request, outcome } = await correct(
    await mailing(table),
    { requestId: params.id, signerId: params.signer_id },
    { ...body, check: (stored) => void requireOwned(stored, caller) },
  );
  return json({
    ...signerInRequestView(signerById(request, params.signer_id), baseUrl),
    email_sent: outcome.sent,
    email_error: outcome.error,
  });
});
