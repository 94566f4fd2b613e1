import { configuredMailer } from '../../shared/mail/ses-mailer.ts';
import { mailNewMember } from '../../shared/notices/mail-member.ts';
import { sendNotice } from '../../shared/notices/send-notice.ts';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import { sealedNotices } from '../../shared/requests/notices.ts';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { addLogFields } from '../../shared/runtime/log.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { followEndedArchive } from '../../shared/store/follow-archive.ts';
import { outboxKey } from '../../shared/store/keys.ts';
import { readOutbox } from '../../shared/store/outbox.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { exists } from '../../shared/store/table.ts';
import { newAccessToken } from '../../shared/verification/code.ts';
import { mailInvitations } from '../../shared/verification/invite.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { completeCorrection } from '../../shared/verification/mail-code.ts';
import { mailSignInCode } from '../../shared/verification/sign-in/mail-code.ts';
import { signInMailOf } from '../../shared/verification/sign-in/queue.ts';
import { consume, outboxIdOf } from '../../shared/work/consume.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const mailer = configuredMailer();
const baseUrl = setting('BASE_URL');
const send = dispatchTo(
  { event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') },
  JOB_CLIENT_SETTINGS,
);
const services = { table, mailer, baseUrl, now: systemNow, send };
const codeMailing = async () => ({ ...services, codePepper: (await signingKeys()).codePepper });

/** Does what a crashed call left undone: mails invitations, records the batch in the audit trail and notifies the sender. */
async function completeInvitations(request: SignatureRequest, outboxId: string): Promise<void> {
  await followEndedArchive(table, request.state, systemNow);
  const finalWrites = [{ delete: outboxKey(outboxId) }];
  const { outbox } = await mailInvitations(await codeMailing(), request, { finalWrites });
  await send(outbox);
}

/** Turns a task from before there were other notices into one. */
async function convertSealedNotices(requestId: string, outboxId: string): Promise<void> {
  const extraWrites = [{ delete: outboxKey(outboxId), condition: exists }];
  const changed = await changeRequest({ table, now: systemNow }, requestId, sealedNotices, { extraWrites });
  await send(changed?.outbox ?? []);
}

export const handler = consume(async (message) => {
  const signInMail = signInMailOf(message);
  if (signInMail) return mailSignInCode(await codeMailing(), signInMail);
  const outboxId = outboxIdOf(message);
  const item = await readOutbox(table, outboxId);
  if (!item || item.kind === 'event' || item.kind === 'seal') return;
  addLogFields({ owner_id: item.ownerId });
  if (item.kind === 'member') return mailNewMember(services, item);
  const { requestId } = item;
  addLogFields({ signature_request_id: requestId });
  if (item.kind === 'notice') return sendNotice({ ...services, newToken: newAccessToken }, item);
  if (item.kind === 'correction') return completeCorrection(await codeMailing(), item);
  if (item.task === 'sealed_notices') return convertSealedNotices(requestId, outboxId);
  const request = await loadRequest(table, requestId);
  if (request) await completeInvitations(request, outboxId);
  await table.delete(outboxKey(outboxId));
});
