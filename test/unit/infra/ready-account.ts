import { ACMClient } from '@aws-sdk/client-acm';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type ResourceStatus,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  DescribeFunctionCommand,
  ListResponseHeadersPoliciesCommand,
} from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient, DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeAvailabilityZonesCommand,
  DescribeManagedPrefixListsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import { KMSClient, ListAliasesCommand } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Route53Client } from '@aws-sdk/client-route-53';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  GetAccountSendingEnabledCommand,
  GetIdentityDkimAttributesCommand,
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  SESClient,
} from '@aws-sdk/client-ses';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ListRegexPatternSetsCommand, ListWebACLsCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { mockClient } from 'aws-sdk-client-mock';
import { RootConstruct } from 'constructs';
import { readOptions } from '../../../infra/options.ts';
import { preflight } from '../../../infra/preflight/preflight.ts';

export const stacks = mockClient(CloudFormationClient);
export const ses = mockClient(SESClient);
export const lambda = mockClient(LambdaClient);
export const quotas = mockClient(ServiceQuotasClient);
export const ec2 = mockClient(EC2Client);
export const dynamo = mockClient(DynamoDBClient);
export const acm = mockClient(ACMClient);
export const route53 = mockClient(Route53Client);
export const iam = mockClient(IAMClient);
export const logs = mockClient(CloudWatchLogsClient);
export const others = [STSClient, CloudFrontClient, KMSClient, SQSClient, WAFV2Client].map((client) =>
  mockClient(client as typeof STSClient),
);

export const BOOTSTRAP = {
  StackName: 'CDKToolkit',
  CreationTime: new Date(0),
  StackStatus: 'CREATE_COMPLETE' as const,
  Parameters: [{ ParameterKey: 'Qualifier', ParameterValue: 'hnb659fds' }],
  Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '21' }],
};
const noFunction = Object.assign(new Error('No such function'), { name: 'NoSuchFunctionExists' });
const noStack = Object.assign(new Error('Stack does not exist'), { name: 'ValidationError' });

/** An account in which nothing is in the way of a deployment. */
export function readyAccount(): void {
  const [sts, cloudFront, kms, sqs, waf] = others;
  for (const mock of [stacks, ses, lambda, quotas, ec2, dynamo, acm, route53, iam, logs, ...others])
    mock.reset();
  sts?.on(GetCallerIdentityCommand as never).resolves({ Account: '123456789012', Arn: 'arn:me' } as never);
  cloudFront
    ?.on(DescribeFunctionCommand as never)
    .rejects(noFunction)
    .on(ListResponseHeadersPoliciesCommand as never)
    .resolves({} as never);
  kms?.on(ListAliasesCommand as never).resolves({});
  sqs?.on(ListQueuesCommand as never).resolves({});
  waf
    ?.on(ListWebACLsCommand as never)
    .resolves({})
    .on(ListRegexPatternSetsCommand as never)
    .resolves({});
  stacks
    .on(DescribeStacksCommand)
    .resolves({ Stacks: [BOOTSTRAP] })
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .rejects(noStack)
    .on(ListStackResourcesCommand)
    .rejects(noStack);
  ses
    .on(GetAccountSendingEnabledCommand)
    .resolves({ Enabled: true })
    .on(GetSendQuotaCommand)
    .resolves({ Max24HourSend: 50_000, MaxSendRate: 14 })
    .on(GetIdentityVerificationAttributesCommand)
    .resolves({ VerificationAttributes: { 'example.org': { VerificationStatus: 'Success' } } })
    .on(GetIdentityDkimAttributesCommand)
    .resolves({
      DkimAttributes: { 'example.org': { DkimEnabled: true, DkimVerificationStatus: 'Success' } },
    });
  lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } });
  iam.on(GetAccountSummaryCommand).resolves({ SummaryMap: { Roles: 20, RolesQuota: 1_000 } });
  logs.on(DescribeResourcePoliciesCommand).resolves({ resourcePolicies: [] });
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 5 } });
  ec2
    .on(DescribeAvailabilityZonesCommand)
    .resolves({
      AvailabilityZones: [
        { ZoneId: 'use1-az3', ZoneName: 'us-east-1a' },
        { ZoneId: 'use1-az2', ZoneName: 'us-east-1b' },
        { ZoneId: 'use1-az1', ZoneName: 'us-east-1c' },
      ],
    })
    .on(DescribeManagedPrefixListsCommand)
    .resolves({ PrefixLists: [{ PrefixListId: 'pl-1' }] })
    .on(DescribeVpcsCommand)
    .resolves({ Vpcs: [{}] });
}

interface Deployed {
  status?: Stack['StackStatus'];
  isProtected?: boolean;
  outputs?: Record<string, string>;
  /** Physical ids by type. */
  resources?: Record<string, string[]>;
  resourceStatus?: ResourceStatus;
}

/** The stack as a former deployment left it. */
export function deployed({
  status = 'UPDATE_COMPLETE',
  isProtected = false,
  outputs = {},
  resources = {},
  resourceStatus = 'CREATE_COMPLETE',
}: Deployed): void {
  const Outputs = Object.entries({ DocumentsBucket: 'documents', ...outputs }).map(
    ([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }),
  );
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolves({
      Stacks: [{ ...BOOTSTRAP, StackStatus: status, EnableTerminationProtection: isProtected, Outputs }],
    })
    .on(ListStackResourcesCommand)
    .resolves({
      StackResourceSummaries: Object.entries(resources).flatMap(([ResourceType, ids]) =>
        ids.map((PhysicalResourceId, index) => ({
          ResourceType,
          PhysicalResourceId,
          LogicalResourceId: `${ResourceType}${index}`,
          ResourceStatus: resourceStatus,
          LastUpdatedTimestamp: new Date(0),
        })),
      ),
    });
}

export async function report(
  options: Record<string, string | undefined> = {},
  region = 'us-east-1',
  qualifier = 'hnb659fds',
) {
  const { node } = new RootConstruct();
  const mails = { mailFrom: 'sign@example.org', alarmMail: 'ops@example.org' };
  for (const [name, value] of Object.entries({ ...mails, ...options }))
    if (value !== undefined) node.setContext(name, value);
  const settings = (other = region) => ({ region: other, requestHandler: {} });
  const { lines, ready } = await preflight({ options: readOptions(node), region, qualifier, settings });
  return { ready, text: lines.join('\n') };
}
