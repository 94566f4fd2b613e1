import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { signingKeys } from '../../shared/codes/secrets.ts';
import { mailInvitations } from '../../shared/creation/invite.ts';
import { mailSealedNotices } from '../../shared/mail/sealed-notices.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { consume, outboxIdOf } from '../../shared/queues/consume.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { invitationsReported } from '../../shared/requests/inviting.ts';
import { isActive } from '../../shared/requests/lifecycle.ts';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import { CLIENT_SETTINGS, MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { addLogFields } from '../../shared/runtime/log.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { outboxKey } from '../../shared/store/keys.ts';
import { readOutbox } from '../../shared/store/outbox.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { event: setting('EVENTS_QUEUE_URL') };
const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const baseUrl = setting('BASE_URL');
const services = { table, mailer, baseUrl, now: systemNow };

/** Mails what a call that died has left, then writes the batch into the trail and tells the sender. */
async function completeInvitations(request: SignatureRequest, outboxId: string): Promise<void> {
  const unattempted = request.signers.some((signer) => !signer.invitation);
  if (unattempted && isActive(request.state)) {
    const { codePepper } = await signingKeys();
    await mailInvitations({ ...services, codePepper }, request);
  }
  const done = { delete: outboxKey(outboxId) };
  const reported = await changeRequest(table, request.state.id, invitationsReported, systemNow, {
    beside: [done],
  });
  await dispatch(sqs, queues, reported?.outbox ?? []);
}

export const handler = consume(async (message) => {
  const outboxId = outboxIdOf(message);
  const item = await readOutbox(table, outboxId);
  if (item?.kind !== 'mail') return;
  addLogFields({ signature_request_id: item.requestId, owner_id: item.ownerId });
  const request = await loadRequest(table, item.requestId);
  if (request && item.task === 'invitations') await completeInvitations(request, outboxId);
  if (request && item.task === 'sealed_notices') await mailSealedNotices(services, request);
  await table.delete(outboxKey(outboxId));
});
