import { exportPersonalData } from '../../../admin/person-export.ts';
import { addMember } from '../../../shared/accounts/members.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { accountEventWrite } from '../../../shared/store/account-log.ts';
import { addKey } from '../../../shared/store/api-keys.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { metaKey } from '../../../shared/store/keys.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { addUser } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { BAD_NEWS, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON, VISITOR } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';
import {
  anna,
  correctedRequest,
  EMAIL,
  endedRequest,
  erase,
  itemsWith,
  memory,
  NAMES,
  operator,
  RIGHT,
  table,
  USER,
  visitor,
} from './stored-person.ts';

beforeEach(() => memory.clear());

describe('person export', () => {
  it('holds what is known of the person, and no secrets or others’ values', async () => {
    const id = await endedRequest({ isPurged: false });
    const copy = await exportPersonalData(EMAIL, operator);
    expect(copy).toMatchObject({
      email: EMAIL,
      accounts: [],
      requests: [
        {
          request_id: id,
          title: 'Contract',
          status: 'declined',
          sender_name: 'Acme',
          signer: {
            email: EMAIL,
            name_as_signed: 'Anna S. Svensson',
            ip_address: '198.51.100.9',
            representing_as_signed: 'my company',
            signature: { type: 'typed', text: 'typed mark' },
          },
          files: { bucket: 'DocumentsBucket', original: `requests/${id}/original.pdf`, sealed: null },
        },
      ],
    });
    const [request] = copy.requests;
    expect(request?.events.map(({ type }) => type)).toEqual([
      'request_created',
      'document_viewed',
      'link_opened',
      'signer_signed',
    ]);
    expect(request?.events[0]?.details).toEqual({
      invited: [expect.objectContaining({ signer_id: anna.id, email: EMAIL })],
    });
    expect(JSON.stringify(copy)).not.toMatch(/berta|link-1|"hash"|salts/i);
  });

  it('names the renewed copies of archived files too, which hold the same of the person', async () => {
    const id = await endedRequest({ isPurged: false });
    const renewed = { number: 1, at: NOON.toISOString(), documentHash: 'aa', evidenceHash: 'bb' };
    await table.update(metaKey(id), { renewed });
    const { requests } = await exportPersonalData(EMAIL, operator);
    expect(requests).toMatchObject([
      { files: { renewed: [`requests/${id}/renewed/aa.pdf`, `requests/${id}/renewed/bb.pdf`] } },
    ]);
  });

  it('goes on after a damaged request, which it names, and ends with exit code 1', async () => {
    const damaged = await endedRequest();
    const other = await endedRequest();
    await table.update(metaKey(damaged), { status: 'lost' });
    const notes: string[] = [];
    const copy = await exportPersonalData(EMAIL, { ...operator, terminal: pipes(notes) });
    expect(copy.requests).toMatchObject([{ request_id: other }]);
    expect(notes).toEqual([BAD_NEWS, expect.stringContaining(`REQ#${damaged} R#META is damaged`)]);
  });

  it('of a request whose signer was corrected, each of the two gets their own values alone', async () => {
    const id = await correctedRequest();
    const before = await exportPersonalData(EMAIL, operator);
    expect(before.requests).toMatchObject([{ request_id: id, signer: null }]);
    expect(before.requests[0]?.events.map(({ type }) => type)).toEqual([
      'request_created',
      'invitation_sent',
      'document_viewed',
    ]);
    expect(JSON.stringify(before)).not.toMatch(/right/i);
    const after = await exportPersonalData(RIGHT, operator);
    expect(after.requests).toMatchObject([{ request_id: id, signer: { email: RIGHT } }]);
    expect(after.requests[0]?.events.map(({ type }) => type)).toEqual(['signer_corrected']);
    expect(JSON.stringify(after)).not.toMatch(NAMES);
  });

  it('an address that was corrected to another and back is of one person', async () => {
    const id = await correctedRequest();
    await changed(table, id, (request, now) =>
      correct(
        request,
        { signerId: anna.id, email: EMAIL, accessToken: 'link-3', codeHash: 'hash' },
        new Date(now.getTime() + 60_000),
      ),
    );
    const { requests } = await exportPersonalData(EMAIL, operator);
    expect(requests).toMatchObject([{ request_id: id, signer: { email: EMAIL } }]);
    expect(requests[0]?.events.map(({ type }) => type)).toEqual([
      'request_created',
      'invitation_sent',
      'document_viewed',
      'signer_corrected',
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'API keys',
      () => addKey(table, USER.id, { keyId: 'k1', hash: 'h', mode: 'live', createdAt: NOON.toISOString() }),
    ],
    ['requests', () => storedNew(table, 1, { owner: USER })],
    ['test requests', () => storedNew(table, 1, { owner: { ...USER, mode: 'test' } })],
  ])('names the account of a user, which erasing keeps while it has %s', async (_, add) => {
    await addUser(table, ownerItem({ id: USER.id, type: 'user', name: EMAIL }));
    await add();
    const accounts = [expect.objectContaining({ user_id: USER.id })];
    expect(await exportPersonalData(EMAIL, operator)).toMatchObject({ accounts, requests: [] });
    expect(await erase()).toMatchObject({ complete: false, accounts_kept: accounts });
  });

  it('holds what is known of a user of the dashboard, also of an organization that they have left', async () => {
    await addOwner(table, ownerItem({ id: 'org-1', name: 'Acme' }));
    await addOwner(table, ownerItem({ id: 'org-2', name: 'Left' }));
    const by = { userId: 'operator', visitor: VISITOR, now: NOON };
    await addMember(table, 'org-1', { email: 'berta@example.com', role: 'admin' }, by);
    const { member } = await addMember(table, 'org-1', { email: EMAIL, role: 'member' }, by);
    const { session } = newAppSession(member.userId, visitor, NOON);
    const act = { userId: member.userId, visitor, now: NOON };
    const later = at(60_000);
    await table.transact([
      appSessionWrite(session),
      accountEventWrite(member.userId, 'signed_in', act, { session_id: session.id }),
      accountEventWrite('org-2', 'member_removed', { ...act, now: later }, { member: 'somebody' }),
    ]);
    const copy = await exportPersonalData(EMAIL, operator);
    expect(copy.accounts).toEqual([
      {
        user_id: member.userId,
        subscription: expect.any(String),
        created_at: expect.any(String),
        locale: null,
        notices_to: EMAIL,
        memberships: [
          { organization_id: 'org-1', name: 'Acme', role: 'member', added_at: NOON.toISOString() },
        ],
        sessions: [
          { created_at: NOON.toISOString(), expires_at: session.expiresAt, user_agent: 'secret-browser' },
        ],
        acts: ['signed_in', 'member_removed'].map((type, index) => ({
          at: [NOON, later][index]?.toISOString(),
          type,
          owner_id: [member.userId, 'org-2'][index],
          ip_address: '198.51.100.9',
          user_agent: 'secret-browser',
        })),
      },
    ]);
    expect(JSON.stringify(copy)).not.toMatch(new RegExp(`berta|somebody|operator|${session.hash}`));
  });

  it('erases a user with sessions, log and memberships, except the last admin of an organization', async () => {
    await addOwner(table, ownerItem({ id: 'org-1' }));
    const by = { userId: 'operator', visitor: VISITOR, now: NOON };
    const join = (email: string) => addMember(table, 'org-1', { email, role: 'admin' }, by);
    const { member } = await join(EMAIL);
    const { session } = newAppSession(member.userId, visitor, NOON);
    await table.transact([
      appSessionWrite(session),
      accountEventWrite(member.userId, 'signed_in', { userId: member.userId, visitor, now: NOON }),
    ]);
    expect(await erase()).toMatchObject({
      complete: false,
      accounts_kept: [{ reason: 'The organization org-1 has no other admin.' }],
    });
    await join('berta@example.com');
    expect(await erase()).toMatchObject({ complete: true, accounts_kept: [] });
    expect(itemsWith(NAMES)).toEqual([]);
    expect(memory.items.filter(({ pk }) => String(pk).includes(member.userId))).toEqual([]);
  });
});
