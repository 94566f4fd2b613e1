import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

export const LOCALES = ['en', 'fi', 'fr', 'de'] as const;
export const REQUEST_STATUSES = [
  'pending',
  'sent',
  'opened',
  'signed',
  'cancelled',
  'declined',
  'expired',
  'awaiting_stamp',
  'stamp_failed',
] as const;
export const SIGNER_STATUSES = ['pending', 'sent', 'opened', 'signed', 'declined', 'invalidated'] as const;

export const LIMITS = {
  signers: 20,
  documentBytes: 10_485_760,
  titleLength: 200,
  messageLength: 5_000,
  nameLength: 200,
  emailLength: 254,
  filenameLength: 200,
  metadataBytes: 16_384,
  reasonLength: 500,
  webhookDescriptionLength: 200,
  webhookUrlLength: 2_048,
  webhookEndpoints: 20,
  idempotencyKeyLength: 255,
  pageSize: 100,
  defaultPageSize: 25,
  signatureImageBase64Length: 400_000,
} as const;

/** A schema's refusal carries its error code in front of the sentence; `shared/http/validation.ts` takes them apart. */
export const refuse = (code: ErrorCode, sentence: string) => `${code}|${sentence}`;

export const dateTime = z.iso.datetime({
  offset: true,
  error: refuse('invalid_date', 'must be an RFC 3339 date-time, for example 2026-11-21T10:00:00Z'),
});
export const stamp = z.iso.datetime();
export const uuid = z.uuid();
export const locale = z.enum(LOCALES, { error: refuse('invalid_locale', 'must be one of en, fi, fr, de') });
export const requestStatus = z.enum(REQUEST_STATUSES, {
  error: refuse('invalid_status', `must be one of ${REQUEST_STATUSES.join(', ')}`),
});
export const signerStatus = z.enum(SIGNER_STATUSES);

/** Text that people wrote: trimmed, and without characters that no one can see but a mail header or a terminal obeys. */
export const text = (code: ErrorCode, max: number) =>
  z
    .string({ error: refuse(code, `must be text of at most ${max} characters`) })
    .trim()
    .max(max, { error: refuse(code, `must be at most ${max} characters`) })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: refuse(code, 'must not hold control characters'),
    });

export const line = (code: ErrorCode, max: number) =>
  text(code, max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), {
    error: refuse(code, 'must be a single line'),
  });

/** An id in a path that is not a uuid names nothing, so it is not found rather than invalid. */
export const pathId = z.uuid({ error: refuse('not_found', 'names nothing that exists') }).toLowerCase();

export const email = z
  .string({ error: refuse('invalid_signer_email', 'must be an e-mail address') })
  .trim()
  .toLowerCase()
  .max(LIMITS.emailLength, {
    error: refuse('invalid_signer_email', `must be at most ${LIMITS.emailLength} characters`),
  })
  .pipe(z.email({ error: refuse('invalid_signer_email', 'must be an e-mail address') }));

const wholeNumber = refuse('invalid_limit', 'must be a whole number from 1 to 100');

/** What every list takes. In a query all is text. */
export const paging = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: wholeNumber })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= LIMITS.pageSize, { error: wholeNumber })
    .optional(),
  cursor: z
    .string()
    .max(2_048, { error: refuse('invalid_cursor', 'is not a cursor of this service') })
    .optional(),
};

export type Locale = (typeof LOCALES)[number];
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export type SignerStatus = (typeof SIGNER_STATUSES)[number];
