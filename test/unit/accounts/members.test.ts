import { jest } from '@jest/globals';
import { assertAdmin, ownerFor } from '../../../shared/accounts/acting-for.ts';
import { createKey } from '../../../shared/accounts/keys.ts';
import { addMember, changeRole, removeMember } from '../../../shared/accounts/members.ts';
import type { Role } from '../../../shared/contract/fields.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { HOUR } from '../../../shared/runtime/time.ts';
import { newestAccountEvents } from '../../../shared/store/account-log.ts';
import { addKey, revokeKey } from '../../../shared/store/api-keys.ts';
import { accountEventKey, addressHash, memberKey } from '../../../shared/store/keys.ts';
import { listMembers, type Member, organizationsOf } from '../../../shared/store/members.ts';
import { addOwner, changeOwnerBy, listOwners, loadAccount } from '../../../shared/store/owners.ts';
import { addUser, findUserByAddress } from '../../../shared/store/users.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, VISITOR } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const ORG = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
const BY = { userId: 'operator', visitor: VISITOR, now: NOON };

const add = async (name: string, role: Role, org = ORG) =>
  (await addMember(table, org, { email: `${name}@example.com`, role }, BY)).member;
const roles = async () => (await listMembers(table, ORG)).map(({ email, role }) => `${email} ${role}`);

beforeEach(async () => {
  memory.clear();
  await addOwner(table, ownerItem({ id: ORG }));
});

describe('members of an organization', () => {
  it('a person who is no user yet becomes one, and is found from both sides', async () => {
    const ann = await add('ann', 'admin');
    expect(await roles()).toEqual(['ann@example.com admin']);
    expect(await organizationsOf(table, ann.userId)).toEqual([ORG]);
    expect((await listOwners(table)).filter(({ type }) => type === 'user')).toMatchObject([
      {
        id: ann.userId,
        name: 'ann@example.com',
        subscription: 'none',
        archive: false,
        reminders: true,
        signerNotices: true,
      },
    ]);
  });

  it('members are listed by address', async () => {
    const names = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus'];
    for (const name of names.toReversed()) await add(name, 'member');
    expect(await roles()).toEqual(names.map((name) => `${name}@example.com member`));
  });

  it('a person belongs to several organizations as one user', async () => {
    await addOwner(table, ownerItem({ id: 'owner-2' }));
    const [one, other] = [await add('ann', 'admin'), await add('ann', 'member', 'owner-2')];
    expect(one.userId).toBe(other.userId);
    expect((await organizationsOf(table, one.userId)).sort()).toEqual([ORG, 'owner-2']);
  });

  it('another role leaves what a later version added to the member, and the same role changes nothing', async () => {
    const { userId } = await add('ann', 'admin');
    await add('bob', 'admin');
    await table.update(memberKey(ORG, userId), { addedLater: 'kept' });
    await changeRole(table, ORG, { userId, role: 'member' }, BY);
    await changeRole(table, ORG, { userId, role: 'member' }, BY);
    expect(memory.item(memberKey(ORG, userId))).toMatchObject({ role: 'member', addedLater: 'kept' });
  });

  it('two calls at once make one user of an address', async () => {
    await addOwner(table, ownerItem({ id: 'owner-2' }));
    memory.beforeWrites.push(() => add('ann', 'member', 'owner-2'));
    await add('ann', 'member');
    expect((await listOwners(table)).filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  it('a person is a member once, and an organization has at most a hundred', async () => {
    await add('ann', 'admin');
    await expect(add('ann', 'member')).rejects.toMatchObject({ code: 'already_member' });
    for (let n = 1; n < LIMITS.members; n += 1) await add(`m${n}`, 'member');
    await expect(add('late', 'member')).rejects.toMatchObject({ code: 'too_many_members' });
    expect(await findUserByAddress(table, addressHash('late@example.com'))).toBeUndefined();
    await expect(add('ann', 'admin', 'owner-9')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('nobody has a role in what is no organization, or loses it', async () => {
    const { userId } = await add('ann', 'admin');
    for (const id of ['owner-9', userId]) {
      await expect(changeRole(table, id, { userId, role: 'member' }, BY)).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(removeMember(table, id, userId, BY)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('the mail to a new member is in the outbox with the membership, or neither is there', async () => {
    memory.beforeWrites.push(() => {
      throw new Error('unreachable');
    });
    const input = { email: 'ann@example.com', role: 'member', tells: 'fi' } as const;
    await expect(addMember(table, ORG, input, BY)).rejects.toThrow('unreachable');
    expect(memory.items.filter(({ pk }) => /^(OUTBOX|OWNER#aaaaaaaa)/.test(String(pk)))).toHaveLength(1);
    const { member, outbox } = await addMember(table, ORG, input, BY);
    expect(outbox).toMatchObject([{ kind: 'member', ownerId: ORG, userId: member.userId, locale: 'fi' }]);
    expect(memory.items.filter(({ pk }) => String(pk).startsWith('OUTBOX'))).toHaveLength(1);
  });

  it('people are mailed at most a hundred times in 24 hours, and nobody more than three times, whoever they are', async () => {
    const at = (hours: number) => ({ ...BY, now: new Date(NOON.getTime() + hours * HOUR) });
    const invite = (name: string, hours: number) =>
      addMember(table, ORG, { email: `${name}@example.com`, role: 'member', tells: 'en' }, at(hours));
    const inviteAndRemove = async (name: string, hours: number) => {
      const { member } = await invite(name, hours);
      await removeMember(table, ORG, member.userId, at(hours));
    };
    for (let hours = 0; hours < LIMITS.memberMailsToOne; hours += 1) await inviteAndRemove('ann', hours);
    await expect(invite('ann', 4)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAt: at(24).now.toISOString(),
    });
    // Without a mail there is nothing to limit.
    const ann = await addMember(table, ORG, { email: 'ann@example.com', role: 'member' }, at(4));
    await removeMember(table, ORG, ann.member.userId, at(4));
    for (let n = LIMITS.memberMailsToOne + 1; n < LIMITS.memberMails; n += 1)
      await inviteAndRemove(`m${n}`, 5);
    await expect(invite('late', 6)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(memory.items.filter(({ pk }) => String(pk).startsWith('OUTBOX'))).toHaveLength(
      LIMITS.memberMails - 1,
    );
    await invite('late', 24);
  });

  it('calls at once do not mail more together', async () => {
    for (let n = 1; n < LIMITS.memberMails; n += 1) await add(`m${n}`, 'member');
    const invite = (name: string) =>
      addMember(table, ORG, { email: `${name}@example.com`, role: 'member', tells: 'en' }, BY);
    const [first] = await listMembers(table, ORG);
    await removeMember(table, ORG, first?.userId ?? '', BY);
    memory.beforeWrites.push(() => invite('one'));
    await expect(invite('two')).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  it('who stays a member counts once among those who were mailed, and after 24 hours no more', async () => {
    const invite = (name: string, now = NOON) =>
      addMember(table, ORG, { email: `${name}@example.com`, role: 'member', tells: 'en' }, { ...BY, now });
    for (let n = 1; n < LIMITS.memberMails; n += 1) await add(`m${n}`, 'member');
    const nextDay = new Date(NOON.getTime() + 24 * HOUR);
    for (const [name, now] of [
      ['last', NOON],
      ['next', nextDay],
    ] as const) {
      const { member } = await invite(name, now);
      await removeMember(table, ORG, member.userId, { ...BY, now });
    }
    await expect(invite('late')).rejects.toMatchObject({ code: 'too_many_requests' });
    await invite('late', nextDay);
  });

  it('every change is in the log of the account, once if its call is repeated', async () => {
    const [ann, bob] = [await add('ann', 'admin'), await add('bob', 'member')];
    for (let call = 0; call < 2; call += 1)
      expect(await changeRole(table, ORG, { userId: bob.userId, role: 'admin' }, BY)).toMatchObject({
        role: 'admin',
      });
    await removeMember(table, ORG, ann.userId, BY);
    const events = await newestAccountEvents(table, ORG, 10);
    expect(events.map(({ type, details }) => [type, details.member]).sort()).toEqual(
      [
        ['member_added', ann.userId],
        ['member_added', bob.userId],
        ['member_removed', ann.userId],
        ['member_role_changed', bob.userId],
      ].sort(),
    );
  });
});

const MIA = ownerItem({ type: 'user', id: 'mia', name: 'mia@example.com' });
const permit = async () => assertAdmin(await ownerFor(table, MIA, ORG));
const BY_MIA = { ...BY, userId: MIA.id, permit };

describe('a change by somebody who is no admin any more', () => {
  it('somebody who is no admin any more makes no user by adding them', async () => {
    const added = addMember(table, ORG, { email: 'new@example.com', role: 'member' }, BY_MIA);
    await expect(added).rejects.toMatchObject({ code: 'not_found' });
    expect(await findUserByAddress(table, addressHash('new@example.com'))).toBeUndefined();
  });

  it.each([
    ['removed', (): Promise<unknown> => removeMember(table, ORG, MIA.id, BY), 'not_found'],
    [
      'made a member',
      (): Promise<unknown> => changeRole(table, ORG, { userId: MIA.id, role: 'member' }, BY),
      'admin_required',
    ],
  ])('an admin who is %s while their call is under way changes nothing by it', async (_, end, code) => {
    const key = { mode: 'live', name: null } as const;
    for (const change of [
      () => addMember(table, ORG, { email: 'eve@example.com', role: 'admin' }, BY_MIA),
      (bob: Member) => changeRole(table, ORG, { userId: bob.userId, role: 'admin' }, BY_MIA),
      (bob: Member) => removeMember(table, ORG, bob.userId, BY_MIA),
      () => createKey(ownerItem({ id: ORG }), key, { table, now: () => NOON }, { permit }),
      () => revokeKey(table, 'key-1', NOON.toISOString(), { permit }),
      () => changeOwnerBy(table, ORG, () => ({ notify: 'eve@example.com' }), { permit }),
    ]) {
      memory.clear();
      await addOwner(table, ownerItem({ id: ORG }));
      await addUser(table, MIA);
      await addUser(table, ownerItem({ type: 'user', id: 'eve', name: 'eve@example.com' }));
      await add('mia', 'admin');
      const bob = await add('bob', 'member');
      await add('ann', 'admin');
      await addKey(table, ORG, { keyId: 'key-1', hash: 'h', mode: 'live', createdAt: NOON.toISOString() });
      const after = async () => JSON.stringify([await loadAccount(table, ORG), await roles()]);
      let before = '';
      memory.beforeWrites.push(async () => {
        await end();
        before = await after();
      });
      await expect(change(bob)).rejects.toMatchObject({ code });
      expect(await after()).toBe(before);
    }
  });
});

describe('an admin who loses that right, while a read of them alone shows it still', () => {
  afterEach(() => jest.restoreAllMocks());

  /** Reads show the change in part: the member's item as before, until all members are read. */
  async function showsAdmin(change: () => Promise<unknown>) {
    const key = memberKey(ORG, MIA.id);
    const before = memory.item(key);
    await change();
    const { get, queryAll } = table;
    let isRead = false;
    jest.spyOn(table, 'queryAll').mockImplementation((query) => {
      isRead ||= query.pk === key.pk;
      return queryAll(query);
    });
    jest.spyOn(table, 'get').mockImplementation((asked, options) => {
      const isOld = !isRead && asked.pk === key.pk && asked.sk === key.sk;
      return isOld ? Promise.resolve(before) : get.call(table, asked, options);
    });
  }

  beforeEach(async () => {
    await addUser(table, MIA);
    await add('mia', 'admin');
    await add('ann', 'admin');
  });

  it('does not add themselves again', async () => {
    await showsAdmin(() => removeMember(table, ORG, MIA.id, BY));
    const added = addMember(table, ORG, { email: MIA.name, role: 'admin' }, BY_MIA);
    await expect(added).rejects.toMatchObject({ code: 'not_found' });
    expect(await roles()).toEqual(['ann@example.com admin']);
  });

  it('does not make themselves admin again', async () => {
    await showsAdmin(() => changeRole(table, ORG, { userId: MIA.id, role: 'member' }, BY));
    const changed = changeRole(table, ORG, { userId: MIA.id, role: 'admin' }, BY_MIA);
    await expect(changed).rejects.toMatchObject({ code: 'admin_required' });
    expect(await roles()).toEqual(['ann@example.com admin', 'mia@example.com member']);
  });
});

/** The next read of the members sees them as they were before this change, beside the organization as it left it. */
async function readsInPart(change: () => Promise<unknown>) {
  const { pk, sk: prefix } = memberKey(ORG, '');
  const before = await table.queryAll({ pk, sk: { prefix } });
  await change();
  return jest.spyOn(table, 'queryAll').mockResolvedValueOnce(before);
}

describe('a read that saw the organization as another change left it, and the members as before', () => {
  afterEach(() => jest.restoreAllMocks());

  it('makes nobody a member twice', async () => {
    await readsInPart(() => add('ann', 'admin'));
    await expect(add('ann', 'member')).rejects.toMatchObject({ code: 'already_member' });
    expect(await roles()).toEqual(['ann@example.com admin']);
  });

  it('makes nobody a member beyond a hundred', async () => {
    for (let n = 1; n < LIMITS.members; n += 1) await add(`m${n}`, 'member');
    await readsInPart(() => add('ann', 'admin'));
    await expect(add('late', 'member')).rejects.toMatchObject({ code: 'too_many_members' });
    expect(await roles()).toHaveLength(LIMITS.members);
  });

  it('mails no more than a hundred people', async () => {
    for (let n = 1; n < LIMITS.memberMails; n += 1) await add(`m${n}`, 'member');
    const [first] = await listMembers(table, ORG);
    await removeMember(table, ORG, first?.userId ?? '', BY);
    const { pk } = accountEventKey(ORG, '', '');
    const before = await table.queryAll({ pk });
    await add('ann', 'member');
    const read = table.queryAll;
    jest
      .spyOn(table, 'queryAll')
      .mockImplementation(async (query) => (query.pk === pk ? before : read(query)));
    const email = 'late@example.com';
    const addition = addMember(table, ORG, { email, role: 'member', tells: 'en' }, BY);
    await expect(addition).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  it('gives no role to somebody who was removed, and removes nobody twice', async () => {
    await add('ann', 'admin');
    for (const change of [
      (userId: string): Promise<unknown> => changeRole(table, ORG, { userId, role: 'admin' }, BY),
      (userId: string): Promise<unknown> => removeMember(table, ORG, userId, BY),
    ]) {
      const { userId } = await add('bob', 'member');
      await readsInPart(() => removeMember(table, ORG, userId, BY));
      await expect(change(userId)).rejects.toMatchObject({ code: 'not_found' });
      expect(await roles()).toEqual(['ann@example.com admin']);
    }
  });
});

describe('the last admin', () => {
  it('stays admin and stays a member', async () => {
    const ann = await add('ann', 'admin');
    await add('bob', 'member');
    await expect(removeMember(table, ORG, ann.userId, BY)).rejects.toMatchObject({ code: 'last_admin' });
    const demoted = changeRole(table, ORG, { userId: ann.userId, role: 'member' }, BY);
    await expect(demoted).rejects.toMatchObject({ code: 'last_admin' });
    await changeRole(table, ORG, { userId: ann.userId, role: 'admin' }, BY);
    expect(await roles()).toEqual(['ann@example.com admin', 'bob@example.com member']);
  });

  it('of two admins who leave or are demoted at the same time, one stays admin', async () => {
    for (const end of [
      (userId: string) => removeMember(table, ORG, userId, BY),
      (userId: string) => changeRole(table, ORG, { userId, role: 'member' }, BY),
    ]) {
      memory.clear();
      await addOwner(table, ownerItem({ id: ORG }));
      const [ann, bob] = [await add('ann', 'admin'), await add('bob', 'admin')];
      memory.beforeWrites.push(() => end(bob.userId));
      await expect(end(ann.userId)).rejects.toMatchObject({ code: 'last_admin' });
      expect((await roles()).filter((each) => each.endsWith('admin'))).toEqual(['ann@example.com admin']);
    }
  });

  it('stays, also if a read saw the organization as another change left it, and the members as before', async () => {
    for (const end of [
      (userId: string) => removeMember(table, ORG, userId, BY),
      (userId: string) => changeRole(table, ORG, { userId, role: 'member' }, BY),
    ]) {
      memory.clear();
      await addOwner(table, ownerItem({ id: ORG }));
      const [ann, bob] = [await add('ann', 'admin'), await add('bob', 'admin')];
      const read = await readsInPart(() => end(bob.userId));
      await expect(end(ann.userId)).rejects.toMatchObject({ code: 'last_admin' });
      expect(read).toHaveBeenCalledTimes(2);
      read.mockRestore();
      expect((await roles()).filter((each) => each.endsWith('admin'))).toEqual(['ann@example.com admin']);
    }
  });

  it('of somebody who is no member nothing changes', async () => {
    await add('ann', 'admin');
    await expect(removeMember(table, ORG, 'nobody', BY)).rejects.toMatchObject({ code: 'not_found' });
  });
});
