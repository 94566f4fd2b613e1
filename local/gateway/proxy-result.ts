/** Reads the answer of a function behind a proxy integration. */
import { orUndefined } from '../or-undefined.ts';

interface ProxyResult {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

export type StreamHead = Omit<ProxyResult, 'body'>;

/** Undefined for a malformed Lambda proxy response. An API without binary media types passes every body as text. */
export function readProxyResult(payload: Uint8Array): ProxyResult | undefined {
  const answer = parseObject(Buffer.from(payload).toString());
  const head = answer && readHead(answer);
  if (!answer || !head) return undefined;
  const { body = '' } = answer;
  if (body !== null && typeof body !== 'string') return undefined;
  return { ...head, body: Buffer.from(body ?? '') };
}

/** The metadata before a streamed body. */
export function readStreamHead(metadata: Uint8Array): StreamHead | undefined {
  const answer = parseObject(Buffer.from(metadata).toString());
  if (!answer) return undefined;
  const cookies = Array.isArray(answer.cookies)
    ? answer.cookies.map((cookie): [string, string] => ['Set-Cookie', String(cookie)])
    : [];
  const head = readHead({ statusCode: 200, ...answer });
  return head && { ...head, headers: [...head.headers.map(withStreamLength), ...cookies] };
}

/** The gateway sends a stream in chunks, whatever length the function states. */
const withStreamLength = ([name, value]: [string, string]): [string, string] =>
  name.toLowerCase() === 'content-length' ? [`x-amzn-Remapped-${name}`, value] : [name, value];

function readHead(answer: Record<string, unknown>): StreamHead | undefined {
  const status = Number(answer.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const multiple = entriesOf(answer.multiValueHeaders).flatMap(([name, values]) =>
    Array.isArray(values) ? values.map((value): [string, string] => [name, String(value)]) : [],
  );
  const repeated = new Set(multiple.map(([name]) => name.toLowerCase()));
  const single = entriesOf(answer.headers)
    .filter(([name, value]) => value !== null && !repeated.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { status, headers: gatewayHeaders([...single, ...multiple]) };
}

/** Headers that API Gateway removes from a function's answer. */
const DROPPED_HEADERS = new Set([
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
/** Headers that API Gateway renames. */
const REMAPPED_HEADERS = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);

/** Follows the table for Lambda functions in AWS's “Amazon API Gateway important notes”. */
const gatewayHeaders = (headers: [string, string][]): [string, string][] =>
  headers
    .filter(([name]) => !DROPPED_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => [
      REMAPPED_HEADERS.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name,
      value,
    ]);

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value: unknown = orUndefined(() => JSON.parse(text));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
