/**
 * The policies of a behaviour. Forwarding: all of a viewer's request but its host reaches the origin, or only the path.
 * Response headers: some are set, some removed.
 */
import type { BehaviourPlan, ResponseHeadersPlan } from '../assembly/plan.ts';
import { type EdgeRequest, type Fields, field, withField, without } from './messages.ts';

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

/** CloudFront sets headers of this name itself, and only if a policy asks for them. */
export const withoutForged = (fields: Fields): Fields =>
  fields.filter(([name]) => !name.toLowerCase().startsWith('cloudfront-'));

export function forwardedHeaders(request: EdgeRequest, { forwardsViewer }: BehaviourPlan): Fields {
  const kept = forwardsViewer
    ? without(request.fields, 'host')
    : request.fields.filter(([name]) => ALWAYS_FORWARDED.has(name.toLowerCase()));
  const forwardedFor = [field(request.fields, 'x-forwarded-for'), request.viewerIp]
    .filter(Boolean)
    .join(', ');
  const fields: Fields = [...without(kept, 'x-forwarded-for'), ['X-Forwarded-For', forwardedFor]];
  if (!field(fields, 'user-agent')) fields.push(['User-Agent', 'Amazon CloudFront']);
  return fields;
}

export const forwardedQuery = (query: string, { forwardsViewer }: BehaviourPlan): string =>
  forwardsViewer ? query : '';

export function applyResponseHeaders(fields: Fields, policy: ResponseHeadersPlan | undefined): Fields {
  if (!policy) return fields;
  let result = without(fields, ...policy.remove);
  for (const { name, value, override } of policy.set) {
    if (override || field(result, name) === undefined) result = withField(result, name, value);
  }
  return result;
}
