import type { BucketSettings } from '../../ports.ts';
import { matchesPattern } from '../iam/conditions.ts';
import type { Answer, RequestHead } from '../service.ts';
import { toXml } from '../xml.ts';
import type { Buckets } from './buckets.ts';

/** What a bucket tells a browser that uploads to it from a page of another origin. */

type Rule = BucketSettings['cors'][number];

const bucketOf = (head: RequestHead, buckets: Buckets) =>
  buckets.find(decodeURIComponent(head.path.split('/')[1] ?? ''));

function ruleFor(head: RequestHead, buckets: Buckets, method: string, headers: string[]): Rule | undefined {
  const origin = head.headers.origin;
  if (origin === undefined) return undefined;
  return bucketOf(head, buckets)?.cors.find(
    (rule) =>
      rule.allowedOrigins.some((allowed) => matchesPattern(allowed, origin)) &&
      rule.allowedMethods.includes(method) &&
      headers.every((header) =>
        rule.allowedHeaders.some((allowed) => matchesPattern(allowed.toLowerCase(), header)),
      ),
  );
}

function grants(head: RequestHead, rule: Rule): Record<string, string> {
  const any = rule.allowedOrigins.includes('*');
  return {
    'access-control-allow-origin': any ? '*' : (head.headers.origin ?? ''),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(!any && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

export function preflight(head: RequestHead, buckets: Buckets): Answer {
  const method = head.headers['access-control-request-method'] ?? '';
  const headers = (head.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = ruleFor(head, buckets, method, headers);
  if (rule) {
    const allowed = headers.length > 0 ? { 'access-control-allow-headers': headers.join(', ') } : {};
    return { status: 200, headers: { ...grants(head, rule), ...allowed } };
  }
  const message = 'CORSResponse: This CORS request is not allowed.';
  return {
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: toXml({
      Error: { Code: 'AccessForbidden', Message: message, Method: method, ResourceType: 'OBJECT' },
    }),
  };
}

export function corsHeaders(head: RequestHead, buckets: Buckets): Record<string, string> {
  const rule = head.method === 'OPTIONS' ? undefined : ruleFor(head, buckets, head.method, []);
  return rule ? grants(head, rule) : {};
}
