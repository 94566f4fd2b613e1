import type { Mailer } from '../mail/mailer.ts';
import { renderNewMember } from '../mail/render-account.ts';
import { log } from '../runtime/log.ts';
import { SECOND } from '../runtime/time.ts';
import { outboxKey } from '../store/keys.ts';
import { findMember } from '../store/members.ts';
import { leaseItem, type OutboxMember } from '../store/outbox.ts';
import { findOwner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { mayRepeat } from './send-notice.ts';

const MAIL_TIMEOUT_MS = 20 * SECOND;
/** Longer than the mail may take, shorter than until the sweep's next message. */
const LEASE_MS = 45 * SECOND;

interface Parts {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  now: () => Date;
}

/**
 * Tells a new member of an organization, if they still are one. A crash repeats at most this one mail. For a day the sweep
 * repeats a mail that SES has not taken; the member can sign in without it.
 */
export async function mailNewMember(
  { table, mailer, baseUrl, now }: Parts,
  item: OutboxMember,
): Promise<void> {
  const [organization, member] = await Promise.all([
    findOwner(table, item.ownerId),
    findMember(table, item.ownerId, item.userId),
  ]);
  if (organization && member) {
    const startedAt = now();
    if (!(await leaseItem(table, item, startedAt, LEASE_MS))) return;
    const content = renderNewMember({
      locale: item.locale,
      organization: organization.name,
      url: `${baseUrl}/app`,
      sentAt: startedAt.toISOString(),
    });
    const deadline = new Date(startedAt.getTime() + MAIL_TIMEOUT_MS);
    const mail = { to: member.email, senderName: organization.name, brand: undefined, content, about: null };
    const { sent, error, isPostponed } = await mailer(mail, deadline);
    if (isPostponed && mayRepeat(item, now())) return;
    if (!sent) log.warn('A new member was not told', { user_id: item.userId, mail_error: error });
  }
  await table.delete(outboxKey(item.id));
}
