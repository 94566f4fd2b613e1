/** Reads what a function behind a proxy integration answers. */
import { isBinary } from './mediaTypes.ts';

export interface ProxyResult {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/** Undefined for anything that API Gateway calls a malformed Lambda proxy response. */
export function readProxyResult(
  payload: Uint8Array,
  accept: string | undefined,
  binaryMediaTypes: string[],
): ProxyResult | undefined {
  const answer = parseObject(Buffer.from(payload).toString());
  const head = answer && readHead(answer);
  if (!answer || !head) return undefined;
  const { body = '', isBase64Encoded } = answer;
  if (body !== null && typeof body !== 'string') return undefined;
  const encoding =
    isBase64Encoded === true && isBinary(accept ?? '*/*', binaryMediaTypes) ? 'base64' : 'utf8';
  return { ...head, body: Buffer.from(body ?? '', encoding) };
}

/** The metadata before a streamed body. */
export function readStreamHead(metadata: Uint8Array): Omit<ProxyResult, 'body'> | undefined {
  const answer = parseObject(Buffer.from(metadata).toString());
  if (!answer) return undefined;
  const cookies = Array.isArray(answer.cookies)
    ? answer.cookies.map((cookie): [string, string] => ['Set-Cookie', String(cookie)])
    : [];
  const head = readHead({ statusCode: 200, ...answer });
  return head && { ...head, headers: [...head.headers, ...cookies] };
}

function readHead(answer: Record<string, unknown>): Omit<ProxyResult, 'body'> | undefined {
  const status = Number(answer.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const multiple = entriesOf(answer.multiValueHeaders).flatMap(([name, values]) =>
    Array.isArray(values) ? values.map((value): [string, string] => [name, String(value)]) : [],
  );
  const repeated = new Set(multiple.map(([name]) => name.toLowerCase()));
  const single = entriesOf(answer.headers)
    .filter(([name, value]) => value !== null && !repeated.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { status, headers: asGatewaySends([...single, ...multiple]) };
}

/** API Gateway speaks for the connection itself; it leaves these of a function's headers out. */
const droppedHeaders = new Set([
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
/** These reach the client under another name. */
const remappedHeaders = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);

/** By the table for Lambda functions in AWS's “Amazon API Gateway important notes”. */
const asGatewaySends = (headers: [string, string][]): [string, string][] =>
  headers
    .filter(([name]) => !droppedHeaders.has(name.toLowerCase()))
    .map(([name, value]) => [
      remappedHeaders.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name,
      value,
    ]);

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
