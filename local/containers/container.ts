/** A container of the stack as a Node process. It is restarted when it exits, and used once it is healthy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerPlan } from '../assembly/plan.ts';
import type { Target } from '../assembly/resources/containers.ts';
import { bootUrl } from '../functions/boot-code.ts';
import { freePort } from '../listen.ts';
import type { Clock, Credentials } from '../ports.ts';
import { sdkEnvironment } from '../sdk-environment.ts';

interface ContainerHost {
  endpointUrl: string;
  region: string;
  clock: Clock;
  /** The parent folder of its volumes. */
  folder: string;
  admit(plan: ContainerPlan): Credentials;
  onOutput(plan: ContainerPlan, text: string): void;
}

const RESTART_DELAY_MS = 500;
const EVERYTHING_BUT_WRITES = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-addons',
  '--allow-child-process',
  '--allow-worker',
  // That some of these could circumvent the permissions.
  '--disable-warning=SecurityWarning',
];
const HEALTH_TIMEOUT_MS = 20_000;
const HEALTH_CHECK_MS = 2_000;

export class Container {
  readonly port: number;
  readonly plan: ContainerPlan;
  readonly #healthCheckPath: string;
  readonly #host: ContainerHost;
  readonly #stopped = new AbortController();
  #process: ChildProcess;

  private constructor({ container, healthCheckPath }: Target, host: ContainerHost, port: number) {
    this.plan = container;
    this.#healthCheckPath = healthCheckPath;
    this.#host = host;
    this.port = port;
    for (const { name } of container.volumes) mkdirSync(join(host.folder, name), { recursive: true });
    this.#process = this.#spawn();
    host.clock.onMove(() => {
      if (this.#process.connected) this.#process.send(host.clock.offsetMs());
    });
  }

  static async start(target: Target, host: ContainerHost): Promise<Container> {
    return new Container(target, host, await freePort());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Like the load balancer, polls the health check. False if it does not succeed in time. */
  async becomesHealthy(): Promise<boolean> {
    const end = performance.now() + HEALTH_TIMEOUT_MS;
    while (performance.now() < end && !this.#stopped.signal.aborted) {
      if (await this.#isHealthy()) return true;
      await wait(25);
    }
    return false;
  }

  async #isHealthy(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.port}${this.#healthCheckPath}`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_CHECK_MS) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.kill();
  }

  #spawn(): ChildProcess {
    const { file, args } = this.plan;
    const options = [...this.#permissions(), '--import', bootUrl('container-boot.ts')];
    const child = spawn(process.execPath, [...options, file, ...args], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#host.onOutput(this.plan, text));
    }
    child.once('exit', () => void this.#restart());
    return child;
  }

  async #restart(): Promise<void> {
    await wait(RESTART_DELAY_MS, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    if (!this.#stopped.signal.aborted) this.#process = this.#spawn();
  }

  /** Node's permissions: of a container with a read-only file system, everything but to write outside of its volumes. */
  #permissions(): string[] {
    const { hasReadOnlyRoot, volumes } = this.plan;
    if (!hasReadOnlyRoot) return [];
    const writable = volumes.filter(({ isReadOnly }) => !isReadOnly);
    return [
      ...EVERYTHING_BUT_WRITES,
      ...writable.map(({ name }) => `--allow-fs-write=${join(this.#host.folder, name)}`),
    ];
  }

  #environment(): Record<string, string> {
    const own = Object.entries(this.plan.environment).map(([name, value]): [string, string] => [
      name,
      this.#localPath(value),
    ]);
    return {
      ...Object.fromEntries(own),
      PORT: String(this.port),
      ...sdkEnvironment(this.#host.admit(this.plan), this.#host),
      LOCAL_CLOCK_OFFSET_MS: String(this.#host.clock.offsetMs()),
    };
  }

  /** Maps a path in a volume to the volume's folder. */
  #localPath(value: string): string {
    const volume = this.plan.volumes.find(({ path }) => value === path || value.startsWith(`${path}/`));
    return volume ? join(this.#host.folder, volume.name, value.slice(volume.path.length)) : value;
  }
}
