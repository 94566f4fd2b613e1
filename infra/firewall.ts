import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ERRORS } from '../shared/contract/errors.ts';
import { VIEWER_ADDRESS_HEADER } from './edge.ts';

interface Props {
  readonly stackName: string;
  readonly protects: Readonly<Record<string, string>>;
}

const PER_ADDRESS_PER_MINUTE = 1_200;

/**
 * Rules of AWS's common set that only count here. They look into bodies, where people write freely, and where PDFs
 * stand as base64; the service reads bodies as JSON against a schema and hands them to no interpreter. And a
 * machine that calls an API need not say what it is.
 */
const COUNTED = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
  'NoUserAgent_HEADER',
];
const COUNTED_KNOWN_INPUTS = ['JavaDeserializationRCE_BODY'];

/**
 * The firewall. It stands before the API and not before the distribution, since a firewall of CloudFront has to live
 * in us-east-1 and would need a second stack there. The page needs none: it is files.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stackName, protects }: Props) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      name: stackName,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(stackName),
      customResponseBodies: {
        tooMany: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ error: 'too_many_requests', message: ERRORS.too_many_requests[1] }),
        },
      },
      rules: [
        {
          name: 'rate-per-address',
          priority: 0,
          statement: {
            rateBasedStatement: {
              limit: PER_ADDRESS_PER_MINUTE,
              evaluationWindowSec: 60,
              aggregateKeyType: 'FORWARDED_IP',
              // Set by the distribution over whatever the client sent, so it cannot be invented.
              forwardedIpConfig: { headerName: VIEWER_ADDRESS_HEADER, fallbackBehavior: 'MATCH' },
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
        managed(1, 'AWSManagedRulesCommonRuleSet', COUNTED),
        managed(2, 'AWSManagedRulesKnownBadInputsRuleSet', COUNTED_KNOWN_INPUTS),
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

/** No samples: they would show whole headers, API keys and signing tokens with them, to whoever may look at the firewall. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
