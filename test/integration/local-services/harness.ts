import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type {
  BucketSettings,
  Clock,
  Credentials,
  InvokeFunction,
  KeySettings,
  PolicyStatement,
  QueueSettings,
  Services,
  TableSettings,
} from '../../../local/ports.ts';
import type * as service from '../../../local/services/service.ts';
import type * as start from '../../../local/services/start.ts';
import { loadOnce } from '../../support/load-once.ts';

const { startServices } = loadOnce<typeof start>(
  new URL('../../../local/services/start.ts', import.meta.url),
);
export const { ServiceError } = loadOnce<typeof service>(
  new URL('../../../local/services/service.ts', import.meta.url),
);

/** The emulated services on a free port, with their own data folder and a clock that the test moves. */

export const REGION = 'eu-central-1';
export const ACCOUNT = '000000000000';

class TestClock implements Clock {
  #offset = 0;
  readonly #listeners: (() => void)[] = [];

  now(): number {
    return Date.now() + this.#offset;
  }

  offsetMs(): number {
    return this.#offset;
  }

  onMove(listener: () => void): void {
    this.#listeners.push(listener);
  }

  advance(seconds: number): void {
    this.#offset += seconds * 1000;
    for (const listener of this.#listeners) listener();
  }
}

export interface Cloud {
  services: Services;
  clock: TestClock;
  dataDir: string;
  killed: { name: string; accessKeyId: string }[];
  logged: string[];
  /** SDK client settings of a caller who may do everything. */
  readonly operator: ClientSettings;
  /** SDK client settings of a caller with only these statements. */
  caller(name: string, ...statements: PolicyStatement[]): ClientSettings;
  stop(): Promise<void>;
}

export interface ClientSettings {
  endpoint: string;
  region: string;
  credentials: Credentials;
  forcePathStyle: boolean;
  maxAttempts: number;
  /** The clock's offset when the client is created. */
  systemClockOffset: number;
}

const noFunctions: InvokeFunction = async () => {
  throw new Error('No functions here');
};

export async function startCloud(invoke: InvokeFunction = noFunctions): Promise<Cloud> {
  const dataDir = mkdtempSync(join(tmpdir(), 'local-services-'));
  const clock = new TestClock();
  const killed: Cloud['killed'] = [];
  const logged: string[] = [];
  const services = await startServices({
    dataDir,
    port: 0,
    clock,
    region: REGION,
    account: ACCOUNT,
    invoke,
    // A thread takes a moment to end. Until then its connection must stay open, or it would call again.
    kill: async (name, accessKeyId) => {
      await setTimeout(50);
      killed.push({ name, accessKeyId });
    },
    verbose: false,
    log: (line) => logged.push(line),
  });
  const settings = (credentials: Credentials): ClientSettings => ({
    endpoint: services.url,
    region: REGION,
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
    systemClockOffset: clock.offsetMs(),
  });
  const arn = (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`;
  const operator = services.admit({ name: 'operator', arn: arn('operator'), statements: 'everything' });
  return {
    services,
    clock,
    dataDir,
    killed,
    logged,
    get operator() {
      return settings(operator);
    },
    caller: (name, ...statements) => settings(services.admit({ name, arn: arn(name), statements })),
    stop: async () => {
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const allow = (Action: string | string[], Resource: string | string[] = '*'): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

export const table = (name: string, more: Partial<TableSettings> = {}): TableSettings => ({
  name,
  attributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'holder', AttributeType: 'S' },
  ],
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  globalSecondaryIndexes: [
    {
      IndexName: 'byOwner',
      KeySchema: [
        { AttributeName: 'holder', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  ttlAttribute: 'ttl',
  ...more,
});

export const bucket = (name: string, more: Partial<BucketSettings> = {}): BucketSettings => ({
  name,
  versioned: false,
  lifecycle: [],
  policy: [],
  cors: [],
  ...more,
});

export const queue = (name: string, more: Partial<QueueSettings> = {}): QueueSettings => ({
  name,
  visibilityTimeoutSeconds: 30,
  retentionSeconds: 345_600,
  policy: [],
  ...more,
});

export const key = (id: string, more: Partial<KeySettings> = {}): KeySettings => ({
  id,
  arn: `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`,
  spec: 'SYMMETRIC_DEFAULT',
  usage: 'ENCRYPT_DECRYPT',
  // IAM policies of the account decide.
  policy: [
    { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } },
  ],
  ...more,
});

/** Name, message and status of the SDK error that a call must fail with. */
export async function failure(
  call: Promise<unknown>,
): Promise<{ name: string; message: string; status: number }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const metadata = '$metadata' in error ? error.$metadata : undefined;
    const status =
      typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
    return { name: error.name, message: error.message, status: Number(status) };
  }
  throw new Error('The call succeeded but should have failed');
}
