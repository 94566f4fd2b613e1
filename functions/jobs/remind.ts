import { countTestMailOf } from '../../shared/accounts/test-mail-limit.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { assertNotPostponed } from '../../shared/mail/mailer.ts';
import { renderReminder } from '../../shared/mail/render.ts';
import { configuredMailer } from '../../shared/mail/ses-mailer.ts';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import {
  isReminderDue,
  leaseReminder,
  reminderMailed,
  reminderPostponed,
  signerAt,
} from '../../shared/requests/reminding.ts';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import type { Item } from '../../shared/store/items.ts';
import { findOwner } from '../../shared/store/owners.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { linkMailInput } from '../../shared/verification/code-mailing.ts';
import { runJob } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const mailer = configuredMailer();
const send = dispatchTo({ mail: setting('MAIL_QUEUE_URL') }, JOB_CLIENT_SETTINGS);
const baseUrl = setting('BASE_URL');
const MAIL_BUDGET = 10 * SECOND;

/** False beyond the day's limit of a test owner, whose reminder is then skipped. One that is not due takes no place. */
async function isWithinLimit(request: SignatureRequest, position: number, now: Date): Promise<boolean> {
  const signer = signerAt(request, position);
  try {
    if (signer && isReminderDue(request, signer, now))
      await countTestMailOf(table, request.state, signer.email, now);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Leases the due reminder. Returns the signer and the request if this run is to mail it. */
async function lease(requestId: string, position: number, now: () => Date) {
  const known = await loadRequest(table, requestId);
  if (!known) return undefined;
  const owner = await findOwner(table, known.state.ownerId);
  const ownerReminds = owner?.reminders !== false && (await isWithinLimit(known, position, now()));
  let wanted = false;
  const leased = await changeRequest(
    { table, now },
    requestId,
    (request, time) => {
      const signer = signerAt(request, position);
      const change = leaseReminder(request, position, { ownerReminds }, time);
      wanted =
        change !== undefined && ownerReminds && signer !== undefined && isReminderDue(request, signer, time);
      return change;
    },
    { known },
  );
  const signer = leased && signerAt(leased.request, position);
  return wanted && signer ? { state: leased.request.state, signer, brand: owner?.brand } : undefined;
}

/**
 * Reminds a signer after 3 and 7 days, with a link. The page sends a code only on request. A reminder that SES could not
 * take yet stays due.
 */
async function remind(item: Item, now: () => Date): Promise<boolean> {
  const [requestId = '', place = ''] = String(item.due_sk).split('#').slice(1);
  const position = Number(place);
  const leased = await lease(requestId, position, now);
  if (!leased) return false;

  const { state, signer, brand } = leased;
  const content = renderReminder(linkMailInput(state, signer, { baseUrl, brand, now }));
  const about = { requestId, signerId: signer.id, kind: 'reminder' } as const;
  const deadline = new Date(now().getTime() + MAIL_BUDGET);
  const outcome = await mailer(
    { to: signer.email, senderName: state.ownerName, brand, content, about },
    deadline,
  );
  if (outcome.isPostponed)
    await changeRequest({ table, now }, requestId, (request) => reminderPostponed(request, signer));
  assertNotPostponed(outcome);
  const result = { position, nth: signer.remindersSent, ...outcome };
  const recorded = await changeRequest({ table, now }, requestId, (request, time) =>
    reminderMailed(request, result, time),
  );
  await send(recorded?.outbox ?? []);
  return outcome.sent;
}

export const handler = runJob({ table, name: 'remind', kind: 'REMIND', work: remind });
