import { randomUUID } from 'node:crypto';
import { ApiError } from '../contract/api-error.ts';
import type { Role } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import { after, DAY } from '../runtime/time.ts';
import { accountEventsAfter, accountEventWrite, type By } from '../store/account-log.ts';
import { addressHash } from '../store/keys.ts';
import { changeMember, type Member } from '../store/members.ts';
import { memberOutboxItem, type OutboxMember, outboxWrite } from '../store/outbox.ts';
import { ownerWrite } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { findUserByAddress, newUserWrites } from '../store/users.ts';
import type { Locale } from '../texts/languages.ts';
import { newOwner } from './new-owner.ts';

/** The members of an organization. Callers have checked that their caller may change them; `permit` checks it again. */

interface NewMember {
  email: string;
  role: Role;
  /** The language of the mail that tells them; without it none is sent. */
  tells?: Locale;
}

interface Addition {
  at: string;
  userId: string | undefined;
}

/** The additions after a time, oldest first. A read may see a new member, and not yet the event of the same transaction. */
async function additionsAfter(
  table: Table,
  organizationId: string,
  members: readonly Member[],
  time: string,
): Promise<Addition[]> {
  const events = await accountEventsAfter(table, organizationId, time);
  const logged = events
    .filter(({ type }) => type === 'member_added')
    .map(({ at, details }) => ({ at, userId: details.member }));
  const others = members
    .map(({ addedAt: at, userId }) => ({ at, userId }))
    .filter(({ at, userId }) => at > time && !logged.some((one) => one.at === at && one.userId === userId));
  return [...logged, ...others];
}

/**
 * Refuses what would mail people in bulk who did not ask for it. The log is read after the organization, on whose version
 * the change depends and each addition counts, so concurrent calls cannot exceed the limit together.
 */
function refuseManyMails(additions: readonly Addition[], userId: string) {
  const sameBefore = additions.filter((addition) => addition.userId === userId);
  for (const [before, most, whom] of [
    [additions, LIMITS.memberMails, 'people'],
    [sameBefore, LIMITS.memberMailsToOne, 'the same person'],
  ] as const) {
    const oldest = before.at(-most);
    if (!oldest) continue;
    const message = `An organization can add ${whom} at most ${most} times in 24 hours: each time a mail is sent.`;
    throw new ApiError('too_many_requests', message, { retryAt: after(oldest.at, DAY) });
  }
}

/** Adds the user of an address, who is made if need be. The mail goes into the outbox with the membership. */
export async function addMember(
  table: Table,
  organizationId: string,
  { email, role, tells }: NewMember,
  by: By,
): Promise<{ member: Member; outbox: OutboxMember[] }> {
  const at = by.now.toISOString();
  const added = await changeMember(table, organizationId, by.permit, async (members) => {
    const known = await findUserByAddress(table, addressHash(email));
    const user = known ?? newOwner({ type: 'user', name: email }, { now: () => by.now });
    if (members.some(({ userId }) => userId === user.id)) throw new ApiError('already_member');
    if (members.length >= LIMITS.members) throw new ApiError('too_many_members');
    if (tells)
      refuseManyMails(await additionsAfter(table, organizationId, members, after(by.now, -DAY)), user.id);
    const member: Member = { userId: user.id, email, role, addedAt: at };
    const outbox = tells
      ? [memberOutboxItem({ id: randomUUID(), ownerId: organizationId, userId: user.id, locale: tells }, at)]
      : [];
    const event = accountEventWrite(organizationId, 'member_added', by, { member: user.id, role });
    return {
      before: undefined,
      after: member,
      // A new version of a user who is being erased: the erasure then finds this membership too.
      userWrites: known ? [ownerWrite(known)] : newUserWrites(user),
      outbox,
      extraWrites: [event, ...outbox.map(outboxWrite)],
    };
  });
  return { member: added.after, outbox: added.outbox };
}

function memberIn(members: readonly Member[], userId: string): Member {
  const found = members.find((member) => member.userId === userId);
  if (!found) throw new ApiError('not_found', 'There is no such member.');
  return found;
}

/** The admin whom the organization keeps besides this one; undefined if this one is none. */
function otherAdminIn(members: readonly Member[], { userId, role }: Member): Member | undefined {
  if (role !== 'admin') return undefined;
  const other = members.find((member) => member.role === 'admin' && member.userId !== userId);
  if (!other) throw new ApiError('last_admin');
  return other;
}

export async function changeRole(
  table: Table,
  organizationId: string,
  { userId, role }: { userId: string; role: Role },
  by: By,
): Promise<Member> {
  const changed = await changeMember(table, organizationId, by.permit, (members) => {
    const before = memberIn(members, userId);
    const otherAdmin = role === 'admin' ? undefined : otherAdminIn(members, before);
    const event = accountEventWrite(organizationId, 'member_role_changed', by, { member: userId, role });
    // The dashboard repeats a call whose answer was lost.
    const extraWrites = before.role === role ? [] : [event];
    return { before, after: { ...before, role }, otherAdmin, extraWrites };
  });
  return changed.after;
}

export async function removeMember(
  table: Table,
  organizationId: string,
  userId: string,
  by: By,
): Promise<void> {
  await changeMember(table, organizationId, by.permit, (members) => {
    const before = memberIn(members, userId);
    const otherAdmin = otherAdminIn(members, before);
    const event = accountEventWrite(organizationId, 'member_removed', by, { member: userId });
    return { before, after: null, otherAdmin, extraWrites: [event] };
  });
}
