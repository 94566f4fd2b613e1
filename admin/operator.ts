import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { type Now, SECOND, systemNow } from '../shared/runtime/time.ts';
import type { Bucket } from '../shared/store/find-object.ts';
import type { OptionalOutput, StackOutput } from '../shared/store/stack-names.ts';
import { Table } from '../shared/store/table.ts';
import { Failure, UsageError } from './errors.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** Over a slower line than a function's. Without `throwOnRequestTimeout` the SDK only warns and waits on. */
export const TIME_LIMITS = {
  requestHandler: { connectionTimeout: 5 * SECOND, requestTimeout: 20 * SECOND, throwOnRequestTimeout: true },
} as const;

/** Settings of every AWS client. */
interface ClientSettings {
  requestHandler: NonNullable<DynamoDBClientConfig['requestHandler']>;
  endpoint?: string;
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  systemClockOffset?: number;
}

/** The installation of the service to work on. */
export interface Target {
  /** The data folder of a local run. */
  dir: string;
  /** A deployed stack, instead of the local run. */
  stack: string | undefined;
  region: string | undefined;
}

/** A connection to the service that a command works on. */
export interface Operator {
  table: Table;
  clients: ClientSettings;
  now: Now;
  /** Returns an output of the stack; throws if the stack lacks it. */
  output: (name: StackOutput) => string;
  /** The same for an output that only some stacks have. */
  outputIfAny: (name: StackOutput | OptionalOutput) => string | undefined;
  /** The data folder of a local run; undefined for a deployed stack. */
  localFolder: string | undefined;
  terminal: Terminal;
}

export const connect = async (target: Target, terminal: Terminal = processTerminal): Promise<Operator> => ({
  ...(target.stack ? await connectToStack(target.stack, target.region) : await connectToLocalRun(target.dir)),
  terminal,
});

/** The bucket that holds the files of requests. */
export const documentsOf = ({ clients, output }: Operator): Bucket => ({
  s3: new S3Client({ ...clients, forcePathStyle: true }),
  bucket: output('DocumentsBucket'),
});

/** The operator in the log of an account. */
export const byOperator = ({ now }: Operator) => ({
  userId: 'operator',
  visitor: { ipAddress: null, userAgent: null },
  now: now(),
});

type Connection = Omit<Operator, 'terminal'>;

const operatorOf = (
  outputs: Record<string, string>,
  { where, ...rest }: Pick<Connection, 'clients' | 'now' | 'localFolder'> & { where: string },
): Connection => {
  const output = (name: StackOutput) => {
    const value = outputs[name];
    if (!value)
      throw new Failure(`${where} has no output ${name}. Is it an up-to-date stack of this service?`);
    return value;
  };
  const database = new DynamoDBClient(rest.clients);
  return {
    ...rest,
    // The clients of a command share their connections: one that goes through all requests makes a client for each.
    clients: { ...rest.clients, requestHandler: database.config.requestHandler },
    output,
    outputIfAny: (name) => outputs[name],
    table: new Table(database, output('TableName')),
  };
};

async function connectToStack(name: string, region: string | undefined): Promise<Connection> {
  const clients = { ...TIME_LIMITS, ...(region && { region }) };
  const client = new CloudFormationClient(clients);
  const stacks = await client
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch(async (error: unknown) => {
      const cause = error instanceof Error ? error : new Error(String(error));
      if (cause.name === 'ValidationError')
        throw new UsageError(`There is no stack "${name}" in ${await client.config.region()}.`);
      if (/region (is missing|not accepted)/i.test(cause.message))
        throw new UsageError('Set the region with --region or AWS_REGION.');
      throw cause;
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

/** `run.json`, which `npm start` writes. */
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

/** The local run's clock may be shifted. Stored times and request signatures must match it. */
async function clockOffset(controlUrl: string, folder: string): Promise<number> {
  try {
    const signal = AbortSignal.timeout(TIME_LIMITS.requestHandler.requestTimeout);
    const answer = await fetch(new URL('/clock', controlUrl), { signal });
    const { offset_seconds: seconds } = (await answer.json()) as { offset_seconds: number };
    return seconds * SECOND;
  } catch {
    throw new Failure(`The local run in ${folder} does not answer; start it with npm start.`);
  }
}

async function connectToLocalRun(folder: string): Promise<Connection> {
  const run = readLocalRun(folder);
  const offset = await clockOffset(run.control_url, folder);
  return operatorOf(run.outputs, {
    clients: {
      ...TIME_LIMITS,
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
