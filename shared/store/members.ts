import * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import { ROLES } from '../contract/fields.ts';
import type { RequestState } from '../requests/model.ts';
import { string } from '../runtime/schemas.ts';
import { MEMBER_OF_PREFIX, memberKey, memberOfKey, ownerPartition, userPartition } from './keys.ts';
import { findOwner, type Owner, ownerWrite, type Permit } from './owners.ts';
import { retryOnConflict, transactIfUnchanged } from './retry-on-conflict.ts';
import { changeWrites, holds, isNew, type Table, type Write } from './table.ts';

/** Members of organizations: one item with the organization, and one with the user that leads to it. */

const member = z.object({
  userId: string,
  email: string,
  role: z.enum(ROLES),
  addedAt: string,
});
export type Member = z.output<typeof member>;

const memberOf = z.object({ ownerId: string });

export const findMember = (table: Table, ownerId: string, userId: string): Promise<Member | undefined> =>
  table.find(member, memberKey(ownerId, userId));

type Maker = RequestState['createdBy'];

/** The user who made a request on the dashboard; null without one, and for one who has left its organization. */
export async function presentMaker(
  table: Table,
  owner: Owner | undefined,
  { createdBy }: { createdBy: Maker },
): Promise<Maker> {
  if (!createdBy || owner?.type !== 'organization') return createdBy;
  return (await findMember(table, owner.id, createdBy.userId)) ? createdBy : null;
}

/** By address. */
export async function listMembers(table: Table, ownerId: string): Promise<Member[]> {
  const sk = { prefix: memberKey(ownerId, '').sk };
  const members = await table.findAll(member, { pk: ownerPartition(ownerId), sk });
  return members.sort((a, b) => (a.email < b.email ? -1 : 1));
}

export async function organizationsOf(table: Table, userId: string): Promise<string[]> {
  const sk = { prefix: MEMBER_OF_PREFIX };
  const found = await table.findAll(memberOf, { pk: userPartition(userId), sk });
  return found.map(({ ownerId }) => ownerId);
}

/** The change of one member: its new state, or null if it ends. */
type MemberChange = {
  before: Member | undefined;
  after: Member | null;
  /** The change is only right while this member is an admin. */
  otherAdmin?: Member | undefined;
  /** Makes the user of an addition, or fails if the user was changed or erased since. */
  userWrites?: Write[];
  extraWrites?: Write[];
};

/** The member's own write is on the condition that the member still is what was read. */
const writesOf = (ownerId: string, { before, after }: MemberChange): Write[] => {
  const userId = (after ?? before)?.userId ?? '';
  const [key, leadingKey] = [memberKey(ownerId, userId), memberOfKey(userId, ownerId)];
  const condition = before ? holds({ role: before.role }) : isNew;
  if (!after) return [{ delete: key, condition }, { delete: leadingKey }];
  if (before) return changeWrites(key, before, after, condition);
  return [{ put: { ...key, ...after }, condition }, { put: { ...leadingKey, ownerId } }];
};

/** An update that changes nothing: a condition check would need another permission. */
const stillAdmin = (ownerId: string, { userId, role }: Member): Write => ({
  update: memberKey(ownerId, userId),
  set: { role },
  condition: holds({ role }),
});

/** The newest member was removed, if the read did not see it. A deletion of nothing needs no other permission. */
function newestIsRead({ id, newestMember }: Owner, members: readonly Member[]): Write[] {
  const isRead = newestMember === undefined || members.some(({ userId }) => userId === newestMember);
  return isRead ? [] : [{ delete: memberKey(id, newestMember), condition: isNew }];
}

/**
 * Changes a member if nothing about the organization changed since all members were read: two admins cannot both leave at once.
 * The reads may see another change in part, so the write also checks the member, the other admin, and for an addition the newest
 * member.
 */
export const changeMember = <C extends MemberChange>(
  table: Table,
  ownerId: string,
  permit: Permit | undefined,
  decide: (members: Member[], organization: Owner) => C | Promise<C>,
): Promise<C> =>
  retryOnConflict(async () => {
    const organization = await findOwner(table, ownerId);
    if (organization?.type !== 'organization')
      throw new ApiError('not_found', 'There is no such organization.');
    const members = await listMembers(table, ownerId);
    // After the members: somebody who is seen to be none any more must not add themselves.
    await permit?.();
    const change = await decide(members, organization);
    const { before, after, otherAdmin, userWrites = [], extraWrites = [] } = change;
    const added = before ? null : after;
    await transactIfUnchanged(
      table,
      [
        ownerWrite(organization, added ? { newestMember: added.userId } : {}),
        ...(otherAdmin ? [stillAdmin(ownerId, otherAdmin)] : []),
        ...(added && added.userId !== organization.newestMember ? newestIsRead(organization, members) : []),
        ...userWrites,
        ...writesOf(ownerId, change),
      ],
      extraWrites,
    );
    return change;
  });
