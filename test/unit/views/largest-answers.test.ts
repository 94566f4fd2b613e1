import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { meView } from '../../../shared/accounts/me.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { EVENT_TYPES } from '../../../shared/contract/events.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { openApiDocument } from '../../../shared/contract/openapi/document.ts';
import { creationAnswer } from '../../../shared/creation/create-request.ts';
import { chain, emptyHead } from '../../../shared/requests/chain.ts';
import type { SignerState } from '../../../shared/requests/model.ts';
import { sign } from '../../../shared/requests/signing.ts';
import { withRawMember } from '../../../shared/runtime/raw-json.ts';
import { MAX_KEYS } from '../../../shared/store/api-keys.ts';
import type { StoredRequest } from '../../../shared/store/requests.ts';
import { CODES_OF_ADDRESS, CODES_OF_NETWORK } from '../../../shared/verification/sign-in/request-code.ts';
import { eventView, signersTrail } from '../../../shared/views/audit-trail.ts';
import {
  requestView,
  signerInRequestView,
  signerView,
  summaryView,
} from '../../../shared/views/signature-request.ts';
import { signingView } from '../../../shared/views/signing.ts';
import { deliveryView, endpointView } from '../../../shared/webhooks/endpoints.ts';
import { KEPT_ANSWER_BYTES } from '../../../shared/webhooks/post.ts';
import { ownerItem } from '../../support/owners.ts';
import { DOCUMENT_SHA256, NOON, newRequest } from '../../support/requests.ts';

/** An answer of a Lambda function, its body as text in JSON. */
const LAMBDA_BYTES = 6 * 1024 * 1024;

/** A quotation mark takes four bytes there, more than any other character of a text that is accepted. */
const longest = (length: number) => '"'.repeat(length);
const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);

const AT = NOON.toISOString();
const ID = randomUUID();
const BASE_URL = `https://${'a'.repeat(240)}.example.com`;
const CURSOR = 'c'.repeat(1_000);
const HASH = 'a'.repeat(64);
/** Names of attachments are cut to so many characters. */
const LONGEST_ATTACHMENT = 255;
const NAME = longest(LIMITS.nameLength);
const VISITOR = { ipAddress: '2001:0db8:0000:0000:0000:0000:0000:0001', userAgent: longest(256) };
const METADATA = `{"":"${'\\"'.repeat((LIMITS.metadataBytes - 7) / 2)}"}`;

const created = newRequest(LIMITS.signers, {
  title: longest(LIMITS.titleLength),
  owner: {
    id: ID,
    type: 'organization',
    name: NAME,
    mode: 'test',
    archive: false,
    reminders: true,
  },
  content: {
    message: longest(LIMITS.messageLength),
    metadataJson: METADATA,
    filename: longest(LIMITS.filenameLength),
    documentSize: LIMITS.documentBytes,
    documentSha256: DOCUMENT_SHA256,
    documentKey: 'k',
    pageCount: 1,
    alreadySigned: false,
    attachments: { count: 999, listed: list(20, { filename: longest(LONGEST_ATTACHMENT), size: 9_999_999 }) },
    returnUrl: `https://example.com/${'r'.repeat(LIMITS.returnUrlLength - 20)}`,
  },
  reference: longest(LIMITS.referenceLength),
  signers: Array.from({ length: LIMITS.signers }, (_, n) => ({
    id: randomUUID(),
    email: `${n}`.padStart(LIMITS.emailLength, 'e'),
    name: NAME,
    locale: 'en' as const,
    accessToken: 't'.repeat(65),
    codeHash: HASH,
  })),
});

/** No event that repeats is larger than a signature. */
const signature = sign(
  created.request,
  {
    signerId: created.request.signers[0]?.id ?? '',
    visitor: VISITOR,
    name: NAME,
    documentSha256: DOCUMENT_SHA256,
    consentVersion: '1',
    consentLocale: 'en',
    signature: { type: 'typed', value: NAME },
    representing: { name: NAME, role: NAME, entityId: longest(100) },
  },
  NOON,
)?.audit.find(({ type }) => type === 'signer_signed');
if (!signature) throw new Error('The signature has no event.');

const events = chain(
  [...created.change.audit, ...list(LIMITS.eventsInAnswer - 1, signature)],
  { sequence: 0, head: emptyHead(created.request.state.id) },
  () => HASH,
);
/** It names all signers, and there is one. */
const [largestEvent] = events;
if (!largestEvent) throw new Error('The trail is empty.');
const signers = created.request.signers.map(
  (signer): SignerState => ({
    ...signer,
    ...VISITOR,
    nameAsSigned: NAME,
    declineReason: longest(LIMITS.reasonLength),
    representingAsSigned: NAME,
    representingRole: NAME,
    representingEntityId: longest(100),
    ...{ sentAt: AT, openedAt: AT, signedAt: AT, declinedAt: AT, invalidatedAt: AT },
    invitation: { at: AT, sent: false, error: 'sender_not_verified' },
    mails: list(LIMITS.mailsInAnswer, { id: null, kind: 'invitation', at: AT, sent: true }),
    returnedMails: Array.from({ length: LIMITS.mailsInAnswer }, (_, n) => ({
      id: `${n}`,
      kind: 'invitation',
      sentAt: AT,
      outcome: 'complained',
      at: AT,
    })),
  }),
);
const request: StoredRequest = { ...created.request, signers, events };
/** Each signer has as many events as an answer holds. */
const crowded = {
  ...request,
  events: signers.flatMap(({ id }) => events.map((event) => ({ ...event, signerId: id }))),
  hasEarlierEvents: true,
};
const [signer] = signers;
if (!signer) throw new Error('The request has signers.');

const hook = endpointView({
  id: `we_${ID}`,
  ownerId: ID,
  mode: 'live',
  url: `https://example.com/${'u'.repeat(LIMITS.webhookUrlLength - 20)}`,
  eventTypes: [...EVENT_TYPES],
  description: longest(LIMITS.webhookDescriptionLength),
  disabledAt: AT,
  createdAt: AT,
  updatedAt: AT,
  secretCiphertext: '',
});
/** It names all signers. */
const [createdEvent] = created.change.effects.flatMap((effect) => ('data' in effect ? [effect] : []));
const largestBody = JSON.stringify({ id: `evt_${ID}`, type: 'x', created_at: AT, data: createdEvent?.data });
const delivery = deliveryView(
  {
    eventId: `evt_${ID}`,
    eventType: 'signature_request.completed',
    requestId: ID,
    attemptedAt: AT,
    outcome: 'unknown',
    httpStatus: 599,
    durationMs: 5_000,
    error: 'unexpected_status',
    manualId: ID,
  },
  { body: largestBody, answer: longest(KEPT_ANSWER_BYTES) },
);
const page = <T>(item: T) => ({ data: list(LIMITS.pageSize, item), has_more: true, next_cursor: CURSOR });

const EMAIL = `${'e'.repeat(LIMITS.emailLength - 12)}@example.com`;
const user = ownerItem({ id: ID, type: 'user', name: EMAIL });
const me = meView(
  user,
  [
    { owner: user, role: 'user' },
    ...list(1_000, { owner: ownerItem({ id: ID, name: NAME }), role: 'admin' as const }),
  ],
  { id: HASH, hash: HASH, userId: ID, createdAt: AT, expiresAt: AT, userAgent: null },
);

const member = { user_id: ID, email: EMAIL, role: 'member', added_at: AT };
const apiKey = {
  key_id: HASH,
  name: NAME,
  prefix: 'esk_live_abcd',
  test: false,
  created_at: AT,
  last_used_at: AT,
  revoked_at: AT,
};
const url = `https://example.com/${'u'.repeat(LIMITS.returnUrlLength)}`;
const brand = {
  display_name: NAME,
  logo: { path: `/api/signing/v1/logos/${HASH}`, width: 800, height: 200 },
  accent: '#000000',
  reply_to: EMAIL,
  imprint_url: url,
  privacy_url: url,
  support_url: url,
  time_zone: 'America/Argentina/ComodRivadavia',
};

/** The largest answer of each endpoint that answers JSON: every list is full, every text as long as it may be. */
const LARGEST: Record<string, unknown> = {
  health: { status: 'ok' },
  'get-openapi': openApiDocument(),
  'create-signature': creationAnswer(request, BASE_URL),
  'list-signatures': page(summaryView(request.state, NOON)),
  'get-signature': withRawMember(
    requestView(request, { archive: false }, BASE_URL, NOON),
    'metadata',
    METADATA,
  ),
  'cancel-signature': { id: ID, status: 'cancelled', cancelled_at: AT },
  'delete-document': { id: ID, pdf_purged: true, pdf_purged_at: AT },
  'list-events': page(eventView(largestEvent)),
  'list-signers': {
    data: signers.map((each) => signerView(each, signersTrail(crowded, LIMITS.eventsInAnswer), BASE_URL)),
  },
  'resend-invitation': {
    ok: true,
    signer_id: ID,
    email_sent: false,
    email_error: 'sender_not_verified',
    access_code_rotated_at: AT,
  },
  'correct-signer': {
    ...signerInRequestView(signer, BASE_URL),
    email_sent: false,
    email_error: 'sender_not_verified',
  },
  'create-upload': {
    upload_id: ID,
    url: BASE_URL,
    fields: { policy: 'p'.repeat(4_000) },
    max_bytes: LIMITS.documentBytes,
    expires_at: AT,
  },
  'list-webhook-endpoints': { data: list(LIMITS.webhookEndpoints, hook) },
  'create-webhook-endpoint': { ...hook, secret: 's'.repeat(60) },
  'get-webhook-endpoint': hook,
  'update-webhook-endpoint': hook,
  'delete-webhook-endpoint': { ok: true, id: hook.id },
  'test-webhook-endpoint': { ok: true, event_id: delivery.event_id },
  'list-webhook-deliveries': { ...page(0), data: list(LIMITS.deliveriesWithBodies, delivery) },
  'redeliver-webhook': { ok: true, event_id: delivery.event_id },
  'open-link': {
    signer_status: 'signed',
    locale: 'en',
    code_expires_at: AT,
    attempts_left: 5,
    locked_until: AT,
    code_entry_ended: false,
  },
  'send-code': { sent: true, code_expires_at: AT, next_code_at: AT },
  'verify-code': signingView(request, signer),
  'get-request': signingView(request, signer),
  sign: { status: 'signed', signed_at: AT, remaining_pending_signers: 19, request_status: 'opened' },
  'request-sign-in': { sent: true, code_expires_at: AT, next_code_at: AT },
  'sign-in': me,
  'get-me': me,
  'update-me': me.user,
  'sign-out': { signed_out: true },
  'list-members': { data: list(LIMITS.members, member) },
  'add-member': member,
  'update-member': member,
  'remove-member': { user_id: ID, removed_at: AT },
  'list-api-keys': { data: list(2 * MAX_KEYS, apiKey) },
  'create-api-key': { ...apiKey, api_key: 'k'.repeat(52) },
  'revoke-api-key': { key_id: HASH, revoked_at: AT },
  'get-brand': brand,
  'update-brand': brand,
  'get-notices': { notify: EMAIL, signer_notices: false, reminders: false },
  'update-notices': { notify: EMAIL, signer_notices: false, reminders: false },
  'list-sessions': {
    // Signed in with every code, in ten browsers that are known.
    data: list(CODES_OF_ADDRESS + 10 * CODES_OF_NETWORK, {
      session_id: HASH,
      created_at: AT,
      expires_at: AT,
      user_agent: VISITOR.userAgent,
      current: false,
    }),
  },
  'revoke-session': { session_id: HASH, revoked_at: AT },
  decline: { status: 'declined', declined_at: AT, sender_notified: false },
  'get-copy': {
    title: longest(LIMITS.titleLength),
    sender_name: NAME,
    filename: longest(LIMITS.filenameLength),
    locale: 'en',
    available_until: AT,
    test: true,
    evidence: true,
  },
};

const answeringJson = ENDPOINTS.filter(({ answer }) => typeof answer !== 'string');

describe('the largest answers', () => {
  it('there is one for each endpoint that answers JSON', () => {
    expect(Object.keys(LARGEST).sort()).toEqual(answeringJson.map(({ name }) => name).sort());
  });

  it.each(answeringJson.map(({ name, answer }) => [name, answer as z.ZodType] as const))(
    'the largest answer of %s fits the contract and into 6 MB',
    (name, schema) => {
      const value = LARGEST[name];
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      expect(schema.safeParse(JSON.parse(body)).error).toBeUndefined();
      const result = JSON.stringify({ statusCode: 200, headers: { 'X-Request-Id': ID }, body });
      expect(Buffer.byteLength(result)).toBeLessThan(LAMBDA_BYTES);
    },
  );

  it('a thousand events fill most of an answer, so that their number is what bounds it', () => {
    const body = String(LARGEST['get-signature']);
    expect(2 * Buffer.byteLength(JSON.stringify({ body }))).toBeGreaterThan(LAMBDA_BYTES);
  });
});
