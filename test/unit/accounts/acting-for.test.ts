import { assertAdmin, ownerFor, ownersOf } from '../../../shared/accounts/acting-for.ts';
import { addMember, removeMember } from '../../../shared/accounts/members.ts';
import type { Role } from '../../../shared/contract/fields.ts';
import { addOwner, findOwner, type Owner } from '../../../shared/store/owners.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, VISITOR } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const [ACME, BETA] = ['0b1c2d3e-0000-4000-8000-00000000000b', '0b1c2d3e-0000-4000-8000-00000000000a'];
const BY = { userId: 'operator', visitor: VISITOR, now: NOON };

let ann: Owner;

/** Ann, with this role in this organization. */
async function join(organization: string, role: Role): Promise<Owner> {
  const { member } = await addMember(table, organization, { email: 'ann@example.com', role }, BY);
  const user = await findOwner(table, member.userId);
  if (!user) throw new Error('There is no user.');
  return user;
}

beforeEach(async () => {
  memory.clear();
  await addOwner(table, ownerItem({ id: BETA, name: 'Beta' }));
  await addOwner(table, ownerItem({ id: ACME, name: 'Acme' }));
  ann = await join(BETA, 'member');
});

describe('whom a user acts for', () => {
  it('is themselves or an organization of theirs, in their role there', async () => {
    await join(ACME, 'admin');
    expect(await ownerFor(table, ann, 'user')).toEqual({ owner: ann, role: 'user' });
    expect(await ownerFor(table, ann, ACME)).toMatchObject({ owner: { id: ACME }, role: 'admin' });
    expect(await ownerFor(table, ann, BETA)).toMatchObject({ owner: { id: BETA }, role: 'member' });
    // Some programs write ids in capitals, which paths take too.
    expect(await ownerFor(table, ann, BETA.toUpperCase())).toMatchObject({ owner: { id: BETA } });
  });

  it('must be named', async () => {
    await expect(ownerFor(table, ann, undefined)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is never an organization that they do not belong to, which is answered like one that does not exist', async () => {
    for (const named of [ACME, '0b1c2d3e-0000-4000-8000-00000000000c'])
      await expect(ownerFor(table, ann, named)).rejects.toMatchObject({ code: 'not_found' });
    await removeMemberFromBeta();
    await expect(ownerFor(table, ann, BETA)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is listed: the user first, then their organizations by name', async () => {
    await join(ACME, 'admin');
    const listed = async () => (await ownersOf(table, ann)).map(({ owner, role }) => [owner.id, role]);
    expect(await listed()).toEqual([
      [ann.id, 'user'],
      [ACME, 'admin'],
      [BETA, 'member'],
    ]);
    await removeMemberFromBeta();
    expect(await listed()).toEqual([
      [ann.id, 'user'],
      [ACME, 'admin'],
    ]);
  });
});

/** An organization keeps an admin, so it gets another one first. */
async function removeMemberFromBeta(): Promise<void> {
  await addMember(table, BETA, { email: 'bob@example.com', role: 'admin' }, BY);
  await removeMember(table, BETA, ann.id, BY);
}

it('a member may not do what is for admins; a user may, with what is their own', () => {
  expect(() => assertAdmin({ role: 'member' })).toThrow(expect.objectContaining({ code: 'admin_required' }));
  for (const role of ['admin', 'user'] as const) assertAdmin({ role });
});

it('an owner that is no UUID is not found, and never looked up: the table refuses a long key', async () => {
  const before = memory.mock.calls().length;
  await expect(ownerFor(table, ann, 'x'.repeat(3_000))).rejects.toMatchObject({ code: 'not_found' });
  expect(memory.mock.calls()).toHaveLength(before);
});
