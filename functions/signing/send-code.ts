import { countTestMailOf } from '../../shared/accounts/test-mail-limit.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { sendCode } from '../../shared/contract/signing.ts';
import { codeMailing } from '../../shared/http/code-mailing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { assertMayRequestCode, codeEnd, nextCodeAt } from '../../shared/requests/codes.ts';
import { present } from '../../shared/runtime/present.ts';
import { mailRequestedCode } from '../../shared/verification/mail-code.ts';

const mailing = codeMailing();

export const handler = signingEndpoint(sendCode, async ({ caller, visitor, table, now, json }) => {
  // Checked again when the code is stored; here, so that a refused call takes no place among the mails of test mode.
  assertMayRequestCode(caller.signer, now);
  await countTestMailOf(table, caller.request.state, caller.signer.email, now);
  const ids = { requestId: caller.request.state.id, signerId: caller.signer.id, token: caller.token };
  const mailed = await mailRequestedCode(await mailing(table), ids, visitor);
  const { request, signer, outcome } = mailed;
  if (!outcome.sent) throw new ApiError('email_failed');
  return json({
    sent: true,
    code_expires_at: present(codeEnd(request.state, signer), 'codeEnd'),
    next_code_at: present(nextCodeAt(signer), 'nextCodeAt'),
  });
});
