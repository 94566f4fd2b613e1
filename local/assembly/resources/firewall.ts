/** Firewalls in front of API stages and load balancers: web ACLs, their sets of patterns and what they protect. */
import * as z from 'zod';
import type { FirewallStatement } from '../plan.ts';
import {
  arn,
  ignored,
  optional,
  physicalName,
  type ResourceType,
  resourceType,
  uuidOf,
} from '../resource-type.ts';

const scope = z.literal('REGIONAL', { error: 'only firewalls of a region are implemented' });

const planPatternSet = resourceType(
  z.strictObject({
    Name: optional(z.string()),
    RegularExpressionList: z.array(z.string()),
    Scope: scope,
    ...ignored('Description'),
  }),
  (properties, place) => {
    const name = properties.Name ?? physicalName(place);
    const id = uuidOf(place);
    const setArn = arn('wafv2', `regional/regexpatternset/${name}/${id}`, place);
    place.plan.patternSets.push({ arn: setArn, patterns: properties.RegularExpressionList });
    return { ref: `${name}|${id}|REGIONAL`, Arn: setArn };
  },
);

const headerMatch = z
  .strictObject({
    RegexPatternSetReferenceStatement: z.strictObject({
      Arn: z.string(),
      FieldToMatch: z.strictObject(
        { SingleHeader: z.strictObject({ Name: z.string() }) },
        { error: 'only a match on a single header is implemented' },
      ),
      TextTransformations: z.tuple([z.strictObject({ Type: z.literal('NONE'), Priority: z.number() })]),
    }),
  })
  .transform(
    ({ RegexPatternSetReferenceStatement: { Arn, FieldToMatch } }): FirewallStatement => ({
      header: FieldToMatch.SingleHeader.Name.toLowerCase(),
      patternSet: Arn,
      negated: false,
    }),
  );
const negatedMatch = z
  .strictObject({ NotStatement: z.strictObject({ Statement: headerMatch }) })
  .transform(({ NotStatement: { Statement } }): FirewallStatement => ({ ...Statement, negated: true }));
/** AWS's own rules and counted rates are not evaluated. */
const notEvaluated = z
  .union([
    z.strictObject({ ManagedRuleGroupStatement: z.looseObject({}) }),
    z.strictObject({ RateBasedStatement: z.looseObject({}) }),
  ])
  .transform(() => undefined);

const planAcl = resourceType(
  z.strictObject({
    Name: optional(z.string()),
    Scope: scope,
    DefaultAction: z.strictObject({ Allow: z.looseObject({}) }, { error: 'the default must be to allow' }),
    Rules: z.array(
      z.strictObject({
        Statement: z.union([headerMatch, negatedMatch, notEvaluated], {
          error: 'only matches of a header with a set of patterns, rates and managed rule groups are known',
        }),
        Action: optional(
          z.strictObject({ Block: z.looseObject({}) }, { error: 'the action must be to block' }),
        ),
        ...ignored('Name', 'Priority', 'OverrideAction', 'VisibilityConfig'),
      }),
    ),
    ...ignored('CustomResponseBodies', 'VisibilityConfig'),
  }),
  (properties, place) => {
    const name = properties.Name ?? physicalName(place);
    const id = uuidOf(place);
    const aclArn = arn('wafv2', `regional/webacl/${name}/${id}`, place);
    place.plan.webAcls.set(
      aclArn,
      properties.Rules.flatMap(({ Statement }) => Statement ?? []),
    );
    return { ref: `${name}|${id}|REGIONAL`, Arn: aclArn };
  },
);

const planAssociation = resourceType(
  z.strictObject({ ResourceArn: z.string(), WebACLArn: z.string() }),
  (properties, place) => {
    place.plan.protectedBy.set(properties.ResourceArn, properties.WebACLArn);
    return { ref: place.id };
  },
);

export const FIREWALL_TYPES: Record<string, ResourceType> = {
  'AWS::WAFv2::RegexPatternSet': planPatternSet,
  'AWS::WAFv2::WebACL': planAcl,
  'AWS::WAFv2::WebACLAssociation': planAssociation,
};
