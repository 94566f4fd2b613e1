/** The local cloud: one synthesized stack, run on this machine. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localizer } from './addresses.ts';
import { makePlan } from './assembly/makePlan.ts';
import type { OriginPlan, Plan } from './assembly/plan.ts';
import { readAssembly, type Stack } from './assembly/read.ts';
import { type Target, targetOf } from './assembly/resources/containers.ts';
import { synthesize } from './assembly/synthesize.ts';
import { StackError } from './assembly/template.ts';
import { LocalClock } from './clock.ts';
import { Container } from './containers/container.ts';
import { startControl } from './control/server.ts';
import { Edge } from './edge/edge.ts';
import { bucketOrigin, containerOrigin, httpOrigin, type Origin } from './edge/origins.ts';
import { EventSource } from './functions/eventSource.ts';
import { FunctionLogs } from './functions/functionLogs.ts';
import { Functions } from './functions/functions.ts';
import { Api } from './gateway/api.ts';
import { type Listener, type LoopbackServer, listen } from './listen.ts';
import type { Clock, Credentials, InvokeFunction, Services } from './ports.ts';
import { provision, resolveReferences } from './provision.ts';
import { Scheduler } from './schedules/scheduler.ts';
import { startServices } from './services/start.ts';
import { State } from './state.ts';
import { Stopwatch } from './stopwatch.ts';
import { TimestampAuthority } from './timestamp-authority/authority.ts';

export interface LocalCloudOptions {
  /** Where all data lives; made when missing. */
  dir: string;
  /** The port of the base address; the control port is the next one. 0 takes any free ports. */
  port: number;
  /** A synthesized cloud assembly; without one the CDK app of `projectFolder` is synthesized. */
  assembly?: string;
  projectFolder?: string;
  /** Context for the synthesis, as `cdk -c key=value`. */
  context?: Record<string, string>;
  /** Starts with nothing. */
  fresh?: boolean;
  verbose?: boolean;
  log?(line: string): void;
}

export interface LocalCloud {
  baseUrl: string;
  controlUrl: string;
  /** The emulated AWS services, for `AWS_ENDPOINT_URL`. */
  endpointUrl: string;
  region: string;
  stackName: string;
  /** May do everything. */
  operator: Credentials;
  outputs: Record<string, string>;
  /** The execute-api address of each REST API by its id, stage not included. */
  apiUrls: Record<string, string>;
  timestampUrl: string;
  /** The file with the certificate of the local timestamp authority's root. */
  timestampCa: string;
  clock: LocalClock;
  services: Services;
  functions: Functions;
  /** By name. */
  containers: ReadonlyMap<string, Container>;
  stop(): Promise<void>;
}

interface RunningApi {
  listener: Listener;
  server: LoopbackServer;
}

const defaultRegion = 'us-east-1';
const defaultAccount = '000000000000';

export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const log = options.log ?? (() => undefined);
  const verbose = options.verbose ?? false;
  const watch = new Stopwatch();
  const dir = resolve(options.dir);
  const closers: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };

  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const state = openState(dir, options.fresh ?? false);
    closers.push(() => state.close());
    const clock = new LocalClock(Number(state.read('clock') ?? 0));
    clock.onMove(() => state.write('clock', String(clock.offsetMs())));

    await assertFree(options.port);
    const stacks = await readStacks(options, dir);
    watch.lap('synthesis');
    const region = stacks.find((stack) => stack.region)?.region ?? defaultRegion;
    const account = stacks.find((stack) => stack.account)?.account ?? defaultAccount;

    const engine: { functions: Functions | undefined } = { functions: undefined };
    const containers = new Map<string, Container>();
    const invoke: InvokeFunction = (name, payload, type) => {
      if (!engine.functions) throw new Error('The functions are not ready yet.');
      return engine.functions.invoke(name, payload, type);
    };
    const services = await startOnUsualPort(state, (port) =>
      startServices({
        dataDir: dir,
        port,
        clock,
        region,
        account,
        invoke,
        kill: (name, accessKeyId) => {
          engine.functions?.kill(name, accessKeyId);
          containers.get(name)?.kill();
        },
        verbose,
        log,
      }),
    );
    closers.push(() => services.stop());
    watch.lap('services');

    const plan = makePlan(stacks, { region, account, queueUrl: (name) => services.queueUrl(name) });
    if (plan.distributions.length > 1)
      throw new StackError('The app has several distributions; one can run here.');
    if (verbose)
      for (const { resource, reason } of plan.passedOver) log(`Passed over: ${resource}: ${reason}.`);
    watch.lap('plan');
    await provision(plan, services, state);
    watch.lap('resources');

    const logs = new FunctionLogs(dir, verbose, log);
    closers.push(() => logs.close());
    const functions = new Functions(
      plan.functions.values(),
      {
        endpointUrl: services.url,
        region,
        clockOffset: clock.sharedOffset,
        admit: ({ name, role }) => services.admit({ name, arn: role.arn, statements: role.statements }),
        onOutput: logs.onOutput,
        onFailure: logs.onFailure,
      },
      state,
      clock,
      services,
    );
    engine.functions = functions;
    closers.push(() => functions.stop());

    const apis = new Map<string, RunningApi>();
    for (const api of plan.apis.values()) {
      const { listener } = new Api(api, { functions, clock, region, account });
      const server = await listen(listener, 0);
      apis.set(api.id, { listener, server });
      closers.push(() => server.stop());
    }
    const front = await listenAtFront(plan, apis, containers, services, clock, options.port);
    closers.push(() => front.stop());
    const baseUrl = `http://localhost:${front.port}`;
    const apiUrls = new Map([...apis].map(([id, { server }]) => [id, `http://localhost:${server.port}`]));
    const localize = localizer(plan, region, baseUrl, apiUrls);
    for (const { environment } of [...plan.functions.values(), ...plan.containers.values()]) {
      await settleEnvironment(environment, plan, services, localize);
    }
    for (const target of targetsOf(plan)) {
      const container = await Container.start(target, {
        endpointUrl: services.url,
        region,
        clock,
        folder: join(dir, 'containers', target.container.name),
        admit: ({ name, role }) => services.admit({ name, arn: role.arn, statements: role.statements }),
        onOutput: logs.onOutput,
      });
      containers.set(target.container.name, container);
      closers.push(() => container.stop());
    }

    const outputs = Object.fromEntries(
      Object.entries(plan.outputs).map(([name, value]) => [name, localize(value)]),
    );
    const scheduler = new Scheduler(plan.schedules, functions, state, clock, { region, account });
    const timestamps = new TimestampAuthority(join(dir, 'tsa'), clock);
    const control = await startControl(
      { services, clock, scheduler, functions, containers, timestamps, outputs, apiUrls, baseUrl },
      options.port === 0 ? 0 : front.port + 1,
    );
    closers.push(() => control.stop());

    for (const source of plan.eventSources) {
      const mapping = new EventSource(source, functions.get(source.functionName), services);
      void mapping.run();
      closers.push(() => mapping.stop());
    }
    scheduler.start();
    closers.push(() => scheduler.stop());
    functions.resumeEvents();
    watch.lap('servers');
    if (verbose) log(`Ready: ${watch.summary()}.`);

    return {
      baseUrl,
      controlUrl: `http://localhost:${control.port}`,
      endpointUrl: services.url,
      region,
      stackName: stacks[0]?.name ?? '',
      operator: services.admit({
        name: 'operator',
        arn: `arn:aws:iam::${account}:user/operator`,
        statements: 'everything',
      }),
      outputs,
      apiUrls: Object.fromEntries(apiUrls),
      timestampUrl: `http://localhost:${control.port}/timestamp`,
      timestampCa: timestamps.caFile,
      clock,
      services,
      functions,
      containers,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The state's lock is taken first, so that `fresh` never empties a folder under a running cloud. */
function openState(dir: string, fresh: boolean): State {
  const state = new State(dir);
  if (!fresh) return state;
  state.close();
  for (const name of [
    'engine.sqlite',
    'engine.sqlite-wal',
    'services',
    'containers',
    'logs',
    'tsa',
    'run.json',
  ]) {
    rmSync(join(dir, name), { recursive: true, force: true });
  }
  return new State(dir);
}

/** Said before the stack is synthesized, which takes longest. */
async function assertFree(port: number): Promise<void> {
  if (port === 0) return;
  for (const wanted of [port, port + 1]) await (await listen(() => undefined, wanted)).stop();
}

async function readStacks(options: LocalCloudOptions, dir: string): Promise<Stack[]> {
  if (options.assembly !== undefined) return readAssembly(options.assembly);
  const folder = join(dir, 'assembly');
  await synthesize(options.projectFolder ?? process.cwd(), folder, options.context ?? {});
  return readAssembly(folder);
}

/** The port of the last run again where it is free: addresses that were handed out, such as presigned ones, stay good. */
async function startOnUsualPort(state: State, start: (port: number) => Promise<Services>): Promise<Services> {
  const usual = Number(state.read('endpoint-port') ?? 0);
  const services = await start(usual).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return start(0);
  });
  state.write('endpoint-port', new URL(services.url).port);
  return services;
}

/** The distribution where the stack has one, otherwise its API. */
async function listenAtFront(
  plan: Plan,
  apis: ReadonlyMap<string, RunningApi>,
  containers: ReadonlyMap<string, Container>,
  services: Services,
  clock: Clock,
  port: number,
): Promise<LoopbackServer> {
  const [distribution] = plan.distributions;
  if (!distribution) {
    const [api] = apis.values();
    if (!api) throw new StackError('The app has neither a distribution nor a REST API to serve.');
    return listen(api.listener, port);
  }
  // Its references count as they stand in the template: a new value behind one changes no distribution by itself.
  const template = createHash('sha256').update(JSON.stringify(distribution)).digest('hex');
  const origins = new Map<string, Origin>();
  for (const origin of distribution.origins) {
    for (const [name, value] of Object.entries(origin.headers)) {
      origin.headers[name] = await resolveReferences(value, plan, services);
    }
    origins.set(origin.id, originFor(origin, plan, apis, containers, services));
  }
  await services.createDistribution({ ...distribution, template });
  const headersFor = (originId: string) => services.originHeaders(distribution.id, originId);
  return listen(new Edge(distribution, origins, headersFor, clock).listener, port);
}

function originFor(
  origin: OriginPlan,
  plan: Plan,
  apis: ReadonlyMap<string, RunningApi>,
  containers: ReadonlyMap<string, Container>,
  services: Services,
): Origin {
  const [, apiId] = /^([^.]+)\.execute-api\./.exec(origin.domain) ?? [];
  const api = apiId === undefined ? undefined : apis.get(apiId);
  if (api) return httpOrigin(origin, api.server.port);
  const [, bucketName] = /^(.+)\.s3\.[^.]+\.amazonaws\.com$/.exec(origin.domain) ?? [];
  const bucket = bucketName === undefined ? undefined : plan.buckets.get(bucketName);
  if (bucket) return bucketOrigin(origin, bucket, services);
  const target = origin.vpcOriginId === undefined ? undefined : targetOf(origin.vpcOriginId, plan);
  if (target) return containerOrigin(origin, () => containers.get(target.container.name));
  throw new StackError(
    `The origin ${origin.domain} of the distribution is no API, bucket or container of the stack.`,
  );
}

/** The containers that the distribution reaches. */
function targetsOf(plan: Plan): Target[] {
  const ids = plan.distributions.flatMap(({ origins }) => origins.map(({ vpcOriginId }) => vpcOriginId));
  return ids.flatMap((id) => (id === undefined ? [] : (targetOf(id, plan) ?? [])));
}

async function settleEnvironment(
  environment: Record<string, string>,
  plan: Plan,
  services: Services,
  localize: (text: string) => string,
): Promise<void> {
  for (const [name, value] of Object.entries(environment)) {
    environment[name] = localize(await resolveReferences(value, plan, services));
  }
}
