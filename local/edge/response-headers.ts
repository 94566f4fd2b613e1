/** Applies a response headers policy. */
import type { CorsPlan, ResponseHeadersPlan } from '../assembly/plan.ts';
import { matchesWildcards } from '../wildcards.ts';
import { type Fields, field, withField, without } from './messages.ts';

export function applyResponseHeaders(
  fields: Fields,
  policy: ResponseHeadersPlan | undefined,
  origin: string | undefined,
): Fields {
  if (!policy) return fields;
  let result = without(fields, ...policy.remove);
  for (const { name, value, override } of policy.set) {
    if (override || field(result, name) === undefined) result = withField(result, name, value);
  }
  return policy.cors && origin !== undefined ? applyCors(result, policy.cors, origin) : result;
}

function applyCors(fields: Fields, cors: CorsPlan, origin: string): Fields {
  const alreadyAnswered = field(fields, 'access-control-allow-origin') !== undefined;
  if (alreadyAnswered && !cors.override) return fields;
  if (!cors.origins.some((pattern) => matchesWildcards(pattern, origin))) return fields;
  const anyOrigin = cors.origins.includes('*') && !cors.credentials;
  let result = withField(fields, 'Access-Control-Allow-Origin', anyOrigin ? '*' : origin);
  if (!anyOrigin) result = withField(result, 'Vary', 'Origin');
  const set = (name: string, value: string): void => {
    if (value !== '') result = withField(result, name, value);
  };
  set('Access-Control-Allow-Methods', cors.methods.join(', '));
  set('Access-Control-Allow-Headers', cors.headers.join(', '));
  set('Access-Control-Expose-Headers', cors.expose.join(', '));
  set('Access-Control-Allow-Credentials', cors.credentials ? 'true' : '');
  set('Access-Control-Max-Age', cors.maxAgeSeconds === undefined ? '' : String(cors.maxAgeSeconds));
  return result;
}
