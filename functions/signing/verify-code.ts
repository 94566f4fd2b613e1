import { verifyCode } from '../../shared/contract/signing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { sessionCookie } from '../../shared/verification/session.ts';
import { verifyCode as verify } from '../../shared/verification/verify-code.ts';
import { brandOf } from '../../shared/views/brand.ts';
import { signingView } from '../../shared/views/signing.ts';

const send = dispatchTo({ mail: setting('MAIL_QUEUE_URL') });

export const handler = signingEndpoint(verifyCode, async ({ caller, body, visitor, table, json }) => {
  const { signer, token } = caller;
  // Before the code is used: its session is in this one answer.
  const [brand, { codePepper }] = await Promise.all([brandOf(table, caller.request.state), signingKeys()]);
  const services = { table, codePepper, now: systemNow, send };
  const { request, session } = await verify(services, caller.request, signer.id, {
    code: body.code,
    visitor,
  });
  const view = signingView(request, signerById(request, signer.id));
  return json({ ...brand, ...view }, { 'Set-Cookie': sessionCookie(token, session) });
});
