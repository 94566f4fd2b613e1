import { CloudFrontClient, ListResponseHeadersPoliciesCommand } from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient, DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs';
import { EC2Client, paginateDescribeVpcs } from '@aws-sdk/client-ec2';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  NoSuchResourceException,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { ListRegexPatternSetsCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import type { Options } from '../options.ts';
import { type Check, type Finding, ok, type Plan, stop } from './check.ts';
import { resourcesOf } from './deployed.ts';

export const QUOTA_ACTIONS = ['servicequotas:GetAWSDefaultServiceQuota', 'servicequotas:GetServiceQuota'];

export const WITHOUT_INGEST = '-c largeUploads=off deploys without the ingest.';

/** The account's own value, or AWS's default: of some quotas an account has no value until one was asked for. */
export async function quota(
  { settings }: Plan,
  service: string,
  code: string,
  region?: string,
): Promise<number> {
  const client = new ServiceQuotasClient(settings(region));
  const input = { ServiceCode: service, QuotaCode: code };
  const { Quota } = await client.send(new GetServiceQuotaCommand(input)).catch((error) => {
    if (!(error instanceof NoSuchResourceException)) throw error;
    return client.send(new GetAWSDefaultServiceQuotaCommand(input));
  });
  if (Quota?.Value === undefined) throw new Error(`The quota ${service} ${code} has no value.`);
  return Quota.Value;
}

export const raise = (region: string, service: string, code: string, value: number): string =>
  `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value} --region ${region}`;

/** Resources of which an account has so few that a stack may find no room. */
interface Counted {
  readonly name: string;
  /** In CloudFormation. */
  readonly type: string;
  readonly wanted: number;
  readonly isWanted: (options: Options) => boolean;
  readonly service: string;
  readonly code: string;
  /** The account has one quota for all regions, which is kept in us-east-1. */
  readonly isGlobal?: true;
  readonly action: string;
  readonly count: (settings: Plan['settings']) => Promise<number>;
  readonly otherwise: string;
}

export const COUNTED: readonly Counted[] = [
  {
    name: 'Response headers policies',
    type: 'AWS::CloudFront::ResponseHeadersPolicy',
    wanted: 5,
    isWanted: () => true,
    service: 'cloudfront',
    code: 'L-CF0D4FC5',
    isGlobal: true,
    action: 'cloudfront:ListResponseHeadersPolicies',
    count: (settings) => headersPolicies(new CloudFrontClient(settings())),
    otherwise: 'Or delete policies that no distribution uses.',
  },
  {
    name: 'Regex pattern sets',
    type: 'AWS::WAFv2::RegexPatternSet',
    wanted: 1,
    isWanted: ({ stage }) => stage === 'prod',
    service: 'wafv2',
    code: 'L-BF0029B0',
    action: 'wafv2:ListRegexPatternSets',
    count: async (settings) => {
      // The most that WAF gives at once, and ten times its default quota.
      const input = new ListRegexPatternSetsCommand({ Scope: 'REGIONAL', Limit: 100 });
      const { RegexPatternSets = [] } = await new WAFV2Client(settings()).send(input);
      return RegexPatternSets.length;
    },
    otherwise: 'Or delete sets that no web ACL uses.',
  },
  {
    name: 'VPCs',
    type: 'AWS::EC2::VPC',
    wanted: 1,
    isWanted: ({ largeUploads }) => largeUploads,
    service: 'vpc',
    code: 'L-F678F1CE',
    action: 'ec2:DescribeVpcs',
    count: async (settings) => {
      const pages = await Array.fromAsync(paginateDescribeVpcs({ client: new EC2Client(settings()) }, {}));
      return pages.reduce((sum, { Vpcs = [] }) => sum + Vpcs.length, 0);
    },
    otherwise: WITHOUT_INGEST,
  },
];

async function headersPolicies(client: CloudFrontClient, Marker?: string): Promise<number> {
  const { ResponseHeadersPolicyList: { Items = [], NextMarker } = {} } = await client.send(
    new ListResponseHeadersPoliciesCommand({ Type: 'custom', ...(Marker !== undefined && { Marker }) }),
  );
  return Items.length + (NextMarker ? await headersPolicies(client, NextMarker) : 0);
}

export const counted: Check[] = COUNTED.map((each) => ({
  name: each.name,
  actions: ['cloudformation:ListStackResources', each.action, ...QUOTA_ACTIONS],
  run: async (plan) => {
    if (!each.isWanted(plan.options)) return [];
    const more = each.wanted - (await resourcesOf(plan, each.type)).length;
    if (more <= 0) return ok('The stack has its own.');
    const region = each.isGlobal ? 'us-east-1' : plan.region;
    const [count, limit] = await Promise.all([
      each.count(plan.settings),
      quota(plan, each.service, each.code, region),
    ]);
    const advice = `${raise(region, each.service, each.code, count + more)}\n${each.otherwise}`;
    return room({ place: each.isGlobal ? 'account' : 'region', count, limit, more, advice });
  },
}));

interface Room {
  readonly place: 'account' | 'region';
  readonly count: number;
  readonly limit: number;
  readonly more: number;
  readonly advice: string;
}

const room = ({ place, count, limit, more, advice }: Room): Finding =>
  count + more <= limit
    ? ok(`${count} of ${limit} in the ${place}; the stack takes ${more} more.`)
    : stop(`The ${place} has ${count} of ${limit}, and the stack takes ${more} more.`, advice);

/** With the ingest; a stack without it has some fewer. */
export const ROLES = 55;

/** IAM tells the account's quota with its count. */
export const roles: Check = {
  name: 'IAM roles',
  actions: ['cloudformation:ListStackResources', 'iam:GetAccountSummary'],
  run: async (plan) => {
    const more = ROLES - (await resourcesOf(plan, 'AWS::IAM::Role')).length;
    if (more <= 0) return ok('The stack has its own.');
    const { SummaryMap: { Roles: count = 0, RolesQuota: limit = 0 } = {} } = await new IAMClient(
      plan.settings(),
    ).send(new GetAccountSummaryCommand({}));
    const advice = `${raise('us-east-1', 'iam', 'L-FE177D64', count + more)}\nOr delete roles that nothing uses.`;
    return room({ place: 'account', count, limit, more, advice });
  },
};

/** AWS adds it, unless it is there, for the first log that a service delivers. */
const DELIVERY_POLICY = 'AWSLogDeliveryWrite20150319';
const MOST_LOG_POLICIES = 10;

/** The log of the distribution (`access-log.ts`) is delivered. */
export const logPolicies: Check = {
  name: 'Log policies',
  actions: ['logs:DescribeResourcePolicies'],
  run: async ({ options, region, settings }) => {
    if (options.stage === 'dev' || region !== 'us-east-1') return [];
    const { resourcePolicies = [] } = await new CloudWatchLogsClient(settings()).send(
      new DescribeResourcePoliciesCommand({}),
    );
    const count = resourcePolicies.length;
    const isThere = resourcePolicies.some(({ policyName }) => policyName === DELIVERY_POLICY);
    return isThere || count < MOST_LOG_POLICIES
      ? ok(`${count} of ${MOST_LOG_POLICIES} in the region.`)
      : stop(
          `The region has ${count}, and AWS allows no more.`,
          `The log of the distribution needs one, ${DELIVERY_POLICY}. Delete another that nothing uses: aws logs describe-resource-policies --region ${region}`,
        );
  },
};
