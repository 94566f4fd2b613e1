import { SQSClient } from '@aws-sdk/client-sqs';
import { openLink } from '../../shared/contract/signing.ts';
import { ApiError } from '../../shared/http/api-error.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { lockedUntil, MAX_ATTEMPTS } from '../../shared/requests/codes.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { open } from '../../shared/requests/signing.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';

const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { event: setting('EVENTS_QUEUE_URL') };

/** The page's own call: loading the page changes nothing, since mail scanners follow links. */
export const handler = signingEndpoint(openLink, async ({ caller, visitor, table, now }) => {
  const by = { signerId: caller.signer.id, visitor };
  const changed = await changeRequest(
    table,
    caller.request.state.id,
    (request, time) => open(request, by, time),
    systemNow,
    {
      known: caller.request,
    },
  );
  if (!changed) throw new ApiError('not_found');
  await dispatch(sqs, queues, changed.outbox);
  const signer = signerById(changed.request, by.signerId);
  const codeIsGood = signer.code && now.toISOString() < signer.code.expiresAt;
  const locked = lockedUntil(signer, now);
  return {
    json: {
      signer_status: signer.status,
      locale: signer.locale,
      code_expires_at: codeIsGood ? signer.code?.expiresAt : null,
      attempts_left: locked ? 0 : Math.max(0, MAX_ATTEMPTS - signer.codeAttempts),
      locked_until: locked,
    },
  };
});
