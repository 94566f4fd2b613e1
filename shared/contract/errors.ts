import { grouped } from '../runtime/grouped.ts';
import { LOCALES } from '../texts/languages.ts';
import { LIMITS } from './limits.ts';

/** Of a PDF, as all sentences about it say it. */
export const DOCUMENT_LIMIT = `10 MB (${grouped(LIMITS.documentBytes)} bytes)`;

/**
 * Every error code of the service with its HTTP status and default message; docs/errors.md is generated from it.
 * The code that throws may give a more exact message that names the field.
 */
export const ERRORS = {
  invalid_request: [400, 'A field, parameter or header is missing or invalid. The message names it.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_title: [
    400,
    `\`title\` is missing, without a visible character, or longer than ${LIMITS.titleLength} characters.`,
  ],
  invalid_message: [
    400,
    `\`message\` is not text, or is longer than ${grouped(LIMITS.messageLength)} characters.`,
  ],
  invalid_signer_email: [400, 'A signer’s e-mail address is missing or not valid.'],
  invalid_signer_name: [
    400,
    `A signer’s name is not text, without a visible character, or longer than ${LIMITS.nameLength} characters.`,
  ],
  invalid_locale: [400, `A locale is not one of ${LOCALES.join(', ')}.`],
  signers_required: [400, `A request needs 1 to ${LIMITS.signers} signers; this one has none.`],
  too_many_signers: [400, `A request can have at most ${LIMITS.signers} signers.`],
  ambiguous_signers: [400, '`signer_email` and `signer_name` cannot be combined with `signers`.'],
  invalid_metadata: [400, '`metadata` is not a JSON object.'],
  metadata_too_large: [400, '`metadata` is larger than 16 KB as JSON.'],
  invalid_reference: [400, `\`reference\` is not one line of at most ${LIMITS.referenceLength} characters.`],
  invalid_return_url: [400, '`return_url` is not an allowed https address.'],
  invalid_expiry: [400, `\`expires_in_days\` is not a whole number from 1 to ${LIMITS.expiryDays}.`],
  document_required: [400, '`document` is missing, or has neither `content_base64` nor `upload_id`.'],
  ambiguous_document: [400, '`document` has both `content_base64` and `upload_id`.'],
  invalid_filename: [
    400,
    '`document.filename` has no visible character, is too long, or contains a path or control characters.',
  ],
  invalid_base64: [400, '`document.content_base64` is not base64.'],
  document_too_large: [400, `The PDF is larger than ${DOCUMENT_LIMIT} decoded.`],
  not_a_pdf: [400, 'The document is not a PDF.'],
  pdf_encrypted: [400, 'The PDF is encrypted or password-protected, so it cannot be sealed.'],
  pdf_damaged: [400, 'The PDF is damaged, so it cannot be sealed.'],
  pdf_no_pages: [400, 'The PDF has no pages.'],
  pdf_certified: [400, 'The PDF is certified against changes, so it cannot be sealed.'],
  pdf_dynamic_form: [400, 'The PDF is a dynamic XFA form, which cannot be sealed.'],
  pdf_signature_broken: [
    400,
    'The PDF contains a signature that does not match it: the PDF was changed after that signature, or is damaged.',
  ],
  pdf_active_content: [
    400,
    'The PDF contains active content (JavaScript, Launch, form submission, multimedia), or content that only some programs or only printouts show. The message names the first thing found and its page.',
  ],
  pdf_too_complex: [400, 'The PDF is nested too deeply or too large to be processed safely.'],
  invalid_upload: [
    400,
    'The upload does not exist, is not finished, was already used, or has expired (after one hour).',
  ],
  invalid_idempotency_key: [
    400,
    `\`Idempotency-Key\` is empty or longer than ${LIMITS.idempotencyKeyLength} characters.`,
  ],
  invalid_status: [400, '`status` is not one of the nine request statuses.'],
  invalid_date: [400, 'A date is not an RFC 3339 date-time.'],
  invalid_limit: [400, `\`limit\` is not a whole number from 1 to ${LIMITS.pageSize}.`],
  invalid_cursor: [400, '`cursor` is not the `next_cursor` of a response to the same filters.'],
  invalid_reason: [400, `\`reason\` is not text, or is longer than ${LIMITS.reasonLength} characters.`],
  invalid_url: [400, 'A webhook `url` is not an allowed https address.'],
  invalid_event_types: [400, '`event_types` contains a name that is not an event type.'],
  invalid_description: [400, `\`description\` is longer than ${LIMITS.webhookDescriptionLength} characters.`],
  invalid_code_format: [400, '`code` is not six digits.'],
  invalid_signature: [400, 'The drawn or typed signature is missing, too large or malformed.'],
  invalid_name: [
    400,
    `\`name\` is missing, without a visible character, or longer than ${LIMITS.nameLength} characters.`,
  ],
  unauthorized: [401, 'The Authorization header is missing or malformed, or the key is unknown or revoked.'],
  sign_in_required: [401, 'Nobody is signed in: the session has ended, was revoked, or never was.'],
  verification_required: [401, 'The signer has to enter a one-time code first.'],
  wrong_code: [401, 'The one-time code is wrong. `attempts_left` is the number of remaining attempts.'],
  subscription_required: [
    402,
    'The owner has no subscription: ask the operator of the service for one. A test key (esk_test_…) works without.',
  ],
  subscription_inactive: [
    402,
    'The owner’s subscription is not active: ask the operator of the service. A test key (esk_test_…) works without.',
  ],
  forbidden: [403, 'The call did not use the service’s public address.'],
  admin_required: [403, 'Only an admin of the organization may do this.'],
  not_found: [404, 'The resource does not exist, or belongs to another owner.'],
  evidence_unavailable: [404, 'The request was made before evidence files existed, so it has none.'],
  method_not_allowed: [405, 'The path exists, but not with this method. `Allow` lists the methods it has.'],
  duplicate_signer: [409, 'Two signers have the same e-mail address.'],
  idempotency_key_conflict: [
    409,
    'The `Idempotency-Key` was used with another body within 24 hours; send a new key, or exactly that body.',
  ],
  idempotency_in_progress: [
    409,
    'A request with the same `Idempotency-Key` is still in progress; try again after `Retry-After`.',
  ],
  request_not_cancellable: [409, 'The request is signed, being sealed, cancelled, declined or expired.'],
  request_not_ended: [
    409,
    'The request has not ended: cancel it, or wait until it is sealed, before its document is deleted.',
  ],
  archive_protected: [
    409,
    'The owner’s archive keeps this document. The operator of the service has to end the archive before it can be deleted.',
  ],
  request_not_active: [409, 'The request is no longer active.'],
  signer_not_active: [409, 'The signer has already signed or declined, or the link was invalidated.'],
  not_yet_signed: [409, 'The document is not sealed yet.'],
  request_cancelled: [409, 'The request was cancelled, so it will never have a sealed document.'],
  request_declined: [409, 'A signer declined, so the request will never have a sealed document.'],
  request_expired: [409, 'The request expired, so it will never have a sealed document.'],
  too_many_endpoints: [409, `An owner can have at most ${LIMITS.webhookEndpoints} webhook endpoints.`],
  endpoint_paused: [409, 'The webhook endpoint is paused and gets no deliveries; resume it first.'],
  conflict: [409, 'The resource was changed concurrently; try again.'],
  already_member: [409, 'The person is a member of the organization already.'],
  last_admin: [409, 'An organization keeps at least one admin; make another member admin first.'],
  too_many_members: [409, `An organization can have at most ${LIMITS.members} members.`],
  too_many_keys: [409, `An owner can have at most ${LIMITS.apiKeys} API keys that are not revoked.`],
  link_cancelled: [409, 'The sender has cancelled the request.'],
  link_declined: [409, 'This signer has declined.'],
  link_invalidated: [409, 'Another signer has declined, so this link no longer works.'],
  already_signed: [409, 'This signer has already signed.'],
  document_mismatch: [409, 'The displayed document is not the one to be signed; load it again.'],
  consent_outdated: [409, 'The consent text has changed; show the current one.'],
  event_not_kept: [410, 'The event’s body is no longer kept, so it cannot be delivered again.'],
  document_purged: [410, 'The PDF was deleted, after its retention period or on demand; see `purged_at`.'],
  link_expired: [410, 'The link has expired.'],
  code_expired: [410, 'The one-time code has expired or was replaced; request a new one.'],
  unsupported_media_type: [415, 'The body must be `application/json`.'],
  too_many_codes: [429, 'A code was sent moments ago, or too many were requested; wait for `Retry-After`.'],
  locked: [
    429,
    'Too many codes were tried or asked for; the link is locked until `locked_until`, or until the sender resends if that is null.',
  ],
  too_many_requests: [429, 'Too many requests; wait for `Retry-After`.'],
  internal_error: [500, 'The service failed. The message carries the request id.'],
  email_failed: [502, 'The mail with the code could not be sent; try again.'],
  service_unavailable: [503, 'A part of the service is busy; try again after `Retry-After`.'],
  timed_out: [504, 'The service took too long to answer.'],
} as const satisfies Record<string, readonly [status: number, help: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The reasons why there is no sealed document: it is still awaited, or there will never be one. */
export const NO_DOCUMENT = [
  'not_yet_signed',
  'request_cancelled',
  'request_declined',
  'request_expired',
] as const satisfies ErrorCode[];

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** The address of a code's entry in the documentation. */
export const docsOf = (baseUrl: string, code: ErrorCode): string => `${baseUrl}/docs/errors#${code}`;
