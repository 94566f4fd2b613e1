/** Applies a response headers policy. */
import type { ResponseHeadersPlan } from '../assembly/plan.ts';
import { type Fields, field, withField, without } from './messages.ts';

export function applyResponseHeaders(fields: Fields, policy: ResponseHeadersPlan | undefined): Fields {
  if (!policy) return fields;
  let result = without(fields, ...policy.remove);
  for (const { name, value, override } of policy.set) {
    if (override || field(result, name) === undefined) result = withField(result, name, value);
  }
  return result;
}
