/** WAF: reading and changing the sets of regular expressions that firewall rules refer to. */
import * as z from 'zod';
import type { Location } from '../../ports.ts';
import { jsonService, operation } from '../json-protocol.ts';
import type { Rollouts } from '../rollouts.ts';
import { type Service, ServiceError } from '../service.ts';

const reference = z.strictObject({ Name: z.string(), Id: z.string(), Scope: z.literal('REGIONAL') });
const change = reference.extend({
  LockToken: z.string(),
  RegularExpressionList: z.array(z.strictObject({ RegexString: z.string().min(1).max(512) })).max(10),
});

export function wafService(patternSets: Rollouts<string[]>, { region, account }: Location): Service {
  const arnOf = ({ Name, Id }: z.infer<typeof reference>) =>
    `arn:aws:wafv2:${region}:${account}:regional/regexpatternset/${Name}/${Id}`;
  const may = (action: string) => (input: z.infer<typeof reference>) => [
    { action: `wafv2:${action}`, resources: [arnOf(input)] },
  ];
  const find = (arn: string) => {
    const found = patternSets.find(arn);
    if (found) return found;
    throw new ServiceError(
      'WAFNonexistentItemException',
      'AWS WAF couldn’t perform the operation because your resource doesn’t exist.',
    );
  };
  return jsonService({
    name: 'wafv2',
    contentType: 'application/x-amz-json-1.1',
    operations: {
      GetRegexPatternSet: operation(reference, may('GetRegexPatternSet'), (input) => {
        const arn = arnOf(input);
        const { value, version } = find(arn);
        return {
          RegexPatternSet: {
            Name: input.Name,
            Id: input.Id,
            ARN: arn,
            RegularExpressionList: value.map((RegexString) => ({ RegexString })),
          },
          LockToken: version,
        };
      }),
      UpdateRegexPatternSet: operation(change, may('UpdateRegexPatternSet'), (input) => {
        const arn = arnOf(input);
        if (input.LockToken !== find(arn).version)
          throw new ServiceError(
            'WAFOptimisticLockException',
            'AWS WAF couldn’t save your changes because someone changed the resource after you started to edit it.',
          );
        patternSets.change(
          arn,
          input.RegularExpressionList.map(({ RegexString }) => RegexString),
        );
        return { NextLockToken: find(arn).version };
      }),
    },
  });
}
