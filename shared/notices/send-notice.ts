import type { Mailer } from '../mail/mailer.ts';
import { copyEndsAt } from '../requests/lifecycle.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { isBeingInvited, noticeMailed } from '../requests/notices.ts';
import { present } from '../runtime/present.ts';
import { DAY, SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { copyLinkWrite } from '../store/copy-links.ts';
import { outboxKey } from '../store/keys.ts';
import { leaseItem, type OutboxItem, type OutboxNotice, toldWrite } from '../store/outbox.ts';
import { findOwner, type Owner } from '../store/owners.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { findUser } from '../store/users.ts';
import type { Locale } from '../texts/languages.ts';
import { noticeMails } from './notice-mails.ts';

interface Parts {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  newToken: () => string;
  now: () => Date;
  /** Dispatches what follows from a mail that failed. */
  send: (items: OutboxItem[]) => Promise<void>;
}

/** No mail starts later than this in a run. */
const RUN_MS = 25 * SECOND;
/** For one mail. */
const MAIL_TIMEOUT_MS = 10 * SECOND;
/** Longer than both together, so that no other run starts meanwhile. */
const LEASE_MS = 45 * SECOND;
/** A mail that SES cannot take is repeated while its notice is younger, then recorded as failed. */
const REPEAT_MS = DAY;

/** Thrown if recipients are left to another run, which the sweep starts. */
class NoticeUnfinished extends Error {
  override name = 'NoticeUnfinished';
}

const copyLinkOf = ({ state }: SignatureRequest, signerId: string) => ({
  requestId: state.id,
  signerId,
  endsAt: present(copyEndsAt(state), 'copyEndsAt'),
});

/** The language that the sender has chosen: the user who made the request, or its owner. Without one the request's. */
async function senderLocale(
  table: Table,
  { state }: SignatureRequest,
  owner: Owner | undefined,
): Promise<Locale> {
  const sender = state.createdBy ? await findUser(table, state.createdBy.userId) : owner;
  return sender?.locale ?? state.locale;
}

/**
 * Mails a notice to its recipients, one after the other. Each mail is recorded in the transaction that takes its
 * recipient off the list, so a crash repeats at most the one mail that was under way, and loses none. A mail that SES
 * has not taken stays on the list, with those after it, until the sweep's next message.
 */
export async function sendNotice(parts: Parts, notice: OutboxNotice): Promise<void> {
  const { table, mailer, now } = parts;
  const request = await loadRequest(table, notice.requestId);
  if (!request) return table.delete(outboxKey(notice.id));
  const startedAt = now();
  const undecided = request.signers.filter(
    (signer) => notice.recipients.includes(signer.id) && isBeingInvited(signer, startedAt),
  );
  if (undecided.length > 0) throw new NoticeUnfinished('A signer is being invited.');
  const owner = await findOwner(table, notice.ownerId);
  const locale = await senderLocale(table, request, owner);
  const mails = noticeMails(request, { owner, locale }, notice, parts);
  if (mails.length === 0) return table.delete(outboxKey(notice.id));
  const links = mails.flatMap(({ copyToken, recipient }) =>
    copyToken ? [copyLinkWrite(copyToken, copyLinkOf(request, recipient))] : [],
  );
  if (!(await leaseItem(table, notice, startedAt, LEASE_MS, links))) return;

  let known = request;
  for (const [place, { recipient, to, content, kind }] of mails.entries()) {
    if (now().getTime() > startedAt.getTime() + RUN_MS)
      throw new NoticeUnfinished('The time of this run is over.');
    const deadline = new Date(now().getTime() + MAIL_TIMEOUT_MS);
    const outcome = await mailer(
      {
        to,
        senderName: request.state.ownerName,
        brand: owner?.brand,
        content,
        about: { requestId: notice.requestId, ...(kind && { signerId: recipient, kind }) },
      },
      deadline,
    );
    if (outcome.isPostponed && now().getTime() < Date.parse(notice.createdAt) + REPEAT_MS) return;
    const by = { reason: notice.reason, recipient, kind, ...outcome };
    const left = mails.slice(place + 1).map((mail) => mail.recipient);
    const recorded = await changeRequest(
      table,
      notice.requestId,
      (current, time) => noticeMailed(current, by, time),
      now,
      { known, extraWrites: [toldWrite(notice.id, left)] },
    );
    known = recorded?.request ?? known;
    await parts.send(recorded?.outbox ?? []);
  }
}
