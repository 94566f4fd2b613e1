import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { Plan } from './check.ts';

/** The stack and its resources as they are deployed already. */

/** CloudFormation's answer for a stack that does not exist. */
const isMissing = (error: unknown) => error instanceof Error && error.name === 'ValidationError';

export async function findStack({ settings }: Plan, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await new CloudFormationClient(settings()).send(
      new DescribeStacksCommand({ StackName: name }),
    );
    return Stacks?.[0];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The stack to deploy to. In review it is empty: a first deployment stopped before its change set was executed. */
export async function findDeployed(plan: Plan): Promise<Stack | undefined> {
  const found = await findStack(plan, plan.options.stackName);
  return found?.StackStatus === 'REVIEW_IN_PROGRESS' ? undefined : found;
}

export const outputOf = (stack: Stack | undefined, name: string): string | undefined =>
  stack?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

/** Physical ids of the stack's resources of a type, by logical id. Empty if there is no stack. */
export async function resourcesOf(plan: Plan, type: string): Promise<string[]> {
  const resources = await listResources(plan);
  const logicalId = ({ LogicalResourceId = '' }: StackResourceSummary) => LogicalResourceId;
  return resources
    .filter(({ ResourceType, ResourceStatus }) => ResourceType === type && !isGone(ResourceStatus))
    .sort((a, b) => (logicalId(a) < logicalId(b) ? -1 : 1))
    .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []);
}

async function listResources({ options, settings }: Plan): Promise<StackResourceSummary[]> {
  const client = new CloudFormationClient(settings());
  const found: StackResourceSummary[] = [];
  try {
    const pages = paginateListStackResources({ client }, { StackName: options.stackName });
    for await (const { StackResourceSummaries = [] } of pages) found.push(...StackResourceSummaries);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found;
}

/** Deleted, or retained outside of the stack. */
const isGone = (status: string | undefined) => status === 'DELETE_COMPLETE' || status === 'DELETE_SKIPPED';
