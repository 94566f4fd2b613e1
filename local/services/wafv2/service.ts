/** WAF: reading and changing sets of regular expressions. */
import * as z from 'zod';
import type { Location } from '../../ports.ts';
import { jsonService, operation } from '../json-protocol.ts';
import type { Service } from '../service.ts';
import type { PatternSets } from './pattern-sets.ts';

const reference = z.object({ Name: z.string(), Id: z.string(), Scope: z.literal('REGIONAL') });
const change = reference.extend({
  LockToken: z.string(),
  RegularExpressionList: z.array(z.object({ RegexString: z.string().min(1).max(512) })).max(10),
});

export function wafService(patternSets: PatternSets, { region, account }: Location): Service {
  const arnOf = ({ Name, Id }: z.infer<typeof reference>) =>
    `arn:aws:wafv2:${region}:${account}:regional/regexpatternset/${Name}/${Id}`;
  const may = (action: string) => (input: z.infer<typeof reference>) => [
    { action: `wafv2:${action}`, resources: [arnOf(input)] },
  ];
  return jsonService({
    name: 'wafv2',
    contentType: 'application/x-amz-json-1.1',
    operations: {
      GetRegexPatternSet: operation(reference, may('GetRegexPatternSet'), (input) => {
        const { patterns, lockToken } = patternSets.find(arnOf(input));
        return {
          RegexPatternSet: {
            Name: input.Name,
            Id: input.Id,
            ARN: arnOf(input),
            RegularExpressionList: patterns.map((RegexString) => ({ RegexString })),
          },
          LockToken: lockToken,
        };
      }),
      UpdateRegexPatternSet: operation(change, may('UpdateRegexPatternSet'), (input) => {
        const patterns = input.RegularExpressionList.map(({ RegexString }) => RegexString);
        return { NextLockToken: patternSets.update(arnOf(input), input.LockToken, patterns).lockToken };
      }),
    },
  });
}
