import { grouped } from '../../runtime/grouped.ts';
import { LIMITS } from '../limits.ts';
import * as signatures from '../signatures.ts';
import { documentedAs, named } from './described.ts';
import { AUDIT_EVENT, pageWords, SIGNATURE_REQUEST, SIGNER, SIGNER_WORDS, SUMMARY } from './resources.ts';
import { ACCESS_TOKEN, REQUEST_ID, SIGN_URL, SIGNER_ID, UPLOAD_ID } from './samples.ts';
import { REQUESTS, SIGNERS } from './tags.ts';

const documentRequest = documentedAs(REQUESTS);
const documentSigner = documentedAs(SIGNERS);

export const requestId = ['The request’s id, from the answer that created it.', REQUEST_ID] as const;
const signerParams = {
  id: requestId,
  signer_id: ['The signer’s id, from the list of signers.', SIGNER_ID],
} as const;
const LOCALE = 'The language of the signer’s mails and page.';
const EMAIL_ERROR = [
  'Why the invitation could not be mailed: `rejected`, `invalid_address`, `sender_not_verified`, `sending_paused`, `quota_exceeded`, `throttled`, `unavailable` or `not_permitted`. Null if it was.',
  null,
] as const;
const EMAIL_SENT = ['Whether the invitation was mailed.', true] as const;

export const pagingWords = {
  limit: ['How many entries a page has at most.', LIMITS.defaultPageSize],
  cursor: [
    'The `next_cursor` of the page before, with the same filters. Do not make one yourself.',
    pageWords.next_cursor[1],
  ],
} as const;

const body = signatures.createSignature.body.shape;

const DOCUMENT = named(
  'DocumentInput',
  body.document,
  'The PDF to be signed: inline in `content_base64`, or uploaded before and named by `upload_id`.',
  {
    filename: ['The file’s name, as signers see it. `document.pdf` if you send none.', 'lease.pdf'],
    content_base64: [
      `The PDF as base64, at most ${grouped(LIMITS.documentBytes)} bytes decoded.`,
      'JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoK',
    ],
    upload_id: [
      'The id that `POST /api/v1/uploads` answered, instead of `content_base64`.',
      UPLOAD_ID,
      'alternative',
    ],
  },
);

const INVITED_SIGNER = named('SignerInput', body.signers.unwrap().element, 'Someone who is asked to sign.', {
  email: [
    'Where the invitation and the codes are mailed. Each signer needs an address of their own.',
    'mia@example.com',
  ],
  name: ['The signer’s name, as it stands in mails and on the page.', 'Mia Example'],
  locale: [`${LOCALE} The request’s \`locale\` if you send none.`, 'en'],
});

const CREATED_SIGNER = named(
  'CreatedSigner',
  signatures.createSignature.answer.shape.signers.element,
  'A signer of a request just created, with the outcome of the invitation.',
  {
    id: ['The signer’s id.', SIGNER_ID],
    email: ['The e-mail address that mails go to, in lower case.', 'mia@example.com'],
    name: ['The signer’s name, or the e-mail address if you gave none.', 'Mia Example'],
    access_token: ['The secret part of the signing link. Keep it out of logs.', ACCESS_TOKEN],
    sign_url: ['The signing link, as mailed to the signer.', SIGN_URL],
    email_sent: EMAIL_SENT,
    email_error: EMAIL_ERROR,
    locale: [LOCALE, 'en'],
  },
);

const createSignature = documentRequest(signatures.createSignature, {
  operationId: 'createSignatureRequest',
  description:
    'Checks and stores the PDF, and mails each signer an invitation. A PDF that is accepted can be sealed later. ' +
    'A mail that fails does not fail the call: see `email_sent` of each signer, and resend.\n\n' +
    'Send an `Idempotency-Key`, so that a call which you repeat after a time-out creates nothing twice.',
  returns: 'The request is created and the invitations were attempted.',
  answerHeaders: ['Idempotent-Replayed'],
  headers: {
    'idempotency-key': [
      'A text of your choice, unique to this request. Within 24 hours a second call with the same key and body gets the answer of the first.',
      'lease-2026-117',
    ],
  },
  body: named('CreateSignatureRequest', signatures.createSignature.body, 'A new signature request.', {
    title: ['Shown to signers in mails and on the page.', 'Lease agreement'],
    message: ['Shown to every signer, in the invitation and on the page.', 'Please sign before Friday.'],
    signers: [
      'Who is to sign, in any order. Required, unless you use the single-signer form.',
      INVITED_SIGNER,
    ],
    locale: ['The language of signers who have none of their own. `en` if you send none.', 'en'],
    document: ['The PDF to be signed.', DOCUMENT],
    metadata: ['Your own data, returned unchanged. At most 16 KB as JSON.', { contract: 4711 }],
    reminders: [
      'Whether signers are reminded after 3 and 7 days. True has no effect if the owner has turned reminders off.',
      true,
    ],
    reference: ['Your own name for the request, to find it by. It need not be unique.', 'Lease 2026/117'],
    return_url: [
      'Where signers can go after signing or declining. It comes back as a URI: characters that URIs lack are encoded. `signature_request_id`, `signer_id` and `outcome` are added to its query: a hint, no proof.',
      'https://client.example.com/done',
    ],
    expires_in_days: ['After how many days the request expires. 30 if you send none.', 14],
    signer_email: ['The address of the only signer. Use `signers` instead.', 'mia@example.com', 'deprecated'],
    signer_name: ['The name of the only signer. Use `signers` instead.', 'Mia Example', 'deprecated'],
  }),
  answer: named('CreatedSignatureRequest', signatures.createSignature.answer, 'A request just created.', {
    id: ['The request’s id. Store it: all other calls need it.', REQUEST_ID],
    status: ['`sent` if at least one invitation was mailed, else `pending`.', 'sent'],
    expires_at: ['Until when signers can sign.', '2026-12-21T10:00:00.000Z'],
    signers: ['The signers, in the order that you sent them.', CREATED_SIGNER],
    token: ['The only signer’s `access_token`. Use `signers` instead.', ACCESS_TOKEN, 'deprecated'],
    sign_url: ['The only signer’s `sign_url`. Use `signers` instead.', SIGN_URL, 'deprecated'],
    email_sent: ['The only signer’s `email_sent`. Use `signers` instead.', true, 'deprecated'],
    email_error: ['The only signer’s `email_error`. Use `signers` instead.', null, 'deprecated'],
  }),
});

const listSignatures = documentRequest(signatures.listSignatures, {
  operationId: 'listSignatureRequests',
  description:
    'Newest first, or by title if you search with `title_prefix`. Give at most one of `reference`, `signer_email` and `title_prefix`; ' +
    'status and dates go with each. A new request appears in lists a moment after it was created.',
  returns: 'A page of requests.',
  query: {
    status: ['Only requests with this status.', 'opened'],
    created_from: ['Only requests created at this time or later.', '2026-11-01T00:00:00Z'],
    created_to: ['Only requests created before this time.', '2026-12-01T00:00:00Z'],
    reference: ['Only requests with exactly this `reference`.', 'Lease 2026/117'],
    signer_email: ['Only requests with a signer at exactly this address.', 'mia@example.com'],
    title_prefix: ['Only requests whose title begins so, in upper or lower case.', 'Lease'],
    ...pagingWords,
  },
  answer: named('SignatureRequestList', signatures.listSignatures.answer, 'A page of signature requests.', {
    data: ['The requests.', SUMMARY],
    ...pageWords,
  }),
});

const getSignature = documentRequest(signatures.getSignature, {
  operationId: 'getSignatureRequest',
  description:
    'The whole request, with its signers and audit trail, always up to date. To hear of changes without polling, register a webhook endpoint.',
  returns: 'The request.',
  answerHeaders: ['Audit-Trail-Truncated'],
  params: { id: requestId },
  answer: SIGNATURE_REQUEST,
});

const cancelSignature = documentRequest(signatures.cancelSignature, {
  operationId: 'cancelSignatureRequest',
  description:
    'Ends a request that is `pending`, `sent` or `opened`. The links of signers who have not signed stop working at once, and no signer can read the document any more. ' +
    'Signers who were invited are told by mail, unless the owner has turned that off.',
  returns: 'The request is cancelled.',
  params: { id: requestId },
  body: named('CancelSignatureRequest', signatures.cancelSignature.body, 'Why the request is cancelled.', {
    reason: ['Kept in the audit trail.', 'The flat is no longer available.'],
  }),
  answer: named('CancelledSignatureRequest', signatures.cancelSignature.answer, 'A request just cancelled.', {
    id: ['The request’s id.', REQUEST_ID],
    status: ['Always `cancelled`.', 'cancelled'],
    cancelled_at: ['When it was cancelled.', '2026-11-22T09:00:00.000Z'],
  }),
});

const listEvents = documentRequest(signatures.listEvents, {
  operationId: 'listAuditEvents',
  description: 'The whole audit trail, oldest first, in pages.',
  returns: 'A page of the audit trail.',
  params: { id: requestId },
  query: pagingWords,
  answer: named('AuditEventList', signatures.listEvents.answer, 'A page of an audit trail.', {
    data: ['The entries.', AUDIT_EVENT],
    ...pageWords,
  }),
});

const listSigners = documentSigner(signatures.listSigners, {
  description: 'All signers by position, with all that is known of each signature.',
  returns: 'The signers.',
  answerHeaders: ['Audit-Trail-Truncated'],
  params: { id: requestId },
  answer: named('SignerList', signatures.listSigners.answer, 'The signers of a request.', {
    data: ['The signers, by position.', SIGNER],
  }),
});

const resendInvitation = documentSigner(signatures.resendInvitation, {
  description:
    'Mails the signer the link again, with a new code. The code mailed before stops working at once, and locks after wrong codes are lifted.',
  returns: 'The mail was attempted.',
  params: signerParams,
  body: named('ResendInvitation', signatures.resendInvitation.body, 'How to mail the invitation.', {
    locale: ['The language of this mail and all later ones. Unchanged if you send none.', 'fi'],
  }),
  answer: named('ResentInvitation', signatures.resendInvitation.answer, 'An invitation just mailed again.', {
    ok: ['Always true: the new code is in force, even if the mail failed.', true],
    signer_id: ['The signer’s id.', SIGNER_ID],
    email_sent: EMAIL_SENT,
    email_error: EMAIL_ERROR,
    access_code_rotated_at: ['Since when the new code is in force.', '2026-11-22T09:00:00.000Z'],
  }),
});

const correctSigner = documentSigner(signatures.correctSigner, {
  description:
    'Corrects the address or name of a signer who has not signed, and mails the invitation anew. ' +
    'The signer gets a new link and code. The old link and all sessions end, and what was done with them no longer counts: ' +
    'the signer has neither opened the link nor seen the document. The audit trail records it as `signer_corrected`.',
  returns: 'The signer is corrected and the mail was attempted.',
  params: signerParams,
  body: named(
    'CorrectSigner',
    signatures.correctSigner.body,
    'The right values. What you do not send stays.',
    {
      email: ['Where mails go from now on. No other signer of the request may have it.', 'mia@example.com'],
      name: ['The name, as it stands in mails and on the page.', 'Mia Example'],
    },
  ),
  answer: named(
    'CorrectedSigner',
    signatures.correctSigner.answer,
    'A signer just corrected and invited anew.',
    {
      ...SIGNER_WORDS,
      status: ['`sent`, or `pending` if the invitation could not be mailed.', 'sent'],
      opened_at: ['Null: nobody has opened the new link.', null],
      signed_at: ['Null: the signer has not signed.', null],
      email_sent: EMAIL_SENT,
      email_error: EMAIL_ERROR,
    },
  ),
});

export const SIGNATURE_ENDPOINTS = {
  'create-signature': createSignature,
  'list-signatures': listSignatures,
  'get-signature': getSignature,
  'cancel-signature': cancelSignature,
  'list-events': listEvents,
  'list-signers': listSigners,
  'resend-invitation': resendInvitation,
  'correct-signer': correctSigner,
} as const;
