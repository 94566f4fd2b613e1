import { getRequest } from '../../shared/contract/signing.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { brandOf } from '../../shared/views/brand.ts';
import { signingView } from '../../shared/views/signing.ts';

export const handler = signingEndpoint(getRequest, async ({ caller, table, json }) =>
  json({ ...(await brandOf(table, caller.request.state)), ...signingView(caller.request, caller.signer) }),
);
