import { notFound } from '../../shared/contract/api-error.ts';
import { cancelSignature } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { setting } from '../../shared/runtime/config.ts';
import { present } from '../../shared/runtime/present.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';

const send = dispatchTo({ event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') });

export const handler = apiEndpoint(cancelSignature, async ({ caller, params, body, table, json }) => {
  const by = { actor: 'client', reason: body.reason || null } as const;
  const changed = await changeRequest({ table, now: systemNow }, params.id, (request, now) =>
    cancel(requireOwned(request, caller), by, now),
  );
  if (!changed) throw notFound('id');
  await send(changed.outbox);
  const { id, cancelledAt } = changed.request.state;
  return json({ id, status: 'cancelled', cancelled_at: present(cancelledAt, 'cancelledAt') });
});
