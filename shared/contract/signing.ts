import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import { endpoint } from './endpoint.ts';
import { NO_DOCUMENT } from './errors.ts';
import {
  jsonObject,
  line,
  locale,
  oneOf,
  oneTimeCode,
  refuse,
  requestStatus,
  requiredLine,
  signerStatus,
  stamp,
  TYPED_STYLES,
  text,
  uuid,
} from './fields.ts';
import { LIMITS } from './limits.ts';

/** Calls by signers. A link's token travels in a header, since paths and queries end up in logs. */
const headers = z.object({ 'x-signing-token': string.optional() });

const copyHeaders = z.object({ 'x-copy-token': string.optional() });
const eitherHeaders = headers.extend(copyHeaders.shape);
/** Lets a broken download continue. Only ranges of the form `bytes=N-` count. */
const rest = { range: string.optional(), 'if-range': string.optional() };

const base = { area: 'signing', headers, status: 200 } as const;

/** The brand of the request's owner; in answers only if the owner has given it a name. */
export const brandView = z.strictObject({
  name: string,
  /** An address of this service. */
  logo: z.strictObject({ path: string, width: int, height: int }).nullable(),
  /** As #rrggbb, with enough contrast to white. */
  accent: nullableString,
  imprint_url: z.url().nullable(),
  privacy_url: z.url().nullable(),
  support_url: z.url().nullable(),
});

export const requestView = z.strictObject({
  brand: brandView.optional(),
  request: z.strictObject({
    id: uuid,
    title: string,
    message: string,
    sender_name: string,
    status: requestStatus,
    expires_at: stamp,
    /** The sender's page, which the signer may go to after signing or declining. */
    return_url: z.url().nullable(),
    /** Only on a test request, so that the page can mark it. */
    test: z.literal(true).optional(),
    /** Only if the sealed document has an evidence file. */
    evidence: z.literal(true).optional(),
    /** Only if the sealed document was removed. */
    purged_at: stamp.optional(),
  }),
  signer: z.strictObject({
    id: uuid,
    name: string,
    email: string,
    status: signerStatus,
    locale,
    representing_as_invited: nullableString,
  }),
  others: z.strictObject({ total: int, signed: int }),
  document: z.strictObject({
    filename: string,
    size: int,
    sha256: string,
    /** Only if files are attached to the document: how many, and the first 20 as the document states them. */
    attachments: z
      .strictObject({
        count: int,
        listed: z.array(z.strictObject({ filename: string, size: int })),
      })
      .optional(),
  }),
  consent: z.strictObject({ version: string, locale, text: string }),
});

export const openLink = endpoint({
  ...base,
  name: 'open-link',
  method: 'POST',
  path: '/api/signing/v1/open',
  access: 'signing_link',
  summary: 'Record that the page was opened, and learn where the signer stands',
  answer: z.strictObject({
    brand: brandView.optional(),
    signer_status: signerStatus,
    locale,
    code_expires_at: stamp.nullable(),
    attempts_left: int,
    locked_until: stamp.nullable(),
    /** No code can be entered or asked for until the sender resends the invitation. */
    code_entry_ended: boolean,
  }),
});

export const sendCode = endpoint({
  ...base,
  name: 'send-code',
  method: 'POST',
  path: '/api/signing/v1/code',
  access: 'signing_link',
  summary: 'Mail the signer a new one-time code',
  answer: z.strictObject({ sent: z.literal(true), code_expires_at: stamp, next_code_at: stamp }),
  errors: ['conflict', 'too_many_codes', 'locked', 'email_failed'],
});

export const verifyCode = endpoint({
  ...base,
  name: 'verify-code',
  method: 'POST',
  path: '/api/signing/v1/verify',
  access: 'signing_link',
  summary: 'Exchange a one-time code for a session',
  body: z.object({ code: oneTimeCode }, jsonObject),
  answer: requestView,
  errors: ['invalid_code_format', 'wrong_code', 'code_expired', 'locked'],
});

export const getRequest = endpoint({
  ...base,
  name: 'get-request',
  method: 'GET',
  path: '/api/signing/v1/request',
  access: 'signing_session',
  summary: 'What is to be signed, by whom, for whom',
  answer: requestView,
});

export const getOriginal = endpoint({
  ...base,
  name: 'get-original',
  method: 'GET',
  path: '/api/signing/v1/document',
  access: 'signing_session',
  headers: headers.extend(rest),
  summary: 'The document’s bytes',
  answer: 'application/pdf',
  errors: ['document_purged'],
});

const SHOWN_HASH = refuse('invalid_request', 'must be the SHA-256 of the document shown, in lower-case hex');
const SHOWN_CONSENT = refuse('invalid_request', 'must be the version of the consent shown');

export const sign = endpoint({
  ...base,
  name: 'sign',
  method: 'POST',
  path: '/api/signing/v1/sign',
  access: 'signing_session',
  summary: 'Sign',
  body: z.object(
    {
      document_sha256: z.string({ error: SHOWN_HASH }).regex(/^[0-9a-f]{64}$/, { error: SHOWN_HASH }),
      consent_version: z.string({ error: SHOWN_CONSENT }).max(40, { error: SHOWN_CONSENT }),
      consent_locale: locale,
      name: requiredLine('invalid_name', LIMITS.nameLength),
      signature: z.discriminatedUnion(
        'type',
        [
          z.object({
            type: z.literal('typed'),
            text: requiredLine('invalid_signature', LIMITS.nameLength),
            /** The typeface that it is printed in; the first if none is named. */
            style: oneOf('invalid_signature', TYPED_STYLES).optional(),
          }),
          z.object({
            type: z.literal('drawn'),
            png_base64: z
              .string({ error: refuse('invalid_signature', 'must be a PNG as base64') })
              .max(LIMITS.signatureImageBase64Length, {
                error: refuse('invalid_signature', 'must be at most 300 KB'),
              }),
          }),
        ],
        {
          error: refuse('invalid_signature', 'must be {type: "typed", text} or {type: "drawn", png_base64}'),
        },
      ),
      representing: z
        .object(
          {
            name: requiredLine('invalid_name', LIMITS.nameLength),
            role: line('invalid_name', LIMITS.nameLength).optional(),
            entity_id: line('invalid_name', LIMITS.entityIdLength).optional(),
          },
          { error: refuse('invalid_name', 'must be an object with a name, or left out') },
        )
        .optional(),
    },
    jsonObject,
  ),
  answer: z.strictObject({
    status: z.literal('signed'),
    signed_at: stamp,
    remaining_pending_signers: int,
    request_status: requestStatus,
  }),
  errors: [
    'document_mismatch',
    'consent_outdated',
    'request_not_active',
    'invalid_signature',
    'invalid_name',
    'invalid_locale',
    'conflict',
  ],
});

export const decline = endpoint({
  ...base,
  name: 'decline',
  method: 'POST',
  path: '/api/signing/v1/decline',
  access: 'signing_session',
  summary: 'Decline to sign',
  body: z.object({ reason: text('invalid_reason', LIMITS.reasonLength).nullish() }, jsonObject),
  bodyOptional: true,
  answer: z.strictObject({
    status: z.literal('declined'),
    declined_at: stamp,
    /** Whether the sender gets an e-mail about it. */
    sender_notified: boolean,
  }),
  errors: ['invalid_reason', 'already_signed', 'request_not_active'],
});

export const getSealedDocument = endpoint({
  ...base,
  name: 'get-sealed-document',
  method: 'GET',
  path: '/api/signing/v1/sealed-document',
  access: 'session_or_copy',
  headers: eitherHeaders.extend(rest),
  summary: 'The sealed PDF, once there is one',
  answer: 'application/pdf',
  errors: [...NO_DOCUMENT, 'document_purged'],
});

export const getSigningEvidence = endpoint({
  ...base,
  name: 'get-signing-evidence',
  method: 'GET',
  path: '/api/signing/v1/evidence',
  access: 'session_or_copy',
  headers: eitherHeaders.extend(rest),
  summary: 'The sealed evidence file, once there is one',
  answer: 'application/pdf',
  errors: ['evidence_unavailable', ...NO_DOCUMENT, 'document_purged'],
});

export const getCopy = endpoint({
  ...base,
  name: 'get-copy',
  method: 'GET',
  path: '/api/signing/v1/copy',
  access: 'copy_link',
  headers: copyHeaders,
  summary: 'What the link in the mail with the sealed document leads to',
  answer: z.strictObject({
    brand: brandView.optional(),
    title: string,
    sender_name: string,
    filename: string,
    locale,
    available_until: stamp,
    /** Only on a test request. */
    test: z.literal(true).optional(),
    /** Only if there is an evidence file. */
    evidence: z.literal(true).optional(),
  }),
  errors: ['not_found', 'link_expired', 'document_purged'],
});

export const getLogo = endpoint({
  area: 'signing',
  name: 'get-logo',
  method: 'GET',
  path: '/api/signing/v1/logos/{sha256}',
  access: 'open',
  params: z.object({
    sha256: string.regex(/^[0-9a-f]{64}$/, { error: refuse('not_found', 'There is no such logo.') }),
  }),
  status: 200,
  summary: 'The logo of a brand',
  answer: 'image/png',
});
