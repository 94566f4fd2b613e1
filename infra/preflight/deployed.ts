import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { ifFound, type Plan } from './check.ts';

/** The stack and its resources as they are deployed already. */

/** Reads once for all checks of a plan: CloudFormation throttles whoever asks often. */
function oncePerPlan<T>(read: (plan: Plan) => Promise<T>): (plan: Plan) => Promise<T> {
  const known = new WeakMap<Plan, Promise<T>>();
  return (plan) => {
    const answer = known.get(plan) ?? read(plan);
    known.set(plan, answer);
    return answer;
  };
}

/** The stack to deploy to. In review it is empty: a first deployment stopped before its change set was executed. */
export const findDeployed = oncePerPlan(async ({ options, settings }: Plan): Promise<Stack | undefined> => {
  const client = new CloudFormationClient(settings());
  const found = await ifFound(client.send(new DescribeStacksCommand({ StackName: options.stackName })));
  const [stack] = found?.Stacks ?? [];
  return stack?.StackStatus === 'REVIEW_IN_PROGRESS' ? undefined : stack;
});

/** The stack of the CDK's bootstrap, which may have any name. */
export async function findBootstrap({ qualifier, settings }: Plan): Promise<Stack | undefined> {
  const pages = paginateDescribeStacks({ client: new CloudFormationClient(settings()) }, {});
  const isQualified = ({ Parameters = [] }: Stack) =>
    Parameters.some(
      ({ ParameterKey, ParameterValue }) => ParameterKey === 'Qualifier' && ParameterValue === qualifier,
    );
  for await (const { Stacks = [] } of pages) {
    const found = Stacks.find(
      (each) => isQualified(each) && outputOf(each, 'BootstrapVersion') !== undefined,
    );
    if (found) return found;
  }
  return undefined;
}

export const outputOf = (stack: Stack | undefined, name: string): string | undefined =>
  stack?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

const readResources = oncePerPlan(async ({ options, settings }: Plan): Promise<StackResourceSummary[]> => {
  const client = new CloudFormationClient(settings());
  const pages = paginateListStackResources({ client }, { StackName: options.stackName });
  const found = (await ifFound(Array.fromAsync(pages))) ?? [];
  return found.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
});

/** Physical ids of the stack's resources of a type, by logical id. Empty if there is no stack. */
export async function resourcesOf(plan: Plan, type: string): Promise<string[]> {
  const logicalId = ({ LogicalResourceId = '' }: StackResourceSummary) => LogicalResourceId;
  return (await readResources(plan))
    .filter(({ ResourceType, ResourceStatus }) => ResourceType === type && !isGone(ResourceStatus))
    .sort((a, b) => (logicalId(a) < logicalId(b) ? -1 : 1))
    .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []);
}

/** Deleted, or retained outside of the stack. */
const isGone = (status: string | undefined) => status === 'DELETE_COMPLETE' || status === 'DELETE_SKIPPED';
