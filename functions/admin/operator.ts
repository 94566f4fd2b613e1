import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Now, SECOND, systemNow } from '../../shared/runtime/time.ts';
import { Table } from '../../shared/store/table.ts';
import type { Target } from './arguments.ts';
import { Failure, UsageError } from './errors.ts';

/** What AWS clients are made with here. */
interface ClientSettings {
  endpoint?: string;
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  systemClockOffset?: number;
}

/** The service that a command works on. */
export interface Operator {
  table: Table;
  clients: ClientSettings;
  now: Now;
  /** An output of the stack. */
  output: (name: string) => string;
  /** The data folder, where it is the local run. */
  localFolder: string | undefined;
}

export const connect = (target: Target): Promise<Operator> =>
  target.stack ? connectToStack(target.stack, target.region) : connectToLocalRun(target.dir);

const operatorOf = (
  outputs: Record<string, string>,
  { where, ...rest }: Pick<Operator, 'clients' | 'now' | 'localFolder'> & { where: string },
): Operator => {
  const output = (name: string) => {
    const value = outputs[name];
    if (!value)
      throw new Failure(`${where} has no output ${name}; is it a stack of this service, up to date?`);
    return value;
  };
  return { ...rest, output, table: new Table(new DynamoDBClient(rest.clients), output('TableName')) };
};

async function connectToStack(name: string, region: string | undefined): Promise<Operator> {
  const clients = region ? { region } : {};
  const stacks = await new CloudFormationClient(clients)
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch((error: unknown) => {
      const said = error instanceof Error ? error : new Error(String(error));
      if (said.name === 'ValidationError')
        throw new UsageError(`There is no stack "${name}" in this region.`);
      if (/region (is missing|not accepted)/i.test(said.message))
        throw new UsageError('Say which region: --region REGION, or AWS_REGION in the environment.');
      throw said;
    });
  const outputs = (stacks.Stacks?.[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
    OutputKey,
    OutputValue,
  ]);
  return operatorOf(Object.fromEntries(outputs), {
    clients,
    now: systemNow,
    localFolder: undefined,
    where: `The stack "${name}"`,
  });
}

/** What `npm start` writes about itself. */
interface LocalRun {
  control_url: string;
  endpoint_url: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  outputs: Record<string, string>;
}

function readLocalRun(folder: string): LocalRun {
  const file = join(folder, 'run.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalRun;
  } catch {
    throw new Failure(
      `No local run in ${folder}: start one with npm start, or name a deployed stack with --stack.`,
    );
  }
}

/** The local run's clock may have been moved; what is written here goes by it, and its signatures are judged by it. */
async function clockOffset(controlUrl: string, folder: string): Promise<number> {
  try {
    const answer = await fetch(new URL('/clock', controlUrl), { signal: AbortSignal.timeout(5 * SECOND) });
    const { offset_seconds: seconds } = (await answer.json()) as { offset_seconds: number };
    return seconds * SECOND;
  } catch {
    throw new Failure(`The local run in ${folder} does not answer; start it with npm start.`);
  }
}

async function connectToLocalRun(folder: string): Promise<Operator> {
  const run = readLocalRun(folder);
  const offset = await clockOffset(run.control_url, folder);
  return operatorOf(run.outputs, {
    clients: {
      endpoint: run.endpoint_url,
      region: run.region,
      credentials: { accessKeyId: run.access_key_id, secretAccessKey: run.secret_access_key },
      systemClockOffset: offset,
    },
    now: () => new Date(Date.now() + offset),
    localFolder: folder,
    where: 'The local run',
  });
}
