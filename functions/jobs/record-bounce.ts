import { readReturnedMail } from '../../shared/mail/returned-mail.ts';
import { mailReturned } from '../../shared/requests/returned-mails.ts';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { addLogFields, log } from '../../shared/runtime/log.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { consume } from '../../shared/work/consume.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const send = dispatchTo({ mail: setting('MAIL_QUEUE_URL') }, JOB_CLIENT_SETTINGS);

/** Records bounces and complaints that SES reports. */
export const handler = consume(async (message) => {
  const mail = readReturnedMail(message);
  if (!mail) return;
  const { requestId, ...returned } = mail;
  addLogFields({ signature_request_id: requestId, signer_id: mail.signerId });
  const changed = await changeRequest({ table, now: systemNow }, requestId, (request, now) =>
    mailReturned(request, returned, now),
  );
  if (!changed) log.warn('Message dropped: there is no such request');
  await send(changed?.outbox ?? []);
});
