import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnRegexPatternSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { docsOf, ERRORS } from '../shared/contract/errors.ts';
import { ORIGIN_HEADER, VIEWER_NETWORK_HEADER } from './edge.ts';

interface Props {
  readonly stackName: string;
  readonly originSecret: Secret;
  readonly baseUrl: string;
  readonly protects: Readonly<Record<string, string>>;
}

/** Of IPv6 a network counts as one address. */
const PER_ADDRESS_PER_MINUTE = 1_200;

/**
 * Rules of AWS's common set that only count, since they would block valid calls: bodies contain free text and PDFs as
 * base64, queries hold references, titles and long cursors, and API clients may omit the User-Agent. The service checks
 * bodies and queries against a schema and never interprets them. AWS ignores a name that its set does not have, without an error.
 */
const COUNTED = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
  'SizeRestrictions_QUERYSTRING',
  'CrossSiteScripting_QUERYARGUMENTS',
  'GenericLFI_QUERYARGUMENTS',
  'GenericRFI_QUERYARGUMENTS',
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'RestrictedExtensions_QUERYARGUMENTS',
  'NoUserAgent_HEADER',
];
const COUNTED_KNOWN_INPUTS = ['JavaDeserializationRCE_BODY'];

/**
 * The firewall of the API. A firewall of the distribution would need a second stack in us-east-1, and the page needs
 * none, since it is static files.
 */
export class Firewall extends Construct {
  /** The values of the origin secret that pass. */
  readonly originValues: CfnRegexPatternSet;

  constructor(scope: Construct, id: string, { stackName, originSecret, baseUrl, protects }: Props) {
    super(scope, id);
    // A set of its own: a rotation changes it without touching the rules, and a deployment that changes the rules
    // leaves it alone, so that both values of a rotation stay valid.
    this.originValues = new CfnRegexPatternSet(this, 'OriginValues', {
      name: `${stackName}-origin-values`,
      description:
        'What the distribution proves itself with. The command admin origin-secret rotate changes it',
      scope: 'REGIONAL',
      regularExpressionList: [`^${originSecret.secretValue.unsafeUnwrap()}$`],
    });
    const acl = new CfnWebACL(this, 'Acl', {
      name: stackName,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(stackName),
      customResponseBodies: {
        tooMany: {
          contentType: 'APPLICATION_JSON',
          // Without a request id: the firewall knows none.
          content: JSON.stringify({
            error: 'too_many_requests',
            message: ERRORS.too_many_requests[1],
            docs: docsOf(baseUrl, 'too_many_requests'),
          }),
        },
      },
      rules: [
        {
          // The first rule: the others see only what the distribution sent, with the true address in its header.
          name: 'through-the-distribution',
          priority: 0,
          statement: {
            notStatement: {
              statement: {
                regexPatternSetReferenceStatement: {
                  arn: this.originValues.attrArn,
                  fieldToMatch: { singleHeader: { Name: ORIGIN_HEADER } },
                  textTransformations: [{ priority: 0, type: 'NONE' }],
                },
              },
            },
          },
          action: { block: {} },
          visibilityConfig: visibility('through-the-distribution'),
        },
        {
          name: 'rate-per-address',
          priority: 1,
          statement: {
            rateBasedStatement: {
              limit: PER_ADDRESS_PER_MINUTE,
              evaluationWindowSec: 60,
              aggregateKeyType: 'FORWARDED_IP',
              // The distribution writes this header over whatever a client sends.
              forwardedIpConfig: { headerName: VIEWER_NETWORK_HEADER, fallbackBehavior: 'MATCH' },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'tooMany',
                responseHeaders: [{ name: 'Retry-After', value: '60' }],
              },
            },
          },
          visibilityConfig: visibility('rate-per-address'),
        },
        managed(2, 'AWSManagedRulesCommonRuleSet', COUNTED),
        managed(3, 'AWSManagedRulesKnownBadInputsRuleSet', COUNTED_KNOWN_INPUTS),
      ],
    });
    for (const [name, resourceArn] of Object.entries(protects))
      new CfnWebACLAssociation(this, name, { resourceArn, webAclArn: acl.attrArn });
  }
}

const managed = (priority: number, name: string, counted: readonly string[]): CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: { none: {} },
  visibilityConfig: visibility(name),
});

/** Samples are off: they would show API keys and signing tokens to anyone who may view the firewall. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
