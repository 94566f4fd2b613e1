import * as z from 'zod';
import {
  ACTORS,
  LIMITS,
  locale,
  mailKind,
  mailOutcome,
  requestStatus,
  signerStatus,
  stamp,
  uuid,
} from './fields.ts';

export const auditEvent = z.strictObject({
  sequence: z.int(),
  type: z.string(),
  at: stamp,
  actor: z.enum(ACTORS),
  signer_id: uuid.nullable(),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  previous_hash: z.string(),
  hash: z.string(),
});

export const auditTrail = z.strictObject({ events: z.array(auditEvent) });

/** `at` is when the outcome was known. */
export const mail = z.strictObject({
  kind: mailKind,
  sent_at: stamp,
  outcome: mailOutcome,
  at: stamp,
});

/** The signer inside a single request (2.2, the subset of the reference example). */
export const signerInRequest = z.strictObject({
  id: uuid,
  email: z.string(),
  name: z.string(),
  access_token: z.string(),
  sign_url: z.url(),
  status: signerStatus,
  sent_at: stamp.nullable(),
  opened_at: stamp.nullable(),
  signed_at: stamp.nullable(),
  declined_at: stamp.nullable(),
  decline_reason: z.string().nullable(),
  locale,
  mails: z.array(mail).max(LIMITS.mailsInAnswer),
});

export const signer = z.strictObject({
  ...signerInRequest.shape,
  name_as_invited: z.string().nullable(),
  name_as_signed: z.string().nullable(),
  position: z.int().min(0),
  invalidated_at: stamp.nullable(),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  representing_as_invited: z.string().nullable(),
  representing_as_signed: z.string().nullable(),
  representing_role: z.string().nullable(),
  representing_entity_id: z.string().nullable(),
  audit_trail: auditTrail,
});

export const retention = z.strictObject({
  is_archive_protected: z.boolean(),
  pdf_purged: z.boolean(),
  pdf_purged_at: stamp.nullable(),
  pdf_available_until: stamp.nullable(),
  pdf_days_remaining: z.int().min(0).nullable(),
});

/** Members that the full form, the list and the event payloads share. */
export const REQUEST_HEAD = { status: requestStatus, title: z.string(), reference: z.string().nullable() };
export const REQUEST_TIMES = {
  created_at: stamp,
  sent_at: stamp.nullable(),
  signed_at: stamp.nullable(),
  cancelled_at: stamp.nullable(),
  expires_at: stamp,
};

export const summary = z.strictObject({
  id: uuid,
  ...REQUEST_HEAD,
  title: z.string().nullable(),
  signer_count: z.int(),
  ...REQUEST_TIMES,
  is_expired: z.boolean(),
  test: z.boolean(),
});

/** Present if the request has exactly one signer, for clients of the single-signer form. */
const deprecatedSingleSigner = {
  token: z.string().optional(),
  sign_url: z.url().optional(),
  signer_email: z.string().optional(),
  signer_name: z.string().optional(),
  opened_at: stamp.nullable().optional(),
};

export const signatureRequest = z.strictObject({
  id: uuid,
  ...REQUEST_HEAD,
  message: z.string(),
  ...REQUEST_TIMES,
  is_expired: z.boolean(),
  retention,
  signers: z.array(signerInRequest),
  document_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  audit_trail: auditTrail,
  metadata: z.record(z.string(), z.unknown()),
  sender_email: z.string().nullable(),
  created_via: z.enum(['web', 'api']),
  owner_type: z.enum(['user', 'organization']),
  user_id: uuid.optional(),
  organization_id: uuid.optional(),
  test: z.boolean(),
  reminders: z.boolean(),
  return_url: z.url().nullable(),
  ...deprecatedSingleSigner,
});

const fault = { error: z.string(), message: z.string(), field: z.string().optional() };

export const errorBody = z.object({
  ...fault,
  /** All faults of the body at once, the first equal to the outer one. */
  errors: z.array(z.object(fault)).optional(),
  request_id: z.string().optional(),
  docs: z.url().optional(),
  purged_at: stamp.nullable().optional(),
});

/** The errors of the calls by signers say more about the link, and nothing to developers. */
export const signingErrorBody = errorBody.omit({ docs: true }).extend({
  /** The signer's language, where a signing link has ended. */
  locale: locale.optional(),
  attempts_left: z.int().optional(),
  locked_until: stamp.nullable().optional(),
});

/** As the signers', without a link's language. */
export const appErrorBody = signingErrorBody.omit({ locale: true });
