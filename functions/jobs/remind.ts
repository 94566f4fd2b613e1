import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESClient } from '@aws-sdk/client-ses';
import { signUrl } from '../../shared/codes/code-mail.ts';
import { runJob } from '../../shared/jobs/run.ts';
import { renderReminder } from '../../shared/mail/render.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { isToBeReminded, reminderMailed, signerAt, takeReminder } from '../../shared/requests/reminding.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const mailer = sesMailer(new SESClient(CLIENT_SETTINGS), setting('MAIL_FROM'));
const baseUrl = setting('BASE_URL');
const MAIL_BUDGET = 10 * SECOND;

/** Reminds who has not signed, after 3 and 7 days, with a link; a code is sent when the page is asked for one. */
export const handler = runJob(table, 'remind', 'REMIND', async (item, now) => {
  const [requestId = '', place = ''] = String(item.due_sk).split('#').slice(1);
  const position = Number(place);
  const known = await loadRequest(table, requestId);
  const wanted = known && signerAt(known, position);
  const isWanted = wanted && isToBeReminded(known, wanted, now());
  const taken = await changeRequest(
    table,
    requestId,
    (request, time) => takeReminder(request, position, time),
    now,
  );
  const signer = taken && signerAt(taken.request, position);
  if (!isWanted || !signer || signer.remindersSent === wanted.remindersSent) return false;

  const { state } = taken.request;
  const content = renderReminder({
    locale: signer.locale,
    senderName: state.ownerName,
    title: state.title,
    signerName: signer.name,
    signUrl: signUrl(baseUrl, signer),
    expiresAt: state.expiresAt,
    test: state.mode === 'test',
  });
  const deadline = new Date(now().getTime() + MAIL_BUDGET);
  const outcome = await mailer({ to: signer.email, senderName: state.ownerName, content }, deadline);
  const result = { position, sent: outcome.sent, error: outcome.sent ? null : outcome.error };
  await changeRequest(table, requestId, (request, time) => reminderMailed(request, result, time), now);
  return outcome.sent;
});
