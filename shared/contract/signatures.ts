import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import { isRecord } from '../runtime/value-paths.ts';
import { endpoint } from './endpoint.ts';
import { NO_DOCUMENT } from './errors.ts';
import {
  atMost,
  base64Document,
  dateTime,
  email,
  flag,
  ifChanged,
  jsonObject,
  line,
  locale,
  pageOf,
  paging,
  pathId,
  refuse,
  requestStatus,
  requiredLine,
  returnUrl,
  stamp,
  text,
  uuid,
} from './fields.ts';
import { LIMITS } from './limits.ts';
import { auditEvent, signatureRequest, signer, signerInRequest, summary } from './resources.ts';

const base = { area: 'api', access: 'api_key', status: 200 } as const;
const requestPath = z.object({ id: pathId });
const signerPath = z.object({ id: pathId, signer_id: pathId });

const invitedSigner = z.object(
  {
    email,
    name: line('invalid_signer_name', LIMITS.nameLength).optional(),
    locale: locale.optional(),
  },
  { error: refuse('invalid_signer_email', 'must be an object with an email') },
);

/** Elements that are at fault themselves come as they were sent. */
const refuseRepeated = (
  signers: readonly ({ email?: unknown } | null)[],
  { issues }: { issues: z.core.$ZodRawIssue[] },
): void =>
  signers.forEach((signer, place) => {
    const email = signer?.email;
    const first = signers.findIndex((other) => other?.email === email);
    if (typeof email !== 'string' || first === place) return;
    const message = refuse('duplicate_signer', `is the same address as signers[${first}].email`);
    issues.push({ code: 'custom', input: email, path: [place, 'email'], message });
  });

const documentMembers = z.object(
  {
    filename: line('invalid_filename', LIMITS.filenameLength)
      .min(1, { error: refuse('invalid_filename', 'must not be empty') })
      .refine((name) => !/[/\\]/.test(name), {
        error: refuse('invalid_filename', 'must be a file name without a path'),
      })
      .optional(),
    content_base64: base64Document.optional(),
    upload_id: z
      .uuid({ error: refuse('invalid_upload', 'must be the id that POST /api/v1/uploads answered') })
      .toLowerCase()
      .optional(),
  },
  { error: refuse('document_required', 'must be an object with content_base64 or upload_id') },
);

const isObject = (value: unknown): boolean => isRecord(value) && !Array.isArray(value);

/** For a rule about several members: checked beside the members' own faults, so that an answer names all at once. */
const always = { when: ({ value }: { value: unknown }) => isObject(value) };

const document = documentMembers
  .refine(({ content_base64, upload_id }) => content_base64 !== undefined || upload_id !== undefined, {
    ...always,
    error: refuse('document_required', 'must hold content_base64, the PDF as base64, or upload_id'),
  })
  .refine(({ content_base64, upload_id }) => content_base64 === undefined || upload_id === undefined, {
    ...always,
    error: refuse('ambiguous_document', 'must hold content_base64 or upload_id, not both'),
  });

/** Passed on as it is: `z.record` would leave out a member named `__proto__`. */
const metadata = z
  .custom<Record<string, unknown>>(isObject, {
    error: refuse('invalid_metadata', 'must be a JSON object'),
  })
  .meta({ type: 'object', additionalProperties: {} });

const expiryDays = refuse('invalid_expiry', `must be a whole number from 1 to ${LIMITS.expiryDays}`);

const signatureMembers = z.object(
  {
    title: requiredLine('invalid_title', LIMITS.titleLength),
    message: text('invalid_message', LIMITS.messageLength).optional(),
    signers: z
      .array(invitedSigner, {
        error: refuse('signers_required', `must be a list of 1 to ${LIMITS.signers} signers`),
      })
      .min(1, { error: refuse('signers_required', 'must hold at least one signer') })
      .max(LIMITS.signers, {
        error: refuse('too_many_signers', `must hold at most ${LIMITS.signers} signers`),
      })
      .superRefine(refuseRepeated, { when: ({ value }) => Array.isArray(value) })
      .optional(),
    locale: locale.optional(),
    document,
    metadata: metadata.optional(),
    reminders: flag.optional(),
    reference: line('invalid_reference', LIMITS.referenceLength).nullish(),
    return_url: returnUrl.nullish(),
    expires_in_days: z
      .int({ error: expiryDays, abort: true })
      .min(1, { error: expiryDays })
      .max(LIMITS.expiryDays, { error: expiryDays })
      .optional(),
    signer_email: email.optional(),
    signer_name: line('invalid_signer_name', LIMITS.nameLength).optional(),
  },
  jsonObject,
);

export type SignatureMembers = z.output<typeof signatureMembers>;
const isList = ({ signers }: SignatureMembers) => signers !== undefined;
const isLegacy = ({ signer_email, signer_name }: SignatureMembers) =>
  signer_email !== undefined || signer_name !== undefined;

export const createSignatureBody = signatureMembers
  .refine((body) => isList(body) || isLegacy(body), {
    ...always,
    path: ['signers'],
    error: refuse('signers_required', `is required: it must be a list of 1 to ${LIMITS.signers} signers`),
  })
  .refine((body) => !isList(body) || !isLegacy(body), {
    ...always,
    path: ['signers'],
    error: refuse('ambiguous_signers', 'cannot be combined with signer_email and signer_name'),
  })
  .refine((body) => isList(body) || !isLegacy(body) || body.signer_email !== undefined, {
    ...always,
    path: ['signer_email'],
    error: refuse('invalid_signer_email', 'is required: it must be an e-mail address'),
  });

export const createSignature = endpoint({
  ...base,
  name: 'create-signature',
  method: 'POST',
  path: '/api/v1/signatures',
  summary: 'Create a signature request and mail the invitations',
  headers: z.object({
    'idempotency-key': z
      .string()
      .min(1, { error: refuse('invalid_idempotency_key', 'must not be empty') })
      .max(...atMost('invalid_idempotency_key', LIMITS.idempotencyKeyLength))
      .optional(),
  }),
  body: createSignatureBody,
  textLimits: { metadata: { bytes: LIMITS.metadataBytes, error: 'metadata_too_large' } },
  answer: z.strictObject({
    id: uuid,
    status: z.enum(['sent', 'pending']),
    expires_at: stamp,
    signers: z.array(
      z.strictObject({
        id: uuid,
        email: string,
        name: string,
        access_token: string,
        sign_url: z.url(),
        email_sent: boolean,
        email_error: nullableString,
        locale,
      }),
    ),
    token: string.optional(),
    sign_url: z.url().optional(),
    email_sent: boolean.optional(),
    email_error: string.nullable().optional(),
  }),
  errors: [
    'invalid_title',
    'invalid_message',
    'invalid_signer_email',
    'invalid_signer_name',
    'invalid_locale',
    'signers_required',
    'too_many_signers',
    'ambiguous_signers',
    'invalid_metadata',
    'metadata_too_large',
    'invalid_reference',
    'invalid_return_url',
    'invalid_expiry',
    'document_required',
    'ambiguous_document',
    'invalid_filename',
    'invalid_base64',
    'document_too_large',
    'not_a_pdf',
    'pdf_encrypted',
    'pdf_damaged',
    'pdf_no_pages',
    'pdf_certified',
    'pdf_dynamic_form',
    'pdf_signature_broken',
    'pdf_active_content',
    'pdf_too_complex',
    'invalid_upload',
    'invalid_idempotency_key',
    'subscription_required',
    'subscription_inactive',
    'duplicate_signer',
    'idempotency_key_conflict',
    'idempotency_in_progress',
    'conflict',
  ],
});

export const listSignatures = endpoint({
  ...base,
  name: 'list-signatures',
  method: 'GET',
  path: '/api/v1/signatures',
  summary: 'List the owner’s signature requests, newest first',
  query: z.object({
    status: requestStatus.optional(),
    created_from: dateTime.optional(),
    created_to: dateTime.optional(),
    reference: line('invalid_reference', LIMITS.referenceLength).optional(),
    signer_email: email.optional(),
    title_prefix: line('invalid_title', LIMITS.titleLength)
      .min(1, { error: refuse('invalid_title', 'must not be blank') })
      .optional(),
    ...paging,
  }),
  answer: pageOf(summary),
  errors: [
    'invalid_status',
    'invalid_date',
    'invalid_reference',
    'invalid_signer_email',
    'invalid_title',
    'invalid_limit',
    'invalid_cursor',
  ],
});

export const getSignature = endpoint({
  ...base,
  name: 'get-signature',
  method: 'GET',
  path: '/api/v1/signatures/{id}',
  summary: 'Get a signature request',
  params: requestPath,
  answer: signatureRequest,
});

export const cancelSignature = endpoint({
  ...base,
  name: 'cancel-signature',
  method: 'POST',
  path: '/api/v1/signatures/{id}/cancel',
  summary: 'Cancel a signature request',
  params: requestPath,
  body: z.object({ reason: text('invalid_reason', LIMITS.reasonLength).nullish() }, jsonObject),
  bodyOptional: true,
  answer: z.strictObject({ id: uuid, status: z.literal('cancelled'), cancelled_at: stamp }),
  errors: ['invalid_reason', 'request_not_cancellable'],
});

/** Left out: the file as it was sealed, which never changes. */
const documentForm = z.object({
  form: z
    .enum(['archival'], { error: refuse('invalid_request', 'must be archival, or left out') })
    .optional(),
});

export const getDocument = endpoint({
  ...base,
  name: 'get-document',
  method: 'GET',
  path: '/api/v1/signatures/{id}/document',
  summary: 'Download the sealed PDF',
  params: requestPath,
  query: documentForm,
  headers: ifChanged,
  answer: 'application/pdf',
  errors: [...NO_DOCUMENT, 'document_purged'],
});

export const deleteDocument = endpoint({
  ...base,
  name: 'delete-document',
  method: 'DELETE',
  path: '/api/v1/signatures/{id}/document',
  summary: 'Delete the PDFs of an ended request now, for good; its record and audit trail stay',
  params: requestPath,
  answer: z.strictObject({ id: uuid, pdf_purged: z.literal(true), pdf_purged_at: stamp }),
  errors: ['request_not_ended', 'archive_protected'],
});

export const getEvidence = endpoint({
  ...base,
  name: 'get-evidence',
  method: 'GET',
  path: '/api/v1/signatures/{id}/evidence.pdf',
  summary: 'Download the sealed evidence file',
  params: requestPath,
  query: documentForm,
  headers: ifChanged,
  answer: 'application/pdf',
  errors: ['evidence_unavailable', ...NO_DOCUMENT, 'document_purged'],
});

export const getAuditTrail = endpoint({
  ...base,
  name: 'get-audit-trail',
  method: 'GET',
  path: '/api/v1/signatures/{id}/audit-trail.pdf',
  summary: 'Download the informational audit trail as a PDF',
  params: requestPath,
  answer: 'application/pdf',
});

export const listEvents = endpoint({
  ...base,
  name: 'list-events',
  method: 'GET',
  path: '/api/v1/signatures/{id}/events',
  summary: 'List the audit events of a request, oldest first',
  params: requestPath,
  query: z.object({ ...paging }),
  answer: pageOf(auditEvent),
  errors: ['invalid_limit', 'invalid_cursor'],
});

export const listSigners = endpoint({
  ...base,
  name: 'list-signers',
  method: 'GET',
  path: '/api/v1/signatures/{id}/signers',
  summary: 'List the signers of a request, by position',
  params: requestPath,
  answer: z.strictObject({ data: z.array(signer) }),
});

export const resendInvitation = endpoint({
  ...base,
  name: 'resend-invitation',
  method: 'POST',
  path: '/api/v1/signatures/{id}/signers/{signer_id}/resend',
  summary: 'Mail a signer a new code',
  params: signerPath,
  body: z.object({ locale: locale.optional() }, jsonObject),
  bodyOptional: true,
  answer: z.strictObject({
    ok: boolean,
    signer_id: uuid,
    email_sent: boolean,
    email_error: nullableString,
    access_code_rotated_at: stamp,
  }),
  errors: ['invalid_locale', 'signer_not_active', 'request_not_active', 'conflict'],
});

export const correctSigner = endpoint({
  ...base,
  name: 'correct-signer',
  method: 'PATCH',
  path: '/api/v1/signatures/{id}/signers/{signer_id}',
  summary: 'Correct the address or name of a signer who has not signed, and invite them with a new link',
  params: signerPath,
  body: z
    .object({ email: email.optional(), name: invitedSigner.shape.name }, jsonObject)
    .refine(({ email, name }) => email !== undefined || name, {
      error: refuse('invalid_request', 'must have an email or a name'),
    }),
  answer: z.strictObject({
    ...signerInRequest.shape,
    email_sent: boolean,
    email_error: nullableString,
  }),
  errors: [
    'invalid_signer_email',
    'invalid_signer_name',
    'duplicate_signer',
    'signer_not_active',
    'request_not_active',
    'conflict',
  ],
});

export const createUpload = endpoint({
  ...base,
  name: 'create-upload',
  method: 'POST',
  path: '/api/v1/uploads',
  summary: 'Get a one-time form for uploading a large PDF',
  status: 201,
  answer: z.strictObject({
    upload_id: uuid,
    url: z.url(),
    fields: z.record(string, string),
    max_bytes: int,
    expires_at: stamp,
  }),
  errors: ['subscription_required', 'subscription_inactive'],
});
