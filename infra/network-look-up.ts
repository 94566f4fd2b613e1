import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ROOT } from './bundles.ts';
import { accept } from './exceptions.ts';
import type { Options } from './options.ts';
import { allow, roleWith } from './role.ts';
import { EVERY_FUNCTION, newLogGroup, writesLog } from './service-functions.ts';
import { CLOUDFRONT_PREFIX_LIST, EXCLUDED_ZONE_IDS } from './zones.ts';

/** The roles that `network-look-up.js` creates. */
const SERVICE_LINKED_ROLES = [
  'ecs.amazonaws.com/AWSServiceRoleForECS',
  'ecs.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_ECSService',
];

/**
 * At deployment, finds CloudFront's prefix list and two availability zones for the ingest, and creates the service-linked roles of
 * ECS and its scaling. As a resource of the stack, such a role would fail in an account that has it already.
 */
export class NetworkLookUp extends Construct {
  readonly cloudFrontPrefixList: string;
  readonly availabilityZones: readonly [string, string];

  constructor(
    scope: Construct,
    id: string,
    { availabilityZones, stackName, stage }: Pick<Options, 'availabilityZones' | 'stackName' | 'stage'>,
  ) {
    super(scope, id);
    const functionName = `${stackName}-network-look-up`;
    const logGroup = newLogGroup(this, 'Log', stage, `/aws/lambda/${functionName}`);
    const role = roleWith(this, 'Role', {
      service: 'lambda',
      description: `Runs ${functionName}`,
      statements: [
        allow(['ec2:DescribeAvailabilityZones', 'ec2:DescribeManagedPrefixLists'], ['*']),
        allow(
          ['iam:CreateServiceLinkedRole'],
          SERVICE_LINKED_ROLES.map((name) =>
            Stack.of(this).formatArn({
              service: 'iam',
              region: '',
              resource: 'role',
              resourceName: `aws-service-role/${name}`,
            }),
          ),
        ),
        writesLog(logGroup),
      ],
    });
    accept(role, { 'IAM5[Resource::*]': 'These two calls only read, and know no resources.' });
    const lookUp = new LambdaFunction(this, 'Function', {
      ...EVERY_FUNCTION,
      functionName,
      code: Code.fromInline(readFileSync(join(ROOT, 'infra', 'network-look-up.js'), 'utf8')),
      // The SDK's client of EC2 alone takes more than Lambda's default of 128 MB.
      memorySize: 512,
      timeout: Duration.seconds(30),
      role,
      logGroup,
    });
    const found = new CustomResource(this, 'Found', {
      resourceType: 'Custom::NetworkLookUp',
      serviceToken: lookUp.functionArn,
      // A function that never answers would hold the deployment for an hour.
      serviceTimeout: Duration.minutes(2),
      properties: {
        PrefixListName: CLOUDFRONT_PREFIX_LIST,
        ...(!availabilityZones && { ExcludedZoneIds: EXCLUDED_ZONE_IDS }),
      },
    });
    this.cloudFrontPrefixList = found.getAttString('PrefixListId');
    this.availabilityZones = availabilityZones ?? [found.getAttString('Zone1'), found.getAttString('Zone2')];
  }
}
