import type { Mailer } from '../mail/mailer.ts';
import { renderNewMember } from '../mail/render-account.ts';
import { SECOND } from '../runtime/time.ts';
import { outboxKey } from '../store/keys.ts';
import { findMember } from '../store/members.ts';
import type { OutboxMember } from '../store/outbox.ts';
import { findOwner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';

const MAIL_TIMEOUT_MS = 20 * SECOND;

interface Parts {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  now: () => Date;
}

/** Tells a new member of an organization, if they still are one. A crash repeats at most this one mail. */
export async function mailNewMember(
  { table, mailer, baseUrl, now }: Parts,
  { id, ownerId, userId, locale }: OutboxMember,
): Promise<void> {
  const [organization, member] = await Promise.all([
    findOwner(table, ownerId),
    findMember(table, ownerId, userId),
  ]);
  if (organization && member) {
    const content = renderNewMember({ locale, organization: organization.name, url: `${baseUrl}/app` });
    const deadline = new Date(now().getTime() + MAIL_TIMEOUT_MS);
    const mail = { to: member.email, senderName: organization.name, brand: undefined, content, about: null };
    await mailer(mail, deadline);
  }
  await table.delete(outboxKey(id));
}
