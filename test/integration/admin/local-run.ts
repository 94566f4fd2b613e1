import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type * as errorsModule from '../../../admin/errors.ts';
import type * as adminModule from '../../../admin/run.ts';
import type { Terminal } from '../../../admin/terminal.ts';
import { CertificateAuthority } from '../../../local/certificate-authority/authority.ts';
import { Table } from '../../../shared/store/table.ts';
import { loadOnce } from '../../support/load-once.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { pipes } from '../../support/operator-terminal.ts';
import { ACCOUNT, type Cloud, key, queue, REGION, startCloud } from '../local-services/harness.ts';

const admin = loadOnce<typeof adminModule>(new URL('../../../admin/run.ts', import.meta.url));
const errors = loadOnce<typeof errorsModule>(new URL('../../../admin/errors.ts', import.meta.url));
/** The one that the command sees. Jest gives each test file a copy. */
const { env: environment } = loadOnce<typeof process>('node:process');

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect outputs of any shape
  json: any;
}

/** The parts of a local run that the admin command needs: services, clock and run.json. */
export class LocalRun {
  readonly cloud: Cloud;
  readonly table: Table;
  readonly dir: string;
  readonly #control;

  private constructor(cloud: Cloud, control: ReturnType<typeof createServer>) {
    this.cloud = cloud;
    this.#control = control;
    this.dir = cloud.dataDir;
    this.table = new Table(new DynamoDBClient(cloud.operator), 'table');
  }

  static async start(): Promise<LocalRun> {
    const cloud = await startCloud();
    const { services } = cloud;
    const index = (IndexName: string, pk: string, sk: string) => ({
      IndexName,
      KeySchema: [
        { AttributeName: pk, KeyType: 'HASH' as const },
        { AttributeName: sk, KeyType: 'RANGE' as const },
      ],
      Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['id', 'createdAt'] },
    });
    await services.createTable({
      name: 'table',
      attributeDefinitions: ['pk', 'sk', 'owner_pk', 'created_sk', 'status_pk', 'due_pk', 'due_sk'].map(
        (name) => ({
          AttributeName: name,
          AttributeType: 'S' as const,
        }),
      ),
      keySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      globalSecondaryIndexes: [
        index('byOwner', 'owner_pk', 'created_sk'),
        index('byStatus', 'status_pk', 'created_sk'),
        index('byDue', 'due_pk', 'due_sk'),
      ],
      ttlAttribute: 'ttl',
    });
    await services.createKey(key('webhook-key'));
    for (const name of ['seal', 'test-seal', 'timestamp'])
      await services.createSecret({ name, arn: secretArn(name), initialValue: '{}' });
    for (const name of ['events', 'seals', 'mails']) await services.createQueue(queue(name));

    const control = createServer((_request, response) => {
      const offset = cloud.clock.offsetMs();
      const now = new Date(cloud.clock.now()).toISOString();
      response.end(JSON.stringify({ now, offset_seconds: offset / 1_000 }));
    });
    await listenHere(control);
    new CertificateAuthority(join(cloud.dataDir, 'ca'), cloud.clock).listensAt(`${originOf(control)}/ca`);
    const run = new LocalRun(cloud, control);
    run.#writeRunFile(originOf(control));
    return run;
  }

  #writeRunFile(controlUrl: string): void {
    const { endpoint, credentials } = this.cloud.operator;
    const file = {
      base_url: 'http://localhost:3000',
      control_url: controlUrl,
      endpoint_url: endpoint,
      region: REGION,
      access_key_id: credentials.accessKeyId,
      secret_access_key: credentials.secretAccessKey,
      outputs: {
        BaseUrl: 'http://localhost:3000',
        TableName: 'table',
        WebhookKeyArn: key('webhook-key').arn,
        SealSecretArn: secretArn('seal'),
        TestSealSecretArn: secretArn('test-seal'),
        TimestampSecretArn: secretArn('timestamp'),
        EventsQueueUrl: this.cloud.services.queueUrl('events'),
        SealQueueUrl: this.cloud.services.queueUrl('seals'),
        MailQueueUrl: this.cloud.services.queueUrl('mails'),
      },
    };
    writeFileSync(join(this.dir, 'run.json'), JSON.stringify(file));
  }

  run = (...args: string[]): Promise<Outcome> => runHere([...args, '--dir', this.dir]);

  /** The same with somebody, or nobody, at the terminal. */
  runAt = (terminal: Terminal, ...args: string[]): Promise<Outcome> =>
    runHere([...args, '--dir', this.dir], terminal);

  /** The same with variables in its environment. */
  runWith = (variables: Record<string, string>, ...args: string[]): Promise<Outcome> =>
    runHere([...args, '--dir', this.dir], pipes(), variables);

  /** Runs the command, which must succeed, and returns its output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect outputs of any shape
  async ok(...args: string[]): Promise<any> {
    const outcome = await this.run(...args);
    if (outcome.code !== 0) throw new Error(`admin ${args.join(' ')} failed: ${outcome.stderr}`);
    return outcome.json;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#control.close(resolve));
    await this.cloud.stop();
  }
}

const secretArn = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-abcdef`;

/** Runs the command in this process: starting one takes longer than most commands. The variables must be new ones. */
export async function runHere(
  args: string[],
  terminal: Terminal = pipes(),
  variables: Record<string, string> = {},
): Promise<Outcome> {
  Object.assign(environment, variables);
  try {
    return outcome(0, await admin.run(args, terminal), '');
  } catch (error) {
    const { code, sentence } = errors.exitOf(error);
    return outcome(code, '', `${sentence}\n`);
  } finally {
    for (const name of Object.keys(variables)) delete environment[name];
  }
}

/** Runs the command as `npm run admin` does. */
export const runAdmin = (args: string[], env: NodeJS.ProcessEnv = {}, stdin = ''): Promise<Outcome> =>
  new Promise((resolve) => {
    const settings = { env: { ...process.env, ...env } };
    const child = execFile(process.execPath, ['admin/main.ts', ...args], settings, (error, stdout, stderr) =>
      resolve(outcome(error ? Number(error.code) : 0, stdout, stderr)),
    );
    child.stdin?.end(stdin);
  });

const outcome = (code: number, stdout: string, stderr: string): Outcome => ({
  code,
  stdout,
  stderr,
  json: (code === 0 && stdout.startsWith('[')) || stdout.startsWith('{') ? JSON.parse(stdout) : undefined,
});
