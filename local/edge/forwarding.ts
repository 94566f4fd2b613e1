/** Forwards only the parts of a request that the cache policy and the origin request policy name. */
import type { BehaviourPlan, ForwardingPlan, NameSelection } from '../assembly/plan.ts';
import { type EdgeRequest, type Fields, field, without } from './messages.ts';

// Forwarded whatever the policies say.
const ALWAYS_FORWARDED = new Set([
  'content-type',
  'content-length',
  'range',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-range',
]);

/** Adds the CloudFront-* headers that a policy names, and removes those that the viewer sent. */
export function addViewerHeaders(request: EdgeRequest, behaviour: BehaviourPlan): Fields {
  const known: Record<string, string> = {
    'cloudfront-viewer-address': `${request.viewer.ip}:${request.viewer.port}`,
    'cloudfront-forwarded-proto': 'https',
    'cloudfront-viewer-http-version': '1.1',
    'cloudfront-viewer-country': 'FI',
  };
  const own = request.fields.filter(([name]) => !name.toLowerCase().startsWith('cloudfront-'));
  const asked = policiesOf(behaviour)
    .flatMap(({ headers }) => (headers.mode === 'none' || headers.mode === 'allExcept' ? [] : headers.names))
    .filter((name) => known[name.toLowerCase()] !== undefined);
  return [...own, ...new Set(asked)].map((entry) =>
    typeof entry === 'string' ? [entry, known[entry.toLowerCase()] ?? ''] : entry,
  );
}

export function forwardedHeaders(request: EdgeRequest, behaviour: BehaviourPlan): Fields {
  const policies = policiesOf(behaviour);
  const kept = request.fields.filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'cookie') return false;
    return (
      ALWAYS_FORWARDED.has(lower) ||
      policies.some(({ headers }) => selects(headers, lower, (one) => one.toLowerCase()))
    );
  });
  const cookie = forwardedCookies(field(request.fields, 'cookie'), policies);
  const forwardedFor = [field(request.fields, 'x-forwarded-for'), request.viewer.ip]
    .filter(Boolean)
    .join(', ');
  const fields: Fields = [...without(kept, 'x-forwarded-for'), ['X-Forwarded-For', forwardedFor]];
  if (cookie) fields.push(['Cookie', cookie]);
  if (!field(fields, 'user-agent')) fields.push(['User-Agent', 'Amazon CloudFront']);
  return fields;
}

export function forwardedQuery(query: string, behaviour: BehaviourPlan): string {
  const policies = policiesOf(behaviour);
  return query
    .split('&')
    .filter(
      (pair) =>
        pair !== '' && policies.some(({ queryStrings }) => selects(queryStrings, pair.split('=')[0] ?? '')),
    )
    .join('&');
}

function forwardedCookies(header: string | undefined, policies: ForwardingPlan[]): string {
  return (header ?? '')
    .split(/;\s*/)
    .filter(
      (pair) => pair !== '' && policies.some(({ cookies }) => selects(cookies, pair.split('=')[0] ?? '')),
    )
    .join('; ');
}

function selects(
  { mode, names }: NameSelection,
  name: string,
  normal = (text: string): string => text,
): boolean {
  const isNamed = names.some((known) => normal(known) === name);
  if (mode === 'none') return false;
  if (mode === 'listed') return isNamed;
  return mode === 'allExcept' ? !isNamed : true;
}

function policiesOf({ cachePolicy, originRequestPolicy }: BehaviourPlan): ForwardingPlan[] {
  return originRequestPolicy ? [cachePolicy, originRequestPolicy] : [cachePolicy];
}
