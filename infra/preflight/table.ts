import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { INDEXES } from '../../shared/store/indexes.ts';
import { type Check, type Finding, ifFound, note, ok, type Plan, stop } from './check.ts';
import { findDeployed, outputOf, resourcesOf } from './deployed.ts';

/** CloudFormation finds nothing wrong with another table, even an empty or a missing one. */
export const table: Check = {
  name: 'Table',
  actions: [
    'cloudformation:DescribeStacks',
    'cloudformation:ListStackResources',
    'dynamodb:DescribeContinuousBackups',
    'dynamodb:DescribeTable',
    'dynamodb:DescribeTimeToLive',
  ],
  run: async (plan) => {
    const served = outputOf(await findDeployed(plan), 'TableName');
    const { table: wanted } = plan.options;
    return wanted === undefined ? ownTable(plan, served) : givenTable(plan, wanted, served);
  },
};

const isOwn = async (plan: Plan, name: string): Promise<boolean> =>
  (await resourcesOf(plan, 'AWS::DynamoDB::GlobalTable')).includes(name);

async function ownTable(plan: Plan, served: string | undefined): Promise<Finding> {
  if (served === undefined) return ok('The stack makes its own.');
  return (await isOwn(plan, served))
    ? ok(`${served}, the stack’s own.`)
    : stop(
        `The stack uses the restored table ${served}; this deployment would give it a new, empty one.`,
        `Pass -c table=${served}, as before.`,
      );
}

async function givenTable(
  plan: Plan,
  name: string,
  served: string | undefined,
): Promise<Finding | Finding[]> {
  if (await isOwn(plan, name))
    return stop(
      `${name} is the stack’s own, which this deployment would take out of the stack: later versions could not change it.`,
      'Leave out -c table.',
    );
  const dynamo = new DynamoDBClient(plan.settings());
  const found = (await ifFound(dynamo.send(new DescribeTableCommand({ TableName: name }))))?.Table;
  const unusable = faultOf(found);
  if (unusable)
    return stop(
      `${name} ${unusable}.`,
      `aws dynamodb list-tables --region ${plan.region}${served === undefined ? '' : `\nThe stack uses ${served} now.`}`,
    );
  const use =
    served === undefined || served === name
      ? ok(`${name}.`)
      : note(
          `The service moves from ${served} to ${name}.`,
          'What only the former has is not found any more. Is the name right?',
        );
  return [use, ...(await lostSettings(plan, dynamo, name, found))];
}

const isInUse = (status: string | undefined) => status === 'ACTIVE' || status === 'UPDATING';

function faultOf(table: TableDescription | undefined): string | undefined {
  if (!table) return 'does not exist in this account and region';
  if (!isInUse(table.TableStatus)) return `is ${table.TableStatus}`;
  const usable = table.GlobalSecondaryIndexes?.filter(({ IndexStatus }) => isInUse(IndexStatus)) ?? [];
  const missing = INDEXES.filter(({ name }) => !usable.some(({ IndexName }) => IndexName === name));
  return missing.length === 0
    ? undefined
    : `lacks the index ${missing.map(({ name }) => name).join(' and ')}`;
}

/** Settings that a restored table lacks at first. The service works without them. */
async function lostSettings(
  { options, region }: Plan,
  dynamo: DynamoDBClient,
  name: string,
  table: TableDescription | undefined,
): Promise<Finding[]> {
  const [{ ContinuousBackupsDescription: backups }, { TimeToLiveDescription: expiry }] = await Promise.all([
    dynamo.send(new DescribeContinuousBackupsCommand({ TableName: name })),
    dynamo.send(new DescribeTimeToLiveCommand({ TableName: name })),
  ]);
  const recovery = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  const lacks = (text: string, operation: string, setting: string) =>
    note(`${name} ${text}.`, `aws dynamodb ${operation} --table-name ${name} ${setting} --region ${region}`);
  const findings: Finding[] = [];
  if (recovery !== 'ENABLED')
    findings.push(
      lacks(
        'cannot be restored to a point in time',
        'update-continuous-backups',
        '--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
      ),
    );
  if (!expiry?.TimeToLiveStatus?.startsWith('ENABL'))
    findings.push(
      lacks(
        'keeps items that should expire',
        'update-time-to-live',
        '--time-to-live-specification Enabled=true,AttributeName=ttl',
      ),
    );
  if (options.stage === 'prod' && !table?.DeletionProtectionEnabled)
    findings.push(lacks('can be deleted by mistake', 'update-table', '--deletion-protection-enabled'));
  return findings;
}
