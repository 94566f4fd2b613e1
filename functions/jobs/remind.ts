import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SESClient } from '@aws-sdk/client-ses';
import { signUrl } from '../../shared/codes/code-mail.ts';
import { runJob } from '../../shared/jobs/run.ts';
import { renderReminder } from '../../shared/mail/render.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { isToBeReminded, reminderMailed, signerAt, takeReminder } from '../../shared/requests/reminding.ts';
import { CLIENT_SETTINGS, MAIL_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { ownerKey } from '../../shared/store/keys.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { type Item, Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const mailer = sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), setting('MAIL_FROM'));
const baseUrl = setting('BASE_URL');
const MAIL_BUDGET = 10 * SECOND;

/** Takes the reminder that is due; the signer and request as they then stand, where it is this run's to mail. */
async function take(requestId: string, position: number, now: () => Date) {
  const known = await loadRequest(table, requestId);
  if (!known) return undefined;
  const owner = await table.get(ownerKey(known.state.ownerId));
  const ownerReminds = owner?.reminders !== false;
  let wanted = false;
  const taken = await changeRequest(
    table,
    requestId,
    (request, time) => {
      const signer = signerAt(request, position);
      wanted = ownerReminds && signer !== undefined && isToBeReminded(request, signer, time);
      return takeReminder(request, position, { ownerReminds }, time);
    },
    now,
    { known },
  );
  const signer = taken && signerAt(taken.request, position);
  return wanted && signer ? { state: taken.request.state, signer } : undefined;
}

/** Reminds who has not signed, after 3 and 7 days, with a link; a code is sent when the page is asked for one. */
async function remind(item: Item, now: () => Date): Promise<boolean> {
  const [requestId = '', place = ''] = String(item.due_sk).split('#').slice(1);
  const position = Number(place);
  const taken = await take(requestId, position, now);
  if (!taken) return false;

  const { state, signer } = taken;
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
  const result = {
    position,
    nth: signer.remindersSent,
    sent: outcome.sent,
    error: outcome.sent ? null : outcome.error,
  };
  await changeRequest(table, requestId, (request, time) => reminderMailed(request, result, time), now);
  return outcome.sent;
}

const lambda = new LambdaClient(CLIENT_SETTINGS);
export const handler = runJob({ table, lambda, name: 'remind', kind: 'REMIND', work: remind });
