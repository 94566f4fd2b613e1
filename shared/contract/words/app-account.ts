import * as app from '../app.ts';
import { documentedAs, named } from './described.ts';
import { HASH, USER_ID } from './samples.ts';
import { ACCOUNT } from './tags.ts';

const documented = documentedAs(ACCOUNT);

const MEMBER = named('Member', app.addMember.answer, 'A member of an organization.', {
  user_id: ['The user’s id.', USER_ID],
  email: ['The user’s address.', 'mia@example.com'],
  role: ['`admin` may manage the organization, `member` uses requests.', 'member'],
  added_at: ['When the membership began.', '2026-11-21T10:00:00.000Z'],
});
const MEMBER_ID = { user_id: ['The member’s user id.', USER_ID] } as const;
const KEY_ID = '3f2a8c1e7b4d4e0f9a612c5d8e7f0a13';
const KEY_WORDS = {
  key_id: ['The key’s id.', KEY_ID],
  name: ['What the key is for. Null for keys from before there were names.', 'Shop'],
  prefix: ['The beginning of the key, by which it can be recognized.', 'esk_live_9vQ2'],
  test: ['Whether it makes test requests.', false],
  created_at: ['When it was created.', '2026-11-21T10:00:00.000Z'],
  last_used_at: ['When it was last used, to the hour. Null if it never was.', '2026-11-21T10:00:00.000Z'],
  revoked_at: ['When it was revoked. Null if it was not.', null],
} as const;

const BRAND_FIELDS = {
  display_name: ['The name on the page and in mails. Null: neutral.', 'Acme'],
  accent: ['The colour of buttons as #rrggbb, dark enough for white letters.', '#1a5fb4'],
  reply_to: ['Where answers to mails go.', 'office@example.com'],
  imprint_url: ['The owner’s imprint, linked from page and mails.', 'https://example.com/imprint'],
  privacy_url: ['The owner’s privacy notice.', 'https://example.com/privacy'],
  support_url: ['Where signers get help.', 'https://example.com/help'],
  time_zone: ['The zone of times in mails, beside UTC.', 'Europe/Helsinki'],
} as const;
const BRAND = named('OwnBrand', app.getBrand.answer, 'How an owner looks to signers.', {
  ...BRAND_FIELDS,
  logo: [
    'The logo. Null without one.',
    named('OwnLogo', app.getBrand.answer.shape.logo.unwrap(), 'A logo and its size in pixels.', {
      path: ['Its address in this service.', `/api/signing/v1/logos/${HASH}`],
      width: ['Its width.', 320],
      height: ['Its height.', 80],
    }),
  ],
});

const NOTICES_FIELDS = {
  notify: ['The address of notices about requests that API keys make. Null: none.', 'office@example.com'],
  signer_notices: ['Whether signers are told that a request was cancelled, declined or has expired.', true],
  reminders: ['Whether signers are reminded.', true],
} as const;
const NOTICES = named('Notices', app.getNotices.answer, 'Who is told what.', NOTICES_FIELDS);

/** The calls of those who manage an organization, or what is their own. */
export const ACCOUNT_ENDPOINTS = {
  'list-members': documented(app.listMembers, {
    description: 'All members, by address.',
    returns: 'The members.',
    answer: named('Members', app.listMembers.answer, 'The members of an organization.', {
      data: ['The members.', MEMBER],
    }),
  }),
  'add-member': documented(app.addMember, {
    description: 'Adds a person by address. One who is no user yet becomes one. A mail tells them.',
    returns: 'The person is a member.',
    body: named('AddMember', app.addMember.body, 'Who is to be a member.', {
      email: ['The person’s address.', 'mia@example.com'],
      role: ['`admin` may manage the organization, `member` uses requests.', 'member'],
      locale: ['The language of the mail. English without one.', 'en'],
    }),
    answer: MEMBER,
  }),
  'update-member': documented(app.updateMember, {
    description: 'Makes a member admin, or an admin member. The last admin stays.',
    returns: 'The role is changed.',
    params: MEMBER_ID,
    body: named('UpdateMember', app.updateMember.body, 'The new role.', {
      role: ['`admin` or `member`.', 'admin'],
    }),
    answer: MEMBER,
  }),
  'remove-member': documented(app.removeMember, {
    description: 'Ends a membership at once. The last admin stays.',
    returns: 'The membership has ended.',
    params: MEMBER_ID,
    answer: named('RemovedMember', app.removeMember.answer, 'A membership just ended.', {
      user_id: ['The user’s id.', USER_ID],
      removed_at: ['When it ended.', '2026-11-21T10:00:00.000Z'],
    }),
  }),
  'list-api-keys': documented(app.listApiKeys, {
    description: 'The keys, oldest first, without the keys themselves; of revoked ones the newest 50.',
    returns: 'The keys.',
    answer: named('ApiKeys', app.listApiKeys.answer, 'The API keys of an owner.', {
      data: [
        'The keys.',
        named('ApiKey', app.listApiKeys.answer.shape.data.element, 'An API key, without itself.', KEY_WORDS),
      ],
    }),
  }),
  'create-api-key': documented(app.createApiKey, {
    description: 'Creates a key. Only this answer shows it: the service stores its hash.',
    returns: 'The key.',
    body: named('CreateApiKey', app.createApiKey.body, 'A key to be.', {
      name: ['What the key is for.', 'Shop'],
      test: ['Whether it makes test requests.', false],
    }),
    answer: named('NewApiKey', app.createApiKey.answer, 'A key just created.', {
      ...KEY_WORDS,
      api_key: ['The key. It is not shown again.', 'esk_live_an-example-of-43-characters-and-not-any-key'],
    }),
  }),
  'revoke-api-key': documented(app.revokeApiKey, {
    description: 'Ends a key at once. Repeating it answers the first time.',
    returns: 'The key is revoked.',
    params: { key_id: ['The key’s id.', KEY_ID] },
    answer: named('RevokedApiKey', app.revokeApiKey.answer, 'A key that was revoked.', {
      key_id: ['The key’s id.', KEY_ID],
      revoked_at: ['When it was revoked.', '2026-11-21T10:00:00.000Z'],
    }),
  }),
  'get-brand': documented(app.getBrand, {
    description: 'Members that are null are neutral.',
    returns: 'The brand.',
    answer: BRAND,
  }),
  'update-brand': documented(app.updateBrand, {
    description: 'Members that are left out stay; null makes one neutral. Page and mails follow at once.',
    returns: 'The brand is changed.',
    body: named('UpdateBrand', app.updateBrand.body, 'What is to change.', {
      ...BRAND_FIELDS,
      logo_png_base64: [
        'A PNG in base64, at most 100 KB and 800 by 200 pixels, not interlaced.',
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
      ],
    }),
    answer: BRAND,
  }),
  'get-notices': documented(app.getNotices, {
    description:
      'Notices about a request made on the dashboard go to the user who made it instead, until they leave the organization.',
    returns: 'The settings.',
    answer: NOTICES,
  }),
  'update-notices': documented(app.updateNotices, {
    description: 'Settings that are left out stay as they are.',
    returns: 'The settings are changed.',
    body: named('UpdateNotices', app.updateNotices.body, 'What is to change.', NOTICES_FIELDS),
    answer: NOTICES,
  }),
} as const;
