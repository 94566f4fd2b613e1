import { getRequest } from '../../shared/contract/signing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { signingView } from '../../shared/views/signing.ts';

export const handler = signingEndpoint(getRequest, async ({ caller }) => ({
  json: signingView(caller.request, caller.signer),
}));
