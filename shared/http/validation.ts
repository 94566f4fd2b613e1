import type * as z from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { isErrorCode } from '../contract/errors.ts';
import { ApiError } from './api-error.ts';
import { type HttpEvent, header } from './call.ts';

/** Checks each part of a call against the contract; the first thing wrong is answered with its name. */

const pathOf = (path: PropertyKey[]) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );

function refusal(issue: z.core.$ZodIssue, part: string): ApiError {
  const [code = '', sentence] = issue.message.split('|', 2);
  const name = pathOf(issue.path) || part;
  if (sentence === undefined || !isErrorCode(code))
    return new ApiError('invalid_request', `${name}: ${issue.message}`);
  return code === 'not_found' ? new ApiError('not_found') : new ApiError(code, `${name} ${sentence}.`);
}

function parse(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? refusal(issue, part) : new ApiError('invalid_request');
}

function queryOf(event: HttpEvent): Record<string, string> {
  const given = event.multiValueQueryStringParameters ?? {};
  const twice = Object.entries(given).find(([, values]) => (values?.length ?? 0) > 1);
  if (twice) throw new ApiError('invalid_request', `${twice[0]} must be given once.`);
  return Object.fromEntries(Object.entries(given).map(([name, values]) => [name, values?.[0] ?? '']));
}

const lowerCaseHeaders = (event: HttpEvent) =>
  Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

function bodyOf(endpoint: Endpoint, event: HttpEvent, text: string): unknown {
  if (text.trim() === '' && endpoint.bodyOptional) return {};
  const type = header(event, 'content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError(
      'unsupported_media_type',
      'The body must be JSON, sent with Content-Type: application/json.',
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(
      'invalid_json',
      text === '' ? 'The body is empty; it must be a JSON object.' : undefined,
    );
  }
}

/** Bodies come as text, or as base64 of it. */
export const textOf = (event: HttpEvent) =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');

export function validate(endpoint: Endpoint, event: HttpEvent, text: string) {
  return {
    params: parse(endpoint.params, event.pathParameters ?? {}, 'path'),
    query: parse(endpoint.query, endpoint.query ? queryOf(event) : {}, 'query'),
    headers: parse(endpoint.headers, lowerCaseHeaders(event), 'headers'),
    body: endpoint.body ? parse(endpoint.body, bodyOf(endpoint, event, text), 'body') : undefined,
  };
}
