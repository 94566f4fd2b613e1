/** The local cloud: runs a synthesized CDK app on this machine. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bucketLocalizer, type Localize, localizer } from './addresses.ts';
import { compileCacheIn, synthesizeIfChanged } from './assembly/kept.ts';
import { makePlan } from './assembly/make-plan.ts';
import type { ContainerPlan, Plan } from './assembly/plan.ts';
import { readAssembly } from './assembly/read.ts';
import { type Target, targetOf } from './assembly/resources/containers.ts';
import { CertificateAuthority } from './certificate-authority/authority.ts';
import { LocalClock } from './clock.ts';
import { Container } from './containers/container.ts';
import { startControl } from './control/server.ts';
import { firewallOf } from './firewall/firewall.ts';
import { listenAtFront, type RunningApi } from './front.ts';
import { EventSource } from './functions/event-source.ts';
import { openFunctionLogs } from './functions/function-logs.ts';
import { Functions } from './functions/functions.ts';
import { IdleEnvironments } from './functions/idle-environments.ts';
import { Api } from './gateway/api.ts';
import { listen, PortInUse } from './listen.ts';
import type { Credentials, InvokeFunction, Services, ServicesOptions } from './ports.ts';
import { provision, resolveReferences } from './provision.ts';
import { openScheduler } from './schedules/scheduler.ts';
import { startServices } from './services/start.ts';
import { State } from './state.ts';
import { Stopwatch } from './stopwatch.ts';
import { TimestampAuthority } from './timestamp-authority/authority.ts';

export interface LocalCloudOptions {
  /** The data folder, created if missing. */
  dir: string;
  /** The port of the base address; the control port is the next one. 0 takes any free ports. */
  port: number;
  /** A synthesized cloud assembly. Without one, the CDK app in the current folder is synthesized. */
  assembly?: string;
  /** Context for the synthesis, like `cdk -c key=value`. */
  context?: Record<string, string>;
  /** Deletes all data first. */
  fresh?: boolean;
  verbose?: boolean;
  /** Limit of invocations of all functions together at a time; unlimited by default. */
  accountConcurrency?: number;
  /** Limit of idle environments of all functions together. Calling more functions in turn starts each anew. */
  idleEnvironments?: number;
  /** Idle environments of an earlier run of this stack, instead of a limit. This run leaves them to the next. */
  environments?: IdleEnvironments;
  /** Starts the services; by default the emulated ones. */
  services?(options: ServicesOptions): Promise<Services>;
  log?(line: string): void;
  /** Called at each step of the start with what it does. */
  onStep?(name: string): void;
}

export interface LocalCloud {
  baseUrl: string;
  controlUrl: string;
  /** The emulated AWS services, for `AWS_ENDPOINT_URL`. */
  endpointUrl: string;
  region: string;
  /** Credentials that may do everything. */
  operator: Credentials;
  outputs: Record<string, string>;
  /** The execute-api address of each REST API by its id, without the stage. */
  apiUrls: Record<string, string>;
  timestampUrl: string;
  /** The file with the root certificate of the local timestamp authority. */
  timestampCa: string;
  clock: LocalClock;
  services: Services;
  functions: Functions;
  /** By name. */
  containers: ReadonlyMap<string, Container>;
  stop(): Promise<void>;
}

const LOCATION = { region: 'us-east-1', account: '000000000000' };

/** Functions to call at the stop, last added first. */
type Closers = (() => unknown)[];

export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const closers: Closers = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    return { ...(await start(options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: LocalCloudOptions, closers: Closers): Promise<Omit<LocalCloud, 'stop'>> {
  const log = options.log ?? (() => undefined);
  const step = options.onStep ?? (() => undefined);
  const verbose = options.verbose ?? false;
  const watch = new Stopwatch();
  const dir = resolve(options.dir);
  const state = openState(dir, options.fresh ?? false);
  closers.push(() => state.close());
  const idle = options.environments ?? new IdleEnvironments(options.idleEnvironments);
  if (!options.environments) closers.push(() => idle.stop());
  const clock = new LocalClock(Number(state.read('clock') ?? 0), idle.clockOffset);
  clock.onMove(() => state.write('clock', String(clock.offsetMs())));

  await assertFree(options.port);
  const { assembly = await synthesizeIfChanged(process.cwd(), dir, options.context ?? {}, step) } = options;
  const stack = readAssembly(assembly);
  watch.lap('synthesis');

  step('Starting the services');
  // The services start before the functions that they invoke and kill.
  const late: { functions?: Functions } = {};
  const containers = new Map<string, Container>();
  const invoke: InvokeFunction = (name, payload, type) => {
    if (!late.functions) throw new Error('The functions are not ready yet.');
    return late.functions.invoke(name, payload, type);
  };
  const kill = async (name: string, accessKeyId: string): Promise<void> => {
    await Promise.all([late.functions?.kill(name, accessKeyId), containers.get(name)?.kill()]);
  };
  const { region, account } = LOCATION;
  const services = await startOnLastPort(state, (port) =>
    (options.services ?? startServices)({
      dataDir: dir,
      port,
      clock,
      ...LOCATION,
      invoke,
      kill,
      verbose,
      log,
    }),
  );
  closers.push(() => services.stop());
  watch.lap('services');

  const plan = makePlan(stack, { ...LOCATION, queueUrl: (name) => services.queueUrl(name) });
  if (verbose) for (const { resource, reason } of plan.ignored) log(`Ignored: ${resource}: ${reason}.`);
  watch.lap('plan');
  step('Creating the resources');
  await provision(plan, services, state);
  watch.lap('resources');

  step('Starting functions and containers');
  const logs = openFunctionLogs(dir, verbose, log);
  closers.push(() => logs.close());
  const host = {
    endpointUrl: services.url,
    region,
    admit: ({ name, role }: Pick<ContainerPlan, 'name' | 'role'>, credentials?: Credentials) =>
      services.admit({ name, arn: role.arn, statements: role.statements }, credentials),
    onOutput: logs.onOutput,
  };
  const functions = new Functions(
    plan.functions.values(),
    {
      ...host,
      compileCache: process.env.NODE_COMPILE_CACHE ?? compileCacheIn(dir),
      idle,
      onFailure: logs.onFailure,
    },
    state,
    clock,
    services,
    options.accountConcurrency,
  );
  late.functions = functions;
  closers.push(() => functions.stop());

  const apis = await startApis(plan, { functions, services, clock }, closers);
  const toBuckets = bucketLocalizer(plan, region, services.url);
  const front = await listenAtFront(
    { plan, apis, containers, services, clock, localize: toBuckets, account },
    options.port,
  );
  closers.push(() => front.stop());
  const baseUrl = `http://localhost:${front.port}`;
  const apiUrls = new Map([...apis].map(([id, { server }]) => [id, `http://localhost:${server.port}`]));
  const ownAddresses = localizer(plan, region, baseUrl, apiUrls);
  const localize: Localize = (text) => services.rename(toBuckets(ownAddresses(text)));
  await resolveEnvironments(plan, services, localize);
  localizeTemplates(plan, localize);
  for (const target of targetsOf(plan)) {
    const folder = join(dir, 'containers', target.container.name);
    const container = await Container.start(target, { ...host, clock, folder });
    containers.set(target.container.name, container);
    closers.push(() => container.stop());
  }
  const outputs = Object.fromEntries(
    Object.entries(plan.outputs).map(([name, value]) => [name, localize(value)]),
  );
  const scheduler = openScheduler(plan.schedules, functions, state, clock, { region, account });
  const authority = new CertificateAuthority(join(dir, 'ca'), clock);
  const timestamps = new TimestampAuthority(join(dir, 'timestamps'), clock, authority);
  const control = await startControl(
    { services, clock, scheduler, functions, containers, timestamps, authority, outputs, apiUrls, baseUrl },
    options.port === 0 ? 0 : front.port + 1,
  );
  closers.push(() => control.stop());
  authority.listensAt(`http://localhost:${control.port}/ca`);

  startEventSources(plan, functions, services, closers);
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
  };
}

async function startApis(
  plan: Plan,
  { functions, services, clock }: Pick<LocalCloud, 'functions' | 'services' | 'clock'>,
  closers: Closers,
): Promise<Map<string, RunningApi>> {
  const firewall = (resourceArn: string) => firewallOf(resourceArn, plan, (arn) => services.patterns(arn));
  const apis = new Map<string, RunningApi>();
  for (const api of plan.apis.values()) {
    const { listener } = new Api(api, { functions, firewall, clock, ...LOCATION });
    const server = await listen(listener, 0);
    apis.set(api.id, { listener, server });
    closers.push(() => server.stop());
  }
  return apis;
}

function startEventSources(plan: Plan, functions: Functions, services: Services, closers: Closers): void {
  for (const source of plan.eventSources) {
    const mapping = new EventSource(source, functions.get(source.functionName), services);
    void mapping.run();
    closers.push(() => mapping.stop());
  }
}

const DATA = ['services', 'containers', 'logs', 'ca', 'timestamps', 'run.json'];

/** Keeps the state's lock while it empties the folder, so that no other local cloud starts in it meanwhile. */
function openState(dir: string, fresh: boolean): State {
  const state = new State(dir);
  if (!fresh) return state;
  // First: after an interruption it must not say that deleted files were deployed.
  state.clear();
  for (const name of DATA) rmSync(join(dir, name), { recursive: true, force: true });
  return state;
}

/** Reports a used port before the synthesis, which takes longest. */
async function assertFree(port: number): Promise<void> {
  if (port === 0) return;
  for (const wanted of [port, port + 1]) await (await listen(() => undefined, wanted)).stop();
}

/** Takes the port of the last run again if it is free, so that upload forms stay valid. */
async function startOnLastPort(state: State, start: (port: number) => Promise<Services>): Promise<Services> {
  const last = Number(state.read('endpoint-port') ?? 0);
  const services = await start(last).catch((error: unknown) => {
    if (!(error instanceof PortInUse)) throw error;
    return start(0);
  });
  state.write('endpoint-port', new URL(services.url).port);
  return services;
}

/** The containers that the distribution uses as origins. */
const targetsOf = (plan: Plan): Target[] =>
  plan.distributions
    .flatMap(({ origins }) => origins)
    .flatMap(({ vpcOriginId = '' }) => targetOf(vpcOriginId, plan) ?? []);

/** The answers of the gateway itself. */
function localizeTemplates(plan: Plan, localize: Localize): void {
  for (const { gatewayResponses, methods } of plan.apis.values()) {
    const fixed = methods.flatMap(({ integration }) => (integration.type === 'MOCK' ? [integration] : []));
    for (const { templates } of [...gatewayResponses.values(), ...fixed])
      for (const [type, template] of Object.entries(templates)) templates[type] = localize(template);
  }
}

async function resolveEnvironments(plan: Plan, services: Services, localize: Localize): Promise<void> {
  for (const { environment } of [...plan.functions.values(), ...plan.containers.values()]) {
    for (const [name, value] of Object.entries(environment)) {
      environment[name] = localize(await resolveReferences(value, services));
    }
  }
}
