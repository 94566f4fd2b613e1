/** Builds the event of a Lambda proxy integration from a request. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiPlan, StagePlan } from '../assembly/plan.ts';
import type { Location } from '../ports.ts';
import type { Route } from './routes.ts';

/** A request to a stage of an API, with its body. */
export interface StageRequest {
  requestId: string;
  /** Time of the local clock. */
  receivedAt: number;
  httpMethod: string;
  /** Without the stage. */
  path: string;
  query: URLSearchParams;
  /** Alternating names and values, in the client's spelling. */
  rawHeaders: string[];
  sourceIp: string;
  body: Buffer;
}

export function proxyEvent(
  request: StageRequest,
  { method, pathParameters }: Route,
  api: ApiPlan,
  stage: StagePlan,
  { account, region }: Location,
): APIGatewayProxyEvent {
  const domainName = `${api.id}.execute-api.${region}.amazonaws.com`;
  const multiValueHeaders = headersOf(request, domainName);
  const multiValueQuery = valuesByName(request.query);
  return {
    resource: method.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: nullIfEmpty(lastValues(multiValueQuery)),
    multiValueQueryStringParameters: nullIfEmpty(multiValueQuery),
    pathParameters: nullIfEmpty(pathParameters),
    stageVariables: null,
    requestContext: {
      accountId: account,
      apiId: api.id,
      authorizer: null,
      domainName,
      domainPrefix: api.id,
      extendedRequestId: randomUUID().replaceAll('-', '').slice(0, 16),
      httpMethod: request.httpMethod,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: request.sourceIp,
        user: null,
        userAgent: lastOf(multiValueHeaders, 'user-agent'),
        userArn: null,
      },
      path: `/${stage.name}${request.path}`,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: commonLogTime(request.receivedAt),
      requestTimeEpoch: request.receivedAt,
      resourceId: method.resourceId,
      resourcePath: method.resourcePath,
      stage: stage.name,
    },
    body: request.body.length === 0 ? null : request.body.toString(),
    isBase64Encoded: false,
  };
}

/** Headers that belong to one connection, that API Gateway sets itself or that it drops. */
const NOT_FORWARDED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'host',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-amzn-trace-id',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

/** The client's headers, plus those that API Gateway adds. */
function headersOf(
  { rawHeaders, sourceIp, requestId }: StageRequest,
  domainName: string,
): Record<string, string[]> {
  // Without a prototype, so that `__proto__` is an ordinary name.
  const headers: Record<string, string[]> = Object.create(null);
  const names = new Map<string, string>();
  const add = (name: string, value: string): void => {
    const known = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), known);
    headers[known] = [...(headers[known] ?? []), value];
  };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!NOT_FORWARDED.has(name.toLowerCase())) add(name, value);
  }
  const forwarded = names.get('x-forwarded-for') ?? 'X-Forwarded-For';
  headers[forwarded] = [[...(headers[forwarded] ?? []), sourceIp].join(', ')];
  headers.Host = [domainName];
  headers['X-Forwarded-Port'] = ['443'];
  headers['X-Forwarded-Proto'] = ['https'];
  headers['X-Amzn-Trace-Id'] = [`Root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8)}`];
  return headers;
}

function lastOf(headers: Record<string, string[]>, wanted: string): string | null {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
  return found?.[1].at(-1) ?? null;
}

function valuesByName(query: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
}

function lastValues(values: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

function nullIfEmpty<T extends object>(record: T): T | null {
  return Object.keys(record).length === 0 ? null : record;
}

/** `21/Nov/2026:02:38:00 +0000` */
function commonLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}
