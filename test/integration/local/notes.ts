import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { synthesize } from '../../../local/assembly/synthesize.ts';
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../../local/cloud.ts';
import { State } from '../../../local/state.ts';
import { runFolder } from '../../support/run-folder.ts';
import { until } from '../../support/until.ts';

/** Runs the stack of `test/fixtures/local-stack` in the local cloud. */

export const PROJECT = 'test/fixtures/local-stack';

/** Synthesized once for each test run, by the first test file that needs it. */
async function assembly(): Promise<string> {
  const folder = join(runFolder(), 'notes');
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  await synthesize(PROJECT, unfinished, {}, () => undefined);
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another test file was faster.
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

export type Json = ReturnType<typeof JSON.parse>;

export class Notes {
  readonly cloud: LocalCloud;
  readonly logged: string[];
  readonly dir: string;

  private constructor(cloud: LocalCloud, dir: string, logged: string[]) {
    this.cloud = cloud;
    this.dir = dir;
    this.logged = logged;
  }

  static async start({
    environments,
    endpointPort,
  }: Pick<LocalCloudOptions, 'environments'> & { endpointPort?: string } = {}): Promise<Notes> {
    const dir = mkdtempSync(join(tmpdir(), 'notes-'));
    if (endpointPort !== undefined) {
      const state = new State(dir);
      state.write('endpoint-port', endpointPort);
      state.close();
    }
    const logged: string[] = [];
    const cloud = await startLocalCloud({
      dir,
      port: 0,
      assembly: await assembly(),
      log: (line) => logged.push(line),
      ...(environments && { environments }),
    });
    return new Notes(cloud, dir, logged);
  }

  async stop(): Promise<void> {
    await this.cloud.stop();
    rmSync(this.dir, { recursive: true });
  }

  fetch = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${this.cloud.baseUrl}/v1${path}`, init);

  async json(path: string, init?: RequestInit): Promise<Json> {
    return (await this.fetch(path, init)).json();
  }

  /** Makes an AWS call inside the function `store`. */
  async call(call: string, input: Record<string, unknown>): Promise<{ status: number; body: Json }> {
    const response = await this.fetch('/store', { method: 'POST', body: JSON.stringify({ call, ...input }) });
    return { status: response.status, body: await response.json() };
  }

  async control(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${this.cloud.controlUrl}${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Number and last time of the functions' counts of this name. */
  async counted(name: string): Promise<{ times: number; lastAt: string | undefined }> {
    const dynamodb = new DynamoDBClient(this.operator());
    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: this.cloud.outputs.TableName, Key: { pk: { S: name } } }),
    );
    return { times: Number(Item?.times?.N ?? 0), lastAt: Item?.last_at?.S };
  }

  untilCounted = (name: string, times: number) =>
    until(async () => (await this.counted(name)).times >= times, `${name} to be counted ${times} times`);

  lambda = () => new LambdaClient(this.operator());
  sqs = () => new SQSClient(this.operator());

  /** SDK client settings of the operator, with the clock's current offset. */
  operator() {
    const { endpointUrl: endpoint, region, operator: credentials, clock } = this.cloud;
    return { endpoint, region, credentials, maxAttempts: 1, systemClockOffset: clock.offsetMs() };
  }

  async queue(name: string): Promise<Json> {
    const { body } = await this.control('GET', '/queues');
    return body.find((queue: Json) => queue.name === name);
  }
}
