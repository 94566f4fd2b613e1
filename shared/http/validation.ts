import type * as z from 'zod';
import { ApiError, notFound } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ERRORS, type ErrorCode, isErrorCode } from '../contract/errors.ts';
import { refuse } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import { grouped } from '../runtime/grouped.ts';
import { rawMember } from '../runtime/raw-json.ts';
import { isRecord } from '../runtime/value-paths.ts';
import { type HttpEvent, header } from './call.ts';
import { jsonFault } from './json-fault.ts';

/** Validates each part of a call against the contract; the error names every invalid field, of headers and body together. */

const pathOf = (path: PropertyKey[]) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );

const pointerOf = (path: PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

interface Fault {
  error: ErrorCode;
  message: string;
  /** A JSON pointer; absent if the whole part is at fault. */
  field?: string;
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  const [code = '', sentence] = issue.message.split('|', 2);
  // Only a body can be at fault as a whole.
  const name = pathOf(issue.path) || 'body';
  const field = issue.path.length > 0 ? { field: pointerOf(issue.path) } : {};
  if (!isErrorCode(code)) return { error: 'invalid_request', message: `${name}: ${issue.message}`, ...field };
  if (code === 'not_found') return { error: code, message: notFound(name).message, ...field };
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  const isNull = issue.input === null ? '; it is null' : '';
  return {
    error: code,
    message: `${name} ${isMissing ? 'is required: it ' : ''}${sentence}${isNull}.`,
    ...field,
  };
}

/** An answer lists at most so many faults. */
const MOST_FAULTS = 50;

function refusal(all: Fault[]): ApiError {
  const faults = all.slice(0, MOST_FAULTS);
  const [first] = faults;
  if (!first) return new ApiError('invalid_request');
  const { error, message, ...field } = first;
  return new ApiError(error, message, {
    ...field,
    ...(error !== 'not_found' && { fields: { errors: faults } }),
  });
}

/** Zod measures whatever has a length, even where the type is wrong. */
function withoutMeasures(issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => pointerOf(path));
  const isMeasure = ({ code }: z.core.$ZodIssue) => code === 'too_big' || code === 'too_small';
  return issues.filter((issue) => !isMeasure(issue) || !mistyped.includes(pointerOf(issue.path)));
}

function check(schema: z.ZodType | undefined, value: unknown) {
  const { data, error } = schema?.safeParse(value, { reportInput: true }) ?? {};
  return { data, issues: withoutMeasures(error?.issues ?? []) };
}

function assertNone(issues: z.core.$ZodIssue[]): void {
  if (issues.length > 0) throw refusal(issues.map(faultOf));
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  const { data, issues } = check(schema, value);
  assertNone(issues);
  return data;
}

/** Parameters that the contract does not know are ignored. */
function queryOf(event: HttpEvent, { shape }: z.ZodObject): Record<string, string> {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {}).filter(([name]) =>
    Object.hasOwn(shape, name),
  );
  const repeated = given.find(([, values]) => (values?.length ?? 0) > 1);
  if (repeated) {
    const field = pointerOf([repeated[0]]);
    throw new ApiError('invalid_request', `${repeated[0]} must appear only once.`, { field });
  }
  return Object.fromEntries(given.map(([name, values]) => [name, values?.[0] ?? '']));
}

const lowerCaseHeaders = (event: HttpEvent) =>
  Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/** API Gateway decodes every body as UTF-8, which garbles one in another charset. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?(?:utf-?8|us-ascii)(?![\w-]))/i;

function assertJsonType(type: string): void {
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ApiError(
      'unsupported_media_type',
      'The body must be JSON, sent with Content-Type: application/json.',
    );
  if (OTHER_CHARSET.test(type))
    throw new ApiError(
      'unsupported_media_type',
      'The body must be in UTF-8, as JSON is; name no other charset.',
    );
}

/** The parser's own message would repeat parts of the body. */
function jsonProblem(text: string, encoding: string | undefined): string {
  if (text.trim() === '') return 'The body is empty; it must be a JSON object.';
  // API Gateway decompresses bodies, the ingest of large ones does not.
  if (encoding && !/^identity$/i.test(encoding))
    return 'The body is compressed; send it as it is, without Content-Encoding.';
  if (text.startsWith('\ufeff')) return 'The body begins with a byte order mark; send it without one.';
  const fault = jsonFault(text);
  return fault
    ? `The body is not valid JSON: see line ${fault.line}, column ${fault.column}.`
    : ERRORS.invalid_json[1];
}

/**
 * Far above any limit of the contract. Zod validates every element before it checks the length of a list, which takes
 * too long for a body of 5 MB.
 */
const MOST_ELEMENTS = 1_000;

function assertShortLists(sent: unknown, { shape }: z.ZodObject): void {
  if (!isRecord(sent)) return;
  for (const name of Object.keys(shape)) {
    const value = sent[name];
    if (!Array.isArray(value) || value.length <= MOST_ELEMENTS) continue;
    const field = pointerOf([name]);
    if (name === 'signers') throw new ApiError('too_many_signers', undefined, { field });
    throw new ApiError('invalid_request', `${name} must hold at most ${MOST_ELEMENTS} elements.`, { field });
  }
}

function readBody(endpoint: Endpoint, event: HttpEvent, text: string): unknown {
  if (text.trim() === '' && endpoint.bodyOptional) return {};
  assertJsonType(header(event, 'content-type') ?? '');
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', jsonProblem(text, header(event, 'content-encoding')));
  }
}

/** A fault of the body as a whole, beside those of the headers. Another status than theirs (415) is answered alone. */
function besideHeaders(issues: z.core.$ZodIssue[], error: unknown): unknown {
  if (issues.length === 0 || !(error instanceof ApiError) || error.status !== 400) return error;
  const { code, message, fields } = error;
  return refusal([...issues.map(faultOf), { error: code, message, ...fields }]);
}

function bodyOf(endpoint: Endpoint, event: HttpEvent, text: string, ofHeaders: z.core.$ZodIssue[]): unknown {
  if (!endpoint.body) return undefined;
  try {
    const sent = readBody(endpoint, event, text);
    assertShortLists(sent, endpoint.body);
    return sent;
  } catch (error) {
    throw besideHeaders(ofHeaders, error);
  }
}

/** A member of another type than the contract's may be named for that too. */
function tooLongIn(sent: unknown, text: string, { textLimits = {} }: Endpoint): z.core.$ZodIssue[] {
  const given = isRecord(sent) ? sent : {};
  return Object.entries(textLimits).flatMap(([name, { bytes, error }]) => {
    const isLong = isRecord(given[name]) && Buffer.byteLength(rawMember(text, name) ?? '') > bytes;
    const message = refuse(error, `must be at most ${grouped(bytes)} bytes as JSON`);
    return isLong ? [{ code: 'custom', path: [name], message, input: given[name] }] : [];
  });
}

/** API Gateway passes the body as text or base64. */
export const textOf = (event: HttpEvent) =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');

/** The members that the contract does not know: validation leaves them out. */
function ignoredIn(sent: unknown, kept: unknown, path: PropertyKey[] = []): string[] {
  // Members that the contract leaves open are kept as they are, at any depth.
  if (sent === kept) return [];
  if (!isRecord(sent) || !isRecord(kept)) return [];
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(kept, name) ? ignoredIn(value, kept[name], [...path, name]) : [pointerOf([...path, name])],
  );
}

/** Percent-encoded a character takes up to nine bytes, so that the header stays well under 10 KB. */
const MOST_NAME_LENGTH = 40;

const headerName = (name: string) =>
  encodeURI(name.slice(0, MOST_NAME_LENGTH).toWellFormed()).replaceAll(',', '%2C');

export const ignoredHeader = (names: string[]): Record<string, string> =>
  names.length === 0
    ? {}
    : { 'Ignored-Fields': names.slice(0, LIMITS.ignoredFields).map(headerName).join(', ') };

export function validate(endpoint: Endpoint, event: HttpEvent, text: string) {
  const params = parse(endpoint.params, event.pathParameters ?? {});
  const query = parse(endpoint.query, endpoint.query ? queryOf(event, endpoint.query) : {});
  const headers = check(endpoint.headers, lowerCaseHeaders(event));
  const sent = bodyOf(endpoint, event, text, headers.issues);
  const body = check(endpoint.body, sent);
  assertNone([...headers.issues, ...body.issues, ...tooLongIn(sent, text, endpoint)]);
  return { params, query, headers: headers.data, body: body.data, ignored: ignoredIn(sent, body.data) };
}
