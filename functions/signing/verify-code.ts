import { verifyCode as verify } from '../../shared/codes/verify.ts';
import { verifyCode } from '../../shared/contract/signing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { sessionCookie } from '../../shared/signing/session.ts';
import { signingView } from '../../shared/views/signing.ts';

export const handler = signingEndpoint(verifyCode, async ({ caller, body, visitor, table }) => {
  const { signer, keys, token } = caller;
  const services = { table, codePepper: keys.codePepper, now: systemNow };
  const request = await verify(services, caller.request, signer.id, { code: body.code, visitor });
  return {
    json: signingView(request, signerById(request, signer.id)),
    headers: { 'Set-Cookie': sessionCookie(keys.session, token, signer.id, systemNow()) },
  };
});
