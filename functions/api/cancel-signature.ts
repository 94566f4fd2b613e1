import { SQSClient } from '@aws-sdk/client-sqs';
import { cancelSignature } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { ApiError } from '../../shared/http/api-error.ts';
import { owned } from '../../shared/http/owned-request.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';

const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { event: setting('EVENTS_QUEUE_URL') };

export const handler = apiEndpoint(cancelSignature, async ({ caller, params, body, table }) => {
  const by = { actor: 'client', reason: body.reason || null } as const;
  const changed = await changeRequest(
    table,
    params.id,
    (request, now) => cancel(owned(request, caller), by, now),
    systemNow,
  );
  if (!changed) throw new ApiError('not_found');
  await dispatch(sqs, queues, changed.outbox);
  const { id, cancelledAt } = changed.request.state;
  return { json: { id, status: 'cancelled', cancelled_at: cancelledAt } };
});
