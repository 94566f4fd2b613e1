import * as signing from '../signing.ts';
import { documentedAs, named } from './described.ts';
import { HASH, REQUEST_ID, SIGNER_ID } from './samples.ts';
import { SIGNING } from './tags.ts';

const documented = documentedAs(SIGNING);

const BRAND = named('Brand', signing.brandView, 'The looks of the request’s owner.', {
  name: ['The name to show.', 'Acme Ltd'],
  logo: [
    'The logo. Null without one.',
    named('Logo', signing.brandView.shape.logo.unwrap(), 'A logo and its size in pixels.', {
      path: ['Its address in this service.', `/api/signing/v1/logos/${HASH}`],
      width: ['Its width.', 320],
      height: ['Its height.', 80],
    }),
  ],
  accent: ['The colour of buttons, as #rrggbb, with enough contrast to white.', '#1a5fb4'],
  imprint_url: ['The owner’s imprint.', 'https://example.com/imprint'],
  privacy_url: ['The owner’s privacy notice.', 'https://example.com/privacy'],
  support_url: ['Where signers get help.', 'https://example.com/help'],
});
const BRAND_WORDS = ['The brand of the request’s owner, if it has one.', BRAND] as const;

const view = signing.requestView.shape;
const attachments = view.document.shape.attachments.unwrap();

const ATTACHMENTS = named('Attachments', attachments, 'The files attached to the PDF.', {
  count: ['How many there are.', 1],
  listed: [
    'The first 20, as the PDF states them.',
    named('Attachment', attachments.shape.listed.element, 'A file attached to the PDF.', {
      filename: ['Its name.', 'invoice.xml'],
      size: ['Its size in bytes.', 18_204],
    }),
  ],
});

const REQUEST_VIEW = named(
  'SigningView',
  signing.requestView,
  'All that the page shows to a signer who has entered the code.',
  {
    brand: BRAND_WORDS,
    request: [
      'What is to be signed.',
      named('SigningRequest', view.request, 'The request, as signers see it.', {
        id: ['The request’s id.', REQUEST_ID],
        title: ['Its title.', 'Lease agreement'],
        message: ['The sender’s message; empty without one.', 'Please sign before Friday.'],
        sender_name: ['Who asks for the signature.', 'Acme Ltd'],
        status: ['Where the request stands.', 'opened'],
        expires_at: ['Until when it can be signed.', '2026-12-21T10:00:00.000Z'],
        return_url: [
          'The sender’s page, for after signing or declining. Null without one.',
          'https://client.example.com/done',
        ],
        test: ['Only on a test request.', true, 'alternative'],
        evidence: ['Only if the sealed document has an evidence file.', true],
        purged_at: [
          'Only once the sealed document was removed: when.',
          '2026-11-28T10:25:03.480Z',
          'alternative',
        ],
      }),
    ],
    signer: [
      'Who signs.',
      named('SigningSigner', view.signer, 'The signer, as they see themselves.', {
        id: ['The signer’s id.', SIGNER_ID],
        name: ['The name that the sender gave, or the e-mail address.', 'Mia Example'],
        email: ['The e-mail address that the link was mailed to.', 'mia@example.com'],
        status: ['Where the signer stands.', 'opened'],
        locale: ['The language of the page.', 'en'],
        representing_as_invited: ['Whom the signer was invited to sign for.', null],
      }),
    ],
    others: [
      'The other signers.',
      named('OtherSigners', view.others, 'How far the other signers are.', {
        total: ['How many others there are.', 2],
        signed: ['How many of them have signed.', 1],
      }),
    ],
    document: [
      'The PDF.',
      named('SigningDocument', view.document, 'The PDF that is to be signed.', {
        filename: ['Its name.', 'lease.pdf'],
        size: ['Its size in bytes.', 48_210],
        sha256: ['The SHA-256 of its bytes, in hex. Send it along when signing.', HASH],
        attachments: ['The files attached to it, if there are any.', ATTACHMENTS],
      }),
    ],
    consent: [
      'What the signer consents to.',
      named('Consent', view.consent, 'The text that the signer consents to.', {
        version: ['Its version. Send it along when signing.', '1'],
        locale: ['Its language.', 'en'],
        text: ['The text itself.', 'I agree to sign this document electronically.'],
      }),
    ],
  },
);

const [typed, drawn] = signing.sign.body.shape.signature.options;

const SIGN = named('Sign', signing.sign.body, 'A signature and what it is given to.', {
  document_sha256: ['The SHA-256 of the document shown. Another one is refused.', HASH],
  consent_version: ['The version of the consent shown.', '1'],
  consent_locale: ['The language of the consent shown.', 'en'],
  name: ['The signer’s name.', 'Mia M. Example'],
  signature: [
    'The signature: typed or drawn.',
    named('TypedSignature', typed, 'A signature typed as text.', {
      type: ['Always `typed`.', 'typed'],
      text: ['What is printed as the signature.', 'Mia Example'],
      style: ['The typeface. The first one if none is sent.', 'italic'],
    }),
    named('DrawnSignature', drawn, 'A signature drawn by hand.', {
      type: ['Always `drawn`.', 'drawn'],
      png_base64: [
        'The drawing as a PNG in base64, at most 300 KB, not interlaced.',
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
      ],
    }),
  ],
  representing: [
    'Whom the signer signs for, if for somebody else.',
    named('Representing', signing.sign.body.shape.representing.unwrap(), 'Whom the signer signs for.', {
      name: ['The name of the person or company.', 'Acme Ltd'],
      role: ['In which role.', 'Managing director'],
      entity_id: ['The register number or another id.', 'HRB 12345'],
    }),
  ],
});

const RESUMED = {
  answerHeaders: ['ETag'],
  also: { 206: 'The rest of the file, from the byte that `Range` names.' },
  headers: {
    'x-signing-token': ['The token of the link.', 'q1w2'],
    'x-copy-token': ['The token of the link in the last mail.', 'q1w2'],
    range: ['The byte at which a download goes on. Another range is ignored.', 'bytes=1048576-'],
    'if-range': [
      'The `ETag` of the answer that broke off. If the file has another, it comes whole.',
      `"${HASH}"`,
    ],
  },
} as const;

export const SIGNING_ENDPOINTS = {
  'open-link': documented(signing.openLink, {
    description:
      'Records that the page was opened. Tells nothing about the document or the people before a code is entered.',
    returns: 'Where the signer stands.',
    answer: named('OpenedLink', signing.openLink.answer, 'Where the signer stands.', {
      brand: BRAND_WORDS,
      signer_status: ['The signer’s status.', 'opened'],
      locale: ['The language of the page.', 'en'],
      code_expires_at: [
        'Until when the code that was mailed last can be entered. Null if it cannot.',
        '2026-11-21T10:30:00.000Z',
      ],
      attempts_left: ['How many wrong codes may still be entered.', 5],
      locked_until: ['Until when no code can be entered, after five wrong ones.', null],
      code_entry_ended: ['Whether no code can be entered or asked for until the sender resends.', false],
    }),
  }),
  'send-code': documented(signing.sendCode, {
    description:
      'Mails the signer a new code. The code before it stops working. At most five codes in 15 minutes, 30 seconds apart; after a mail that failed another one can be asked for at once.',
    returns: 'The code was mailed.',
    answer: named('SentCode', signing.sendCode.answer, 'A code on its way.', {
      sent: ['Always true: otherwise the answer is an error.', true],
      code_expires_at: ['Until when the code can be entered.', '2026-11-21T10:30:00.000Z'],
      next_code_at: ['When another code can be asked for.', '2026-11-21T10:20:30.000Z'],
    }),
  }),
  'verify-code': documented(signing.verifyCode, {
    description: 'Exchanges the code for a session, which is set as a cookie.',
    returns: 'The session is open.',
    body: named('VerifyCode', signing.verifyCode.body, 'The code that was mailed.', {
      code: ['The six digits.', '493027'],
    }),
    answer: REQUEST_VIEW,
  }),
  'get-request': documented(signing.getRequest, {
    operationId: 'getSigningView',
    description: 'What is to be signed, by whom and for whom.',
    returns: 'What the page shows.',
    answer: REQUEST_VIEW,
  }),
  'get-original': documented(signing.getOriginal, {
    operationId: 'downloadOriginal',
    description: 'The PDF that is to be signed. The first call is recorded as the first view.',
    returns: 'The PDF.',
    ...RESUMED,
  }),
  sign: documented(signing.sign, {
    description: 'Signs the document. Called again by the same signer, it answers what it answered first.',
    returns: 'The signature is recorded.',
    body: SIGN,
    answer: named('Signed', signing.sign.answer, 'A signature just recorded.', {
      status: ['Always `signed`.', 'signed'],
      signed_at: ['When it was recorded.', '2026-11-21T10:25:00.000Z'],
      remaining_pending_signers: ['How many signers are still to sign.', 0],
      request_status: ['Where the request stands now.', 'awaiting_stamp'],
    }),
  }),
  decline: documented(signing.decline, {
    description: 'Declines to sign. The request ends for all signers.',
    returns: 'The refusal is recorded.',
    body: named('Decline', signing.decline.body, 'Why the signer declines.', {
      reason: ['Shown to the sender.', 'The rent is not what we agreed.'],
    }),
    answer: named('Declined', signing.decline.answer, 'A refusal just recorded.', {
      status: ['Always `declined`.', 'declined'],
      declined_at: ['When it was recorded.', '2026-11-21T10:25:00.000Z'],
      sender_notified: ['Whether the sender gets an e-mail about it.', true],
    }),
  }),
  'get-sealed-document': documented(signing.getSealedDocument, {
    operationId: 'downloadSealedDocument',
    description: 'The sealed PDF, for a signer with a session or with the link in the last mail.',
    returns: 'The sealed PDF.',
    ...RESUMED,
  }),
  'get-signing-evidence': documented(signing.getSigningEvidence, {
    operationId: 'downloadSigningEvidence',
    description: 'The evidence file, for a signer with a session or with the link in the last mail.',
    returns: 'The evidence file.',
    ...RESUMED,
  }),
  'get-copy': documented(signing.getCopy, {
    description: 'What the link in the mail with the sealed document leads to.',
    returns: 'What can be downloaded.',
    answer: named('Copy', signing.getCopy.answer, 'A sealed document that a signer can download.', {
      brand: BRAND_WORDS,
      title: ['The request’s title.', 'Lease agreement'],
      sender_name: ['Who asked for the signature.', 'Acme Ltd'],
      filename: ['The file’s name.', 'lease.pdf'],
      locale: ['The language of the page.', 'en'],
      available_until: ['Until when it can be downloaded.', '2026-11-28T10:25:03.480Z'],
      test: ['Only on a test request.', true, 'alternative'],
      evidence: ['Only if there is an evidence file.', true],
    }),
  }),
  'get-logo': documented(signing.getLogo, {
    description: 'The logo of a brand. It never changes at its address, so it may be kept.',
    returns: 'The logo.',
    params: { sha256: ['The SHA-256 of the picture, as `logo.path` states it.', HASH] },
  }),
} as const;
