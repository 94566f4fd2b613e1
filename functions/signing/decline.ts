import { decline } from '../../shared/contract/signing.ts';
import { changeAsHolder, signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { decline as declineRequest } from '../../shared/requests/ending.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { setting } from '../../shared/runtime/config.ts';
import { present } from '../../shared/runtime/present.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { presentMaker } from '../../shared/store/members.ts';
import { findOwner, senderAddress } from '../../shared/store/owners.ts';

const send = dispatchTo({ event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') });

export const handler = signingEndpoint(decline, async ({ caller, body, visitor, table, json }) => {
  const by = { signerId: caller.signer.id, reason: body.reason || null, visitor };
  // Before the request is declined: nobody could repeat the call.
  const owner = await findOwner(table, caller.request.state.ownerId);
  const maker = await presentMaker(table, owner, caller.request.state);
  const changed = await changeAsHolder(table, caller, (request, now) => declineRequest(request, by, now));
  await send(changed.outbox);
  const { declinedAt } = signerById(changed.request, by.signerId);
  return json({
    status: 'declined',
    declined_at: present(declinedAt, 'declinedAt'),
    sender_notified: senderAddress(owner, maker) !== null,
  });
});
