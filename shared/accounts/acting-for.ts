import { ApiError } from '../contract/api-error.ts';
import { pathId, type Role } from '../contract/fields.ts';
import { findMember, organizationsOf } from '../store/members.ts';
import { findOwner, type Owner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';

/** Whom a user may act for: themselves, and the organizations that they belong to. */

export interface ActingFor {
  owner: Owner;
  role: Role | 'user';
}

const notYours = () => new ApiError('not_found', 'You belong to no such organization.');

async function actingIn(table: Table, id: string, user: Owner): Promise<ActingFor | undefined> {
  const [owner, member] = await Promise.all([findOwner(table, id), findMember(table, id, user.id)]);
  return owner && member && { owner, role: member.role };
}

/** The owner that `X-Owner` names. One that the user does not belong to is answered like one that does not exist. */
export async function ownerFor(table: Table, user: Owner, named: string | undefined): Promise<ActingFor> {
  if (!named)
    throw new ApiError('invalid_request', 'X-Owner must be user, or the id of an organization.', {
      field: '/x-owner',
    });
  if (named === 'user') return { owner: user, role: 'user' };
  // DynamoDB refuses a key over 2 KB.
  const { data: id } = pathId.safeParse(named);
  const acting = id && (await actingIn(table, id, user));
  if (!acting) throw notYours();
  return acting;
}

/** Members use requests; only admins manage the rest. Users are admins of what is their own. */
export function assertAdmin({ role }: Pick<ActingFor, 'role'>): void {
  if (role === 'member') throw new ApiError('admin_required');
}

/** The user first, then organizations by name. */
export async function ownersOf(table: Table, user: Owner): Promise<ActingFor[]> {
  const ids = await organizationsOf(table, user.id);
  const found = await Promise.all(ids.map((id) => actingIn(table, id, user)));
  const byName = (a: ActingFor, b: ActingFor) => a.owner.name.localeCompare(b.owner.name);
  const organizations = found.flatMap((acting) => acting ?? []).sort(byName);
  return [{ owner: user, role: 'user' }, ...organizations];
}
