import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import {
  ACTORS,
  locale,
  mailKind,
  mailOutcome,
  OWNER_TYPES,
  requestStatus,
  signerStatus,
  stamp,
  uuid,
} from './fields.ts';
import { LIMITS } from './limits.ts';

export const auditEvent = z.strictObject({
  sequence: int,
  type: string,
  at: stamp,
  actor: z.enum(ACTORS),
  signer_id: uuid.nullable(),
  ip_address: nullableString,
  user_agent: nullableString,
  details: z.record(string, z.unknown()),
  previous_hash: string,
  hash: string,
});

export const auditTrail = z.strictObject({ events: z.array(auditEvent) });

/** `at` is when the outcome was known. */
export const mail = z.strictObject({
  kind: mailKind,
  sent_at: stamp,
  outcome: mailOutcome,
  at: stamp,
});

/** A signer as their request shows them. The list of signers tells more. */
export const signerInRequest = z.strictObject({
  id: uuid,
  email: string,
  name: string,
  access_token: string,
  sign_url: z.url(),
  status: signerStatus,
  sent_at: stamp.nullable(),
  opened_at: stamp.nullable(),
  signed_at: stamp.nullable(),
  declined_at: stamp.nullable(),
  decline_reason: nullableString,
  locale,
  mails: z.array(mail).max(LIMITS.mailsInAnswer),
});

export const signer = z.strictObject({
  ...signerInRequest.shape,
  name_as_invited: nullableString,
  name_as_signed: nullableString,
  position: int.min(0),
  invalidated_at: stamp.nullable(),
  ip_address: nullableString,
  user_agent: nullableString,
  representing_as_invited: nullableString,
  representing_as_signed: nullableString,
  representing_role: nullableString,
  representing_entity_id: nullableString,
  audit_trail: auditTrail,
});

export const retention = z.strictObject({
  is_archive_protected: boolean,
  pdf_purged: boolean,
  pdf_purged_at: stamp.nullable(),
  pdf_available_until: stamp.nullable(),
  pdf_days_remaining: int.min(0).nullable(),
});

/** Members that the full form, the list and the event payloads share. */
export const REQUEST_HEAD = { status: requestStatus, title: string, reference: nullableString };
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
  title: nullableString,
  signer_count: int,
  ...REQUEST_TIMES,
  is_expired: boolean,
  test: boolean,
});

/** Present if the request has exactly one signer, for clients of the single-signer form. */
const deprecatedSingleSigner = {
  token: string.optional(),
  sign_url: z.url().optional(),
  signer_email: string.optional(),
  signer_name: string.optional(),
  opened_at: stamp.nullable().optional(),
};

export const signatureRequest = z.strictObject({
  id: uuid,
  ...REQUEST_HEAD,
  message: string,
  ...REQUEST_TIMES,
  is_expired: boolean,
  retention,
  signers: z.array(signerInRequest),
  document_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  audit_trail: auditTrail,
  metadata: z.record(string, z.unknown()),
  sender_email: nullableString,
  created_via: z.enum(['web', 'api']),
  owner_type: z.enum(OWNER_TYPES),
  user_id: uuid.optional(),
  organization_id: uuid.optional(),
  test: boolean,
  reminders: boolean,
  return_url: z.url().nullable(),
  ...deprecatedSingleSigner,
});

const fault = { error: string, message: string, field: string.optional() };

export const errorBody = z.object({
  ...fault,
  /** All faults of the body at once, the first equal to the outer one. */
  errors: z.array(z.object(fault)).optional(),
  request_id: string.optional(),
  docs: z.url().optional(),
  purged_at: stamp.nullable().optional(),
});

/** The errors of the calls by signers say more about the link, and nothing to developers. */
export const signingErrorBody = errorBody.omit({ docs: true }).extend({
  /** The signer's language, where a signing link has ended. */
  locale: locale.optional(),
  attempts_left: int.optional(),
  locked_until: stamp.nullable().optional(),
});

/** As the signers', without a link's language. */
export const appErrorBody = signingErrorBody.omit({ locale: true });
