/** A web ACL in front of an API stage or a load balancer. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Plan } from '../assembly/plan.ts';

/** True if a rule blocks a request with these headers. */
export type Firewall = (headers: IncomingHttpHeaders) => boolean;

/** `patternsOf` returns the current patterns of a set, by its ARN. */
export function firewallOf(
  resourceArn: string,
  plan: Pick<Plan, 'webAcls' | 'protectedBy'>,
  patternsOf: (arn: string) => string[],
): Firewall {
  const statements = plan.webAcls.get(plan.protectedBy.get(resourceArn) ?? '') ?? [];
  return (headers) =>
    statements.some(({ header, patternSet, negated }) => {
      const value = [headers[header] ?? []].flat().join(',');
      const matches = patternsOf(patternSet).some((pattern) => new RegExp(pattern).test(value));
      return matches !== negated;
    });
}
