import { RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { inUsEast1 } from './in-us-east-1.ts';
import type { Options } from './options.ts';
import { logRetention } from './service-functions.ts';

/**
 * The logged fields. Path, query, referrer and cookies are left out, since a signing link has its token in the path; the
 * pattern of the matching behaviour shows the kind of path.
 */
export const LOGGED_FIELDS = [
  'timestamp(ms)',
  'x-edge-request-id',
  'x-edge-location',
  'cs-method',
  'cache-behavior-path-pattern',
  'cs-protocol-version',
  'ssl-protocol',
  'sc-status',
  'sc-bytes',
  'cs-bytes',
  'time-taken',
  'time-to-first-byte',
  'x-edge-detailed-result-type',
  'c-country',
];

/**
 * The distribution's access log. CloudFront accepts a choice of fields only from us-east-1, so a stack in another region
 * has no such log. The gateway's log shows every API call in any region.
 */
export class AccessLog extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { distribution, stage, stackName }: { distribution: Distribution } & Pick<Options, 'stage' | 'stackName'>,
  ) {
    super(scope, id);
    const group = new CfnLogGroup(this, 'Group', {
      logGroupName: `/aws/vendedlogs/cloudfront/${stackName}`,
      retentionInDays: logRetention(stage),
    });
    group.applyRemovalPolicy(RemovalPolicy.DESTROY);
    const source = new CfnDeliverySource(this, 'Source', {
      name: `${stackName}-distribution`,
      logType: 'ACCESS_LOGS',
      resourceArn: distribution.distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name: `${stackName}-distribution`,
      outputFormat: 'json',
      destinationResourceArn: group.attrArn,
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.ref,
      deliveryDestinationArn: destination.attrArn,
      recordFields: LOGGED_FIELDS,
    });
    delivery.addResourceDependency(source);
    const condition = inUsEast1(this);
    for (const part of [group, source, destination, delivery]) part.cfnOptions.condition = condition;
  }
}
