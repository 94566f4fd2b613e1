import { EVENT_DATA, type EventType, envelope, TEST_EVENT_TYPE, testEventData } from '../events.ts';
import type { RequestStatus, SignerStatus } from '../fields.ts';
import { type AnyNamed, named, type Words } from './described.ts';
import { requestHeadWords, requestTimesWords } from './resources.ts';
import { BASE_URL, EVENT_ID, HASH, REQUEST_ID, SIGNER_ID, WEBHOOK_ENDPOINT_ID } from './samples.ts';

const signature_request_id = ['The request that the event is about.', REQUEST_ID] as const;

const requestWords = (status: RequestStatus) =>
  ({
    signature_request_id,
    ...requestHeadWords(status),
    signer_count: ['How many signers the request has.', 1],
    ...requestTimesWords(status),
  }) as const;

const signerWords = (status: SignerStatus) =>
  ({
    signer_id: ['The signer’s id.', SIGNER_ID],
    email: ['The signer’s e-mail address.', 'mia@example.com'],
    name: ['The signer’s name, or the e-mail address.', 'Mia Example'],
    status: ['Where the signer stands.', status],
    locale: ['The language of the signer’s mails and page.', 'en'],
    position: ['The signer’s place in the list, from 0.', 0],
  }) as const;

const ACTING_SIGNER = {
  signer_id: ['The signer who did it.', SIGNER_ID],
  signer_email: ['The signer’s e-mail address.', 'mia@example.com'],
  signer_name: ['The signer’s name.', 'Mia Example'],
} as const;

/** The name of an event among the schemas of the document: `SignatureRequestSent` of `signature_request.sent`. */
export const schemaName = (type: string): string =>
  type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const dataOf = <T extends EventType>(
  type: T,
  description: string,
  fields: Words<(typeof EVENT_DATA)[T]>,
): AnyNamed => named(`${schemaName(type)}Data`, EVENT_DATA[type], description, fields);

const COMPLETED = dataOf('signature_request.completed', 'A request whose document is sealed.', {
  signature_request_id,
  status: ['Always `signed`.', 'signed'],
  signed_at: ['When the document was sealed.', '2026-11-21T10:25:03.480Z'],
  document_hash: ['The SHA-256 of the sealed PDF, in lower-case hex.', HASH],
  download_url: [
    'Where the sealed PDF is. The call needs your API key.',
    `${BASE_URL}/api/v1/signatures/${REQUEST_ID}/document`,
  ],
});

interface EventWords {
  /** When it happens in its example. */
  readonly at: string;
  readonly summary: string;
  readonly description: string;
  readonly data: AnyNamed;
  readonly deprecated?: true;
}

const { shape: created } = EVENT_DATA['signature_request.created'];
const { shape: sent } = EVENT_DATA['signature_request.sent'];

export const EVENT_WORDS: Record<EventType | typeof TEST_EVENT_TYPE, EventWords> = {
  'signature_request.created': {
    at: '2026-11-21T10:00:00.000Z',
    summary: 'A request was created',
    description: 'Once for each request, before the invitations are mailed.',
    data: dataOf('signature_request.created', 'A request just created.', {
      ...requestWords('pending'),
      signers: [
        'All signers, by position.',
        named('EventSigner', created.signers.element, 'A signer, as events show it.', signerWords('pending')),
      ],
    }),
  },
  'signature_request.sent': {
    at: '2026-11-21T10:00:01.204Z',
    summary: 'The invitations were attempted',
    description:
      'Once for each request, also if every mail failed: see `email_sent` of each signer. A resend sends no event.',
    data: dataOf('signature_request.sent', 'A request whose invitations were attempted.', {
      ...requestWords('sent'),
      signers: [
        'All signers, by position.',
        named('EventInvitedSigner', sent.signers.element, 'A signer with the outcome of the invitation.', {
          ...signerWords('sent'),
          email_sent: ['Whether the invitation was mailed.', true],
          email_error: ['Why it could not be mailed. Null if it was.', null],
        }),
      ],
    }),
  },
  'signature_request.opened': {
    at: '2026-11-21T10:20:00.000Z',
    summary: 'The first signer opened the link',
    description: 'Once for each request. Opening the link is not yet seeing the document.',
    data: dataOf('signature_request.opened', 'A request and who opened it.', {
      ...requestWords('opened'),
      ...ACTING_SIGNER,
    }),
  },
  'signer.signed': {
    at: '2026-11-21T10:25:00.000Z',
    summary: 'A signer signed',
    description:
      'Once for each signer. The document is sealed after the last signature: wait for `signature_request.completed`.',
    data: dataOf('signer.signed', 'A signature.', {
      signature_request_id,
      ...ACTING_SIGNER,
      signed_at: ['When the signer signed.', '2026-11-21T10:25:00.000Z'],
      remaining_pending_signers: ['How many signers are still to sign.', 0],
    }),
  },
  'signature_request.completed': {
    at: '2026-11-21T10:25:03.512Z',
    summary: 'All have signed and the document is sealed',
    description: 'Once for each request. The sealed PDF can be downloaded from now on.',
    data: COMPLETED,
  },
  'signature_request.signed': {
    at: '2026-11-21T10:25:03.512Z',
    summary: 'The old name of signature_request.completed',
    description:
      'Sent together with `signature_request.completed`, with the same data. Subscribe to that one instead.',
    data: COMPLETED,
    deprecated: true,
  },
  'signature_request.declined': {
    at: '2026-11-21T10:25:00.000Z',
    summary: 'A signer declined',
    description: 'The request has ended: the links of the others who have not signed stop working.',
    data: dataOf('signature_request.declined', 'A request and who declined.', {
      ...requestWords('declined'),
      ...ACTING_SIGNER,
      decline_reason: ['Why, if the signer gave a reason.', 'The rent is not what we agreed.'],
    }),
  },
  'signature_request.cancelled': {
    at: '2026-11-22T09:00:00.000Z',
    summary: 'The request was cancelled',
    description: 'The request has ended: the links of signers who have not signed stop working.',
    data: dataOf('signature_request.cancelled', 'A cancelled request.', {
      ...requestWords('cancelled'),
      reason: ['Why, if a reason was given.', 'The flat is no longer available.'],
    }),
  },
  'signature_request.expired': {
    at: '2026-12-22T00:10:00.000Z',
    summary: 'The time to sign ran out',
    description:
      'Sent by the daily job that finds the request past its `expires_at`, so up to a day after that time.',
    data: dataOf('signature_request.expired', 'An expired request.', requestWords('expired')),
  },
  [TEST_EVENT_TYPE]: {
    at: '2026-11-21T09:05:00.000Z',
    summary: 'A test that you asked for',
    description: 'Sent by `POST /api/v1/webhook-endpoints/{id}/test`, whatever the endpoint subscribes to.',
    data: named('WebhookEndpointTestData', testEventData, 'The endpoint under test.', {
      webhook_endpoint_id: ['The endpoint’s id.', WEBHOOK_ENDPOINT_ID],
    }),
  },
};

export const ENVELOPE = named(
  'Event',
  envelope,
  'What is posted to your endpoint. `type` says what `data` holds.',
  {
    id: ['The event’s id: the same in every delivery of it. Use it to recognize repeats.', EVENT_ID],
    type: [
      'What happened. New types may be added: ignore those that you do not know.',
      'signature_request.completed',
    ],
    created_at: [
      'When it happened. Later events of one request have later times.',
      '2026-11-21T10:25:03.512Z',
    ],
    data: [
      'What the event is about; its fields depend on `type`. Fields may be added.',
      { signature_request_id: REQUEST_ID },
    ],
  },
);
