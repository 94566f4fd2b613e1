import type { Mailer } from '../mail/mailer.ts';
import type { RequestState, SignatureRequest } from '../requests/model.ts';
import { isBeingInvited, type NoticeMailed, noticesMailed } from '../requests/notices.ts';
import { DAY, SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { copyLinkWrite } from '../store/copy-links.ts';
import { outboxKey } from '../store/keys.ts';
import { presentMaker } from '../store/members.ts';
import { leaseItem, type OutboxItem, type OutboxNotice, toldWrite } from '../store/outbox.ts';
import { findOwner, type Owner } from '../store/owners.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { findUser } from '../store/users.ts';
import type { Locale } from '../texts/languages.ts';
import { type NoticeMail, noticeMails } from './notice-mails.ts';

interface Parts {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  newToken: () => string;
  now: () => Date;
  /** Dispatches what follows from a mail that failed. */
  send: (items: OutboxItem[]) => Promise<unknown>;
}

const MAILS_AT_ONCE = 5;
/** No mail starts later than this in a run. */
const RUN_MS = 25 * SECOND;
/** For the mails that are sent at once. */
const MAIL_TIMEOUT_MS = 10 * SECOND;
/** Longer than both together, so that no other run starts meanwhile. */
const LEASE_MS = 45 * SECOND;
/** A mail that SES has not taken is repeated for a day. */
export const mayRepeat = ({ createdAt }: Pick<OutboxItem, 'createdAt'>, now: Date): boolean =>
  now.getTime() < Date.parse(createdAt) + DAY;

/** Thrown if recipients are left to another run, which the sweep starts. */
class NoticeUnfinished extends Error {
  override name = 'NoticeUnfinished';
}

/** The language that the sender has chosen: the user who made the request, or its owner. Without one the request's. */
async function senderLocale(
  table: Table,
  { state }: SignatureRequest,
  { owner, maker }: { owner: Owner | undefined; maker: RequestState['createdBy'] },
): Promise<Locale> {
  const sender = maker ? await findUser(table, maker.userId) : owner;
  return sender?.locale ?? state.locale;
}

interface Batch {
  request: SignatureRequest;
  owner: Owner | undefined;
  notice: OutboxNotice;
}

/** Mails one recipient; undefined if SES has not taken the mail, and a later run repeats it. */
async function mailOne(
  { mailer, now }: Parts,
  { request, owner, notice }: Batch,
  { recipient, to, content, kind }: NoticeMail,
): Promise<NoticeMailed | undefined> {
  const outcome = await mailer(
    {
      to,
      senderName: request.state.ownerName,
      brand: owner?.brand,
      content,
      about: { requestId: notice.requestId, ...(kind && { signerId: recipient, kind }) },
    },
    new Date(now().getTime() + MAIL_TIMEOUT_MS),
  );
  return outcome.isPostponed && mayRepeat(notice, now()) ? undefined : { recipient, kind, ...outcome };
}

/**
 * Mails a notice to its recipients, a few at once. Their outcomes are recorded in the transaction that takes them off the
 * list, so a crash repeats at most the mails that were under way, each once, and loses none. A mail that SES has not taken
 * stays on the list, with those of later batches, until the sweep's next message.
 */
export async function sendNotice(parts: Parts, notice: OutboxNotice): Promise<void> {
  const { table, now } = parts;
  const [request, owner] = await Promise.all([
    loadRequest(table, notice.requestId),
    findOwner(table, notice.ownerId),
  ]);
  if (!request) return table.delete(outboxKey(notice.id));
  const startedAt = now();
  const undecided = request.signers.filter(
    (signer) => notice.recipients.includes(signer.id) && isBeingInvited(signer, startedAt),
  );
  if (undecided.length > 0) throw new NoticeUnfinished('A signer is being invited.');
  const maker = await presentMaker(table, owner, request.state);
  const locale = await senderLocale(table, request, { owner, maker });
  const mails = noticeMails(request, { owner, maker, locale }, notice, parts);
  if (mails.length === 0) return table.delete(outboxKey(notice.id));
  const links = mails.flatMap(({ copyToken, recipient }) =>
    copyToken ? [copyLinkWrite(copyToken, request.state, recipient)] : [],
  );
  if (!(await leaseItem(table, notice, startedAt, LEASE_MS, links))) return;

  let known = request;
  for (let start = 0; start < mails.length; start += MAILS_AT_ONCE) {
    if (now().getTime() > startedAt.getTime() + RUN_MS)
      throw new NoticeUnfinished('The time of this run is over.');
    const batch = mails.slice(start, start + MAILS_AT_ONCE);
    const attempts = await Promise.allSettled(
      batch.map((mail) => mailOne(parts, { request, owner, notice }, mail)),
    );
    const mailed = attempts.flatMap((attempt) =>
      attempt.status === 'fulfilled' && attempt.value ? [attempt.value] : [],
    );
    const done = mailed.map(({ recipient }) => recipient);
    const left = mails.slice(start).flatMap(({ recipient }) => (done.includes(recipient) ? [] : [recipient]));
    if (mailed.length > 0) {
      const recorded = await changeRequest(
        parts,
        notice.requestId,
        (current, time) => noticesMailed(current, notice.reason, mailed, time),
        { known, extraWrites: [toldWrite(notice.id, left)] },
      );
      known = recorded?.request ?? known;
      await parts.send(recorded?.outbox ?? []);
    }
    const broken = attempts.find((attempt) => attempt.status === 'rejected');
    if (broken) throw broken.reason;
    // SES has not taken all of them: it would not take the next ones either.
    if (mailed.length < batch.length) return;
  }
}
