import { cpSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../admin/run.ts';
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts';
import { IdleEnvironments } from '../../local/functions/idle-environments.ts';
import { PortInUse } from '../../local/listen.ts';
import type { CallRecord, Fault, StoredMail } from '../../local/ports.ts';
import { writeRunFile } from '../../local/run-file.ts';
import { State } from '../../local/state.ts';
import { ApiClient, type Json, SigningClient } from './api-clients.ts';
import { putSecret } from './aws.ts';
import { pipes } from './operator-terminal.ts';
import { Receiver } from './receiver.ts';
import { assemblyFolder, runFolder } from './run-folder.ts';
import { until } from './until.ts';
import { IDLE_ENVIRONMENTS } from './workers.ts';

/** The data of a local cloud on which `admin demo` was run and nothing else. */
const firstDataFolder = (): string => join(runFolder(), 'first-data');

type CloudOptions = Partial<
  Pick<LocalCloudOptions, 'assembly' | 'accountConcurrency' | 'idleEnvironments' | 'services'>
>;
export type StartedServices = NonNullable<LocalCloudOptions['services']>;

async function runIn(dir: string, options: Partial<LocalCloudOptions> = {}): Promise<LocalCloud> {
  const cloud = await startLocalCloud({
    dir,
    port: 0,
    assembly: assemblyFolder(),
    ...options,
  });
  writeRunFile(dir, cloud);
  return cloud;
}

/** Below those that the operating system gives away. */
const FIRST_PORT = 20_000;
/** Of the service, the control port and the AWS services. */
const PORTS_OF_A_CLOUD = 3;

/** Services of another engine begin empty. */
const startsEmpty = ({ services }: CloudOptions = {}): boolean =>
  services !== undefined || process.env.DYNAMODB_ENDPOINT !== undefined;

/**
 * Runs the local cloud once with `admin demo` and keeps its data: making keys and filling tables and buckets takes
 * longer than all the rest of a start.
 */
export async function makeFirstData(): Promise<void> {
  const dir = firstDataFolder();
  const cloud = await runIn(dir);
  await run(['demo', '--dir', dir]);
  await cloud.stop();
  // A copy starts as if for the first time: no schedule is overdue or under way, and it takes any free port.
  const state = new State(dir);
  for (const start of ['schedule', 'event/', 'endpoint-port'])
    for (const { key } of state.startingWith(start)) state.delete(key);
  state.close();
}

/** Links the files of S3's objects, which never change: to copy the hundreds of them took most of a start. */
function copyFirstData(dir: string): void {
  const bodies = (folder: string) => join(folder, 'services', 's3', 'bodies');
  const from = firstDataFolder();
  cpSync(from, dir, { recursive: true, filter: (path) => path !== bodies(from) });
  mkdirSync(bodies(dir));
  for (const file of readdirSync(bodies(from))) linkSync(join(bodies(from), file), join(bodies(dir), file));
}

/**
 * The warm environments of this worker. Cold starts took most of a suite's time, so each suite leaves its environments to the
 * next, which has the same data on the same ports.
 */
class WarmEnvironments {
  readonly #environments = new IdleEnvironments(IDLE_ENVIRONMENTS);
  #port = FIRST_PORT;
  #inUse = false;

  /** Undefined if a cloud of this worker has them. */
  async run(dir: string): Promise<LocalCloud | undefined> {
    if (this.#inUse) return undefined;
    this.#inUse = true;
    for (;;) {
      const state = new State(dir);
      state.write('endpoint-port', String(this.#port + 2));
      state.close();
      try {
        return await runIn(dir, { port: this.#port, environments: this.#environments });
      } catch (error) {
        if (!(error instanceof PortInUse)) throw error;
        this.#port += PORTS_OF_A_CLOUD;
      }
    }
  }

  /** Environments remember secrets. */
  leave({ hasNewSecrets }: { hasNewSecrets: boolean }): void {
    if (hasNewSecrets) this.#environments.stop();
    this.#inUse = false;
  }
}

const warm = new WarmEnvironments();

const secretsOf = ({ services, outputs }: LocalCloud): Promise<string[]> =>
  Promise.all(
    Object.entries(outputs)
      .filter(([name]) => name.endsWith('SecretArn'))
      .map(([, arn]) => services.secretValue(arn)),
  );

/** The whole service, run by the local cloud from the synthesized stack. */
export class Service {
  cloud: LocalCloud;
  readonly dir: string;
  readonly #receivers: Receiver[] = [];
  /** Set while this service has the warm environments. */
  #firstSecrets: string[] | undefined;

  private constructor(cloud: LocalCloud, dir: string) {
    this.cloud = cloud;
    this.dir = dir;
  }

  /** The functions may be warm already, unless the service has options. */
  static async start(options?: CloudOptions): Promise<Service> {
    const dir = await mkdtemp(join(tmpdir(), 'service-'));
    if (!startsEmpty(options)) copyFirstData(dir);
    const warmCloud = options || startsEmpty() ? undefined : await warm.run(dir);
    const service = new Service(warmCloud ?? (await runIn(dir, options)), dir);
    if (startsEmpty(options)) await service.admin('demo');
    await service.useItsTimestampAuthority();
    if (warmCloud) service.#firstSecrets = await secretsOf(warmCloud);
    return service;
  }

  /** For tests of what functions do at a cold start, or of secrets, which they remember. */
  static startCold = (): Promise<Service> => Service.start({});

  /** Without data, and without the secrets that `admin demo` fills. */
  static async startAt(time: number): Promise<Service> {
    const dir = await mkdtemp(join(tmpdir(), 'service-'));
    const state = new State(dir);
    state.write('clock', String(time - Date.now()));
    state.close();
    return new Service(await runIn(dir), dir);
  }

  async #stopCloud(): Promise<void> {
    const secrets = this.#firstSecrets && (await secretsOf(this.cloud));
    await this.cloud.stop();
    if (secrets) warm.leave({ hasNewSecrets: String(secrets) !== String(this.#firstSecrets) });
    this.#firstSecrets = undefined;
  }

  /** The authority's certificates came with the data; its address is of this start. Roots of others are trusted too. */
  async useItsTimestampAuthority(otherRoots = ''): Promise<void> {
    const { timestampUrl: url, timestampCa } = this.cloud;
    const authority = { url, ca_pem: (await readFile(timestampCa, 'utf8')) + otherRoots };
    await putSecret(this, 'TimestampSecretArn', { authorities: [authority] });
  }

  /** The same data, run anew. The address changes: clients have to be made again. */
  async restart(): Promise<void> {
    await this.#stopCloud();
    this.cloud = await runIn(this.dir);
  }

  async stop(): Promise<void> {
    for (const receiver of this.#receivers) receiver.stop();
    await this.#stopCloud();
    await rm(this.dir, { recursive: true, force: true });
  }

  get baseUrl(): string {
    return this.cloud.baseUrl;
  }

  /** Runs an admin command against this cloud. Without a process of its own, which takes longer than most commands. */
  async admin(...args: string[]): Promise<Json> {
    return JSON.parse(await run([...args, '--dir', this.dir], pipes()));
  }

  /** An organization with a key. */
  async client({
    subscription = 'active',
    archive = false,
    test = false,
  } = {}): Promise<ApiClient & { ownerId: string }> {
    const { organization_id: ownerId } = await this.admin(
      'org',
      'create',
      '--name',
      'Acme Oy',
      '--subscription',
      subscription,
      ...(archive ? ['--archive'] : []),
    );
    const { api_key: apiKey } = await this.admin(
      'key',
      'create',
      '--org',
      ownerId,
      ...(test ? ['--test'] : []),
    );
    return Object.assign(new ApiClient(this.baseUrl, apiKey), { ownerId });
  }

  /** A webhook endpoint of the client's that is told every event. */
  async receiver(client: ApiClient): Promise<Receiver> {
    const receiver = await Receiver.start();
    this.#receivers.push(receiver);
    const { status } = await client.post('/api/v1/webhook-endpoints', { url: receiver.url });
    if (status !== 201) throw new Error(`The webhook endpoint was refused: ${status}`);
    return receiver;
  }

  signer = (token: string) => new SigningClient(this.baseUrl, token);

  /** A signer who has typed the code of the newest mail. */
  async verifiedSigner(token: string, email: string): Promise<SigningClient> {
    const signer = this.signer(token);
    await signer.open();
    const { status } = await signer.verify(this.code(email));
    if (status !== 200) throw new Error(`The code was not taken: ${status}`);
    return signer;
  }

  mails = (to: string): StoredMail[] => this.cloud.services.inbox({ to });

  /** The code in the newest mail to an address that has one; a reminder, which has none, may come after it. */
  code(to: string): string {
    const [found] = this.mails(to).flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? []);
    if (!found) throw new Error(`There is no mail with a code to ${to}.`);
    return found;
  }

  advance = (milliseconds: number): void => this.cloud.clock.advance(milliseconds);

  /** Until functions have ended all queued work, so that none of it comes between the next steps of a test. */
  async untilQueuesEmpty(): Promise<void> {
    await until(
      () =>
        this.cloud.services
          .queues()
          .every(
            ({ name, visible, in_flight: inFlight }) =>
              name.endsWith('-dead-letters') || visible + inFlight === 0,
          ),
      'the queues to be empty',
    );
  }

  /** Runs the schedule whose name holds this word, to its end. */
  async runSchedule(word: string): Promise<void> {
    const schedules = (await (await fetch(`${this.cloud.controlUrl}/schedules`)).json()) as {
      name: string;
    }[];
    const name = schedules.find((schedule) => schedule.name.includes(word))?.name;
    if (!name) throw new Error(`There is no schedule with ${word} in its name.`);
    const outcome = (await (
      await fetch(`${this.cloud.controlUrl}/schedules/${name}/run`, { method: 'POST' })
    ).json()) as { ok: boolean };
    if (!outcome.ok) throw new Error(`The schedule ${name} failed: ${JSON.stringify(outcome)}`);
  }

  /** The whole name of a function, which begins with the stack's. */
  functionName(name: string): string {
    const found = this.cloud.functions.find(name);
    if (!found) throw new Error(`There is no function ${name}.`);
    return found.name;
  }

  fault = (fault: Fault): void =>
    this.cloud.services.addFault(
      fault.function ? { ...fault, function: this.functionName(fault.function) } : fault,
    );

  /** Lets SES refuse a mail of a function: its next one, or a later one. */
  refuseMail = (name: string, after = 1): void =>
    this.fault({
      service: 'ses',
      operation: 'SendEmail',
      function: name,
      after,
      effect: 'error',
      error_code: 'MessageRejected',
    });

  /** The AWS calls that a function makes while `work` runs. */
  async callsOf(name: string, work: () => Promise<unknown>): Promise<CallRecord[]> {
    this.cloud.services.clearCalls();
    await work();
    return this.cloud.services.calls().filter((call) => call.function === this.functionName(name));
  }

  async untilStatus(client: ApiClient, id: string, status: string) {
    return until(async () => {
      const answer = await client.get(`/api/v1/signatures/${id}`);
      return answer.body.status === status ? answer.body : undefined;
    }, `request ${id} to become ${status}`);
  }
}
