import * as z from 'zod';
import { boolean, nullableString, string } from '../runtime/schemas.ts';
import { asUri, parsePlainAddress } from '../runtime/uri.ts';
import { visible } from '../runtime/visible.ts';
import { LOCALES } from '../texts/languages.ts';
import { DOCUMENT_LIMIT, type ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

export const MODES = ['live', 'test'] as const;
/** The causes of audit events. */
export const ACTORS = ['client', 'signer', 'service', 'operator'] as const;
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

/** The mails that signers get. */
export const MAIL_KINDS = [
  'invitation',
  'resend',
  'code',
  'reminder',
  'completed',
  'declined',
  'cancelled',
  'expired',
] as const;
const MAIL_OUTCOMES = ['sent', 'failed', 'bounced', 'complained'] as const;

/** Of a user in an organization. */
export const ROLES = ['admin', 'member'] as const;
export const OWNER_TYPES = ['user', 'organization'] as const;
export const SUBSCRIPTIONS = ['active', 'inactive', 'none'] as const;

/** A schema's message holds error code and sentence; `shared/http/validation.ts` splits them. */
export const refuse = (code: ErrorCode, sentence: string) => `${code}|${sentence}`;

/** Refuses a body that is no object. */
export const jsonObject = { error: refuse('invalid_request', 'must be a JSON object') };

export const flag = z.boolean({ error: refuse('invalid_request', 'must be true or false') });
const noDate = refuse(
  'invalid_date',
  'must be an RFC 3339 date-time, for example 2026-11-21T10:00:00Z; a + is sent as %2B',
);
/** In capitals: RFC 3339 allows `t` and `z`, which Zod refuses. */
export const dateTime = z
  .string({ error: noDate })
  .toUpperCase()
  .check(z.iso.datetime({ offset: true, error: noDate }));
export const stamp = z.iso.datetime();
export const uuid = z.uuid();
/** The typefaces of typed signatures, as `shared/typesetting/` names them. Those without a style have the first. */
export const TYPED_STYLES = ['italic', 'serif', 'sans'] as const;
export type TypedStyle = (typeof TYPED_STYLES)[number];

export const oneOf = <const T extends readonly string[]>(code: ErrorCode, values: T) =>
  z.enum(values, { error: refuse(code, `must be one of ${values.join(', ')}`) });

export const locale = oneOf('invalid_locale', LOCALES);
export const requestStatus = oneOf('invalid_status', REQUEST_STATUSES);
export const signerStatus = z.enum(SIGNER_STATUSES);
export const mailKind = z.enum(MAIL_KINDS);
export const mailOutcome = z.enum(MAIL_OUTCOMES);

/** JSON can spell half a character, which databases and encoders refuse. */
export const wellFormed = (code: ErrorCode) =>
  [
    (value: string) => value.isWellFormed(),
    { error: refuse(code, 'must be valid Unicode: it holds half a surrogate pair') },
  ] as const;

export const atMost = (code: ErrorCode, max: number) =>
  [max, { error: refuse(code, `must be at most ${max} characters`) }] as const;

/** User text: trimmed, without the control characters that mail headers and terminals act on. */
export const text = (code: ErrorCode, max: number) =>
  z
    .string({ error: refuse(code, `must be text of at most ${max} characters`) })
    .trim()
    // Nothing else is looked at in a longer text: to compose a megabyte of accents takes minutes.
    .max(max, { error: refuse(code, `must be at most ${max} characters`), abort: true })
    .refine(...wellFormed(code))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the refused characters
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: refuse(code, 'must not hold control characters'),
    });

/** A title or a name: it may be empty where it is optional, but never look empty. */
export const line = (code: ErrorCode, max: number) =>
  text(code, max)
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), { error: refuse(code, 'must be a single line') })
    .refine((value) => value === '' || visible(value) !== '', {
      error: refuse(code, 'must hold a visible character'),
    });

export const requiredLine = (code: ErrorCode, max: number) =>
  line(code, max).min(1, { error: refuse(code, 'must not be blank') });

/** By the tags of answers that the client has, and which are not sent again. */
export const ifChanged = z.object({ 'if-none-match': string.optional() });

/** A path id of another form cannot exist, so the answer is 404 rather than 400. */
export const notFound = { error: refuse('not_found', 'names nothing that exists') };
export const pathId = z.uuid(notFound).toLowerCase();

/** Some programs decode what looks like an encoded word in an address, and send to or show another one. */
const LOCAL_ATOM = "(?:(?!=\\?)[a-z0-9!#$%&'*+/=?^_`{|}~-])+";
/**
 * An address without quotes, as SES takes it (RFC 5321). Zod's own pattern refuses top-level domains in other letters, which
 * browsers write as xn--p1ai, and the signs of b&b@example.com.
 */
const ADDRESS = new RegExp(
  `^${LOCAL_ATOM}(?:\\.${LOCAL_ATOM})*@(?:[a-z0-9][a-z0-9-]*\\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$`,
  'i',
);
export const emailAddress = z.email({
  pattern: ADDRESS,
  error: ({ input }) => refuse('invalid_signer_email', `must be an e-mail address${hintOn(String(input))}`),
});

function hintOn(address: string): string {
  if (/\s/.test(address)) return ' alone, without spaces; in a query, a + is sent as %2B';
  return /[^\x20-\x7e]/.test(address) ? ' in ASCII; the domain münchen.de is written xn--mnchen-3ya.de' : '';
}

/** Addresses copied from mails and directories often have invisible characters around them, which belong to none. */
export const email = z
  .string({ error: refuse('invalid_signer_email', 'must be an e-mail address') })
  .overwrite((value) => value.replace(/\p{Cf}/gu, ''))
  .trim()
  .toLowerCase()
  .max(...atMost('invalid_signer_email', LIMITS.emailLength))
  .pipe(emailAddress);

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** http is for a page under development: nobody but its developer is led to this machine. */
function isPageAddress(value: string): boolean {
  const url = parsePlainAddress(value);
  return url !== undefined && (url.protocol === 'https:' || LOCAL_HOSTS.includes(url.hostname));
}

export const returnUrl = z
  .string({ error: refuse('invalid_return_url', 'must be an https address') })
  .refine(...wellFormed('invalid_return_url'))
  .refine(isPageAddress, {
    error: refuse(
      'invalid_return_url',
      'must be an https address without spaces, user and password (http only for localhost)',
    ),
  })
  .overwrite(asUri)
  .max(...atMost('invalid_return_url', LIMITS.returnUrlLength));

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function problemOfBase64(text: string): string | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (compact.length > (LIMITS.documentBytes / 3 + 1) * 4)
    return refuse('document_too_large', `is larger than ${DOCUMENT_LIMIT} decoded`);
  if (compact === '') return refuse('invalid_base64', 'must be the whole PDF as base64; it is empty');
  if (compact.length % 4 === 0 && BASE64.test(compact)) return undefined;
  const hint = text.startsWith('data:') ? '; leave out the prefix that begins with "data:"' : '';
  return refuse('invalid_base64', `must be the whole PDF as standard base64, with padding${hint}`);
}

export const base64Document = z
  .string({ error: refuse('invalid_base64', 'must be the PDF as base64') })
  .superRefine((text, { addIssue }) => {
    const problem = problemOfBase64(text);
    if (problem) addIssue(problem);
  });

const wholeNumber = refuse('invalid_limit', `must be a whole number from 1 to ${LIMITS.pageSize}`);

/** A one-time code as people type it. */
export const oneTimeCode = z
  .string({ error: refuse('invalid_code_format', 'must be six digits') })
  .regex(/^\d{6}$/, { error: refuse('invalid_code_format', 'must be six digits') });

/** Query parameters of every list. Query values arrive as text. */
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

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ data: z.array(item), has_more: boolean, next_cursor: nullableString });

export type Actor = (typeof ACTORS)[number];
export type MailKind = (typeof MAIL_KINDS)[number];
export type MailResult = (typeof MAIL_OUTCOMES)[number];
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export type SignerStatus = (typeof SIGNER_STATUSES)[number];
export type Role = (typeof ROLES)[number];
/** Test requests follow the same flow under a test certificate and are listed apart. */
export type Mode = (typeof MODES)[number];
