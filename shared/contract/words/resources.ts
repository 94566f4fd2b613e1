import { ACTORS, type RequestStatus } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import {
  auditEvent,
  auditTrail,
  mail,
  retention,
  signatureRequest,
  signer,
  signerInRequest,
  summary,
} from '../resources.ts';
import { named } from './described.ts';
import { ACCESS_TOKEN, HASH, REQUEST_ID, SIGN_URL, SIGNER_ID } from './samples.ts';

/** Words that the full form, the list and the event payloads share. The examples are those of a request in this status. */
export const requestHeadWords = (status: RequestStatus) =>
  ({
    status: ['Where the request stands.', status],
    title: ['The title that signers see in mails and on the page.', 'Lease agreement'],
    reference: ['Your own name for the request, as sent at creation.', 'Lease 2026/117'],
  }) as const;

export const requestTimesWords = (status: RequestStatus) =>
  ({
    created_at: ['When the request was created.', '2026-11-21T10:00:00.000Z'],
    sent_at: [
      'When the first invitation was mailed. Null while none could be.',
      status === 'pending' ? null : '2026-11-21T10:00:01.190Z',
    ],
    signed_at: [
      'When the document was sealed, after the last signature. Null until then.',
      status === 'signed' ? '2026-11-21T10:25:03.480Z' : null,
    ],
    cancelled_at: [
      'When the request was cancelled. Null if it was not.',
      status === 'cancelled' ? '2026-11-22T09:00:00.000Z' : null,
    ],
    expires_at: ['Until when signers can sign.', '2026-12-21T10:00:00.000Z'],
  }) as const;

const IS_EXPIRED = [
  'Whether `expires_at` passed before the request was signed, declined or cancelled. `status` follows within a day, when the daily job has run.',
  false,
] as const;
const IS_TEST = ['Whether the request was made in test mode.', false] as const;

export const pageWords = {
  has_more: ['Whether there is another page.', true],
  next_cursor: [
    'Pass it as `cursor` to get the next page. Null on the last one.',
    'eyJhZnRlciI6IjIwMjYtMTEtMjEifQ.k3Jq',
  ],
} as const;

export const AUDIT_EVENT = named(
  'AuditEvent',
  auditEvent,
  'One entry of the audit trail. Each holds the hash of the one before it, so a removed or changed entry shows.',
  {
    sequence: ['The entry’s place in the trail, from 1.', 4],
    type: ['What happened. New types may be added: ignore those that you do not know.', 'signer_signed'],
    at: ['When it happened.', '2026-11-21T10:25:00.000Z'],
    actor: [`Who caused it: ${ACTORS.map((actor) => `\`${actor}\``).join(', ')}.`, 'signer'],
    signer_id: ['The signer whom it is about. Null if it is about the request.', SIGNER_ID],
    ip_address: [
      'The address that the call came from, of a signer’s calls, and of downloads and deletions by the sender. Else null.',
      '203.0.113.7',
    ],
    user_agent: [
      'The browser or program, as it named itself. Null if it did not, and where `ip_address` is.',
      'Mozilla/5.0 (X11; Linux x86_64)',
    ],
    details: ['Facts that depend on `type`.', { name: 'Mia Example' }],
    previous_hash: [
      'The `hash` of the entry before this one.',
      '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
    ],
    hash: ['The SHA-256 of this entry and of `previous_hash`, in hex.', HASH],
  },
);

const AUDIT_TRAIL = named('AuditTrail', auditTrail, 'What happened to a request, oldest first.', {
  events: [
    'The newest 1,000 entries. If there are more, the answer has the header `Audit-Trail-Truncated: true`; `GET /api/v1/signatures/{id}/events` pages through all.',
    AUDIT_EVENT,
  ],
});

const MAIL = named('Mail', mail, 'A mail to a signer.', {
  kind: ['What the mail is.', 'invitation'],
  sent_at: ['When it was sent, or was to be.', '2026-11-21T10:00:01.190Z'],
  outcome: ['What came of it. A bounce or a complaint may come hours later.', 'sent'],
  at: ['When the outcome was known.', '2026-11-21T10:00:01.190Z'],
});

export const SIGNER_WORDS = {
  id: ['The signer’s id.', SIGNER_ID],
  email: ['The e-mail address that mails go to, in lower case.', 'mia@example.com'],
  name: ['The signer’s name, or the e-mail address if none was given.', 'Mia Example'],
  access_token: [
    'The secret part of the signing link. Whoever has it can open the link: keep it out of logs.',
    ACCESS_TOKEN,
  ],
  sign_url: ['The signing link, as mailed to the signer.', SIGN_URL],
  status: ['Where the signer stands.', 'signed'],
  sent_at: ['When the invitation was last mailed. Null while it could not be.', '2026-11-21T10:00:01.190Z'],
  opened_at: ['When the signer first opened the link.', '2026-11-21T10:20:00.000Z'],
  signed_at: ['When the signer signed.', '2026-11-21T10:25:00.000Z'],
  declined_at: ['When the signer declined.', null],
  decline_reason: ['Why the signer declined, if a reason was given.', null],
  locale: ['The language of the signer’s mails and page.', 'en'],
  mails: [`The newest ${LIMITS.mailsInAnswer} mails to the signer, oldest first.`, MAIL],
} as const;

const SIGNER_IN_REQUEST = named(
  'SignatureRequestSigner',
  signerInRequest,
  'A signer, as a request shows it. `GET /api/v1/signatures/{id}/signers` tells more.',
  SIGNER_WORDS,
);

export const SIGNER = named('Signer', signer, 'A signer with all that is known of the signature.', {
  ...SIGNER_WORDS,
  name_as_invited: ['The name that you gave, or corrected. Null if you gave none.', 'Mia Example'],
  name_as_signed: ['The name that the signer entered when signing.', 'Mia M. Example'],
  position: ['The signer’s place in the list, from 0. Signers may sign in any order.', 0],
  invalidated_at: [
    'When the link stopped working because the request was cancelled or another signer declined.',
    null,
  ],
  ip_address: ['The address that the signer signed or declined from.', '203.0.113.7'],
  user_agent: [
    'The browser that the signer signed or declined with, as it named itself.',
    'Mozilla/5.0 (X11; Linux x86_64)',
  ],
  representing_as_invited: ['Whom the signer was invited to sign for.', null],
  representing_as_signed: ['Whom the signer signed for, if for somebody else.', 'Acme Ltd'],
  representing_role: ['In which role, in the signer’s words.', 'Managing director'],
  representing_entity_id: ['The register number or other id of who is represented.', 'HRB 12345'],
  audit_trail: [
    'The part of the audit trail that is about this signer. All signers of an answer have at most 1,000 entries together, shared out evenly; entries before the newest 20,000 of a request are left out.',
    AUDIT_TRAIL,
  ],
});

const RETENTION = named('Retention', retention, 'How long the PDFs are kept.', {
  is_archive_protected: ['Whether an archive keeps the PDFs without limit.', false],
  pdf_purged: ['Whether the PDFs were deleted. The record and its audit trail stay.', false],
  pdf_purged_at: ['When they were deleted.', null],
  pdf_available_until: [
    'Until when the sealed PDF can be downloaded, if it is not deleted sooner. Null until it is sealed, and with an archive.',
    '2026-11-28T10:25:03.480Z',
  ],
  pdf_days_remaining: ['The days left until then, rounded up.', 7],
});

export const SUMMARY = named('SignatureRequestSummary', summary, 'A signature request, as lists show it.', {
  id: ['The request’s id.', REQUEST_ID],
  ...requestHeadWords('sent'),
  signer_count: ['How many signers the request has.', 1],
  ...requestTimesWords('sent'),
  is_expired: IS_EXPIRED,
  test: IS_TEST,
});

export const SIGNATURE_REQUEST = named(
  'SignatureRequest',
  signatureRequest,
  `One PDF that 1 to ${LIMITS.signers} people are asked to sign.`,
  {
    id: ['The request’s id.', REQUEST_ID],
    ...requestHeadWords('signed'),
    message: ['Your message to the signers; empty if you gave none.', 'Please sign before Friday.'],
    ...requestTimesWords('signed'),
    is_expired: IS_EXPIRED,
    retention: ['How long the PDFs are kept.', RETENTION],
    signers: ['The signers, by position.', SIGNER_IN_REQUEST],
    document_hash: [
      'The SHA-256, in lower-case hex, of exactly the bytes that the document endpoint answers. Null until the document is sealed.',
      HASH,
    ],
    audit_trail: ['What happened so far.', AUDIT_TRAIL],
    metadata: ['Your own data, unchanged, as sent at creation.', { contract: 4711 }],
    sender_email: ['The sender’s e-mail address. Null for requests made with an API key.', null],
    created_via: ['How the request was made: `api` with an API key, `web` on the dashboard.', 'api'],
    owner_type: ['Whether a user or an organization owns the request.', 'organization'],
    user_id: [
      'The user who owns it, if `owner_type` is `user`.',
      '0d9f7f0e-64b5-4b0a-9a0e-6d3a3c1f5a10',
      'alternative',
    ],
    organization_id: [
      'The organization that owns it, if `owner_type` is `organization`.',
      '5c1d9a34-2f7b-4c57-9a51-7c0a1f3e8b22',
    ],
    test: IS_TEST,
    reminders: ['Whether signers are reminded after 3 and 7 days.', true],
    return_url: ['Where signers can go after signing or declining.', 'https://client.example.com/done'],
    token: ['The only signer’s `access_token`. Use `signers` instead.', ACCESS_TOKEN, 'deprecated'],
    sign_url: ['The only signer’s `sign_url`. Use `signers` instead.', SIGN_URL, 'deprecated'],
    signer_email: ['The only signer’s `email`. Use `signers` instead.', 'mia@example.com', 'deprecated'],
    signer_name: ['The only signer’s `name`. Use `signers` instead.', 'Mia Example', 'deprecated'],
    opened_at: [
      'The only signer’s `opened_at`. Use `signers` instead.',
      '2026-11-21T10:20:00.000Z',
      'deprecated',
    ],
  },
);
