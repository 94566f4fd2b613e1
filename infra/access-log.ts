import { CfnCondition, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Options } from './options.ts';
import { logRetention } from './service-functions.ts';

/**
 * What a line holds. Not the path, the query, the referrer or cookies: a signing link has its token in the path.
 * Which kind of path it was shows by the behaviour that matched it.
 */
export const LOGGED = [
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
 * The distribution's access log. CloudFront delivers chosen fields only where it is told so in us-east-1, so a stack
 * in another region goes without; the gateway's log shows every call of the API in any region.
 */
export class AccessLog extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { distribution, stage, stackName }: { distribution: Distribution } & Pick<Options, 'stage' | 'stackName'>,
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    const inUsEast1 = new CfnCondition(this, 'InUsEast1', {
      expression: Fn.conditionEquals(stack.region, 'us-east-1'),
    });

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
      recordFields: LOGGED,
    });
    delivery.addResourceDependency(source);
    for (const part of [group, source, destination, delivery]) part.cfnOptions.condition = inUsEast1;
  }
}
