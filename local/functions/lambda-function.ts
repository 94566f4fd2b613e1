/** One function: starts workers as its invocations need them, and reuses idle ones. */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { FunctionPlan } from '../assembly/plan.ts';
import type { Credentials } from '../ports.ts';
import { sdkEnvironment } from '../sdk-environment.ts';
import { ServiceError } from '../services/service.ts';
import { FunctionWorker, locateHandler, type OnChunk, type Outcome } from './function-worker.ts';
import type { Environment, IdleEnvironments } from './idle-environments.ts';
import type { FunctionError } from './protocol.ts';

export interface InvocationResult {
  payload: Buffer;
  functionError: 'Unhandled' | undefined;
}

/** Shared by all functions of a local cloud. */
export interface FunctionHost {
  endpointUrl: string;
  region: string;
  idle: IdleEnvironments;
  /** The wait for a busy environment, before another is started. */
  startAfterMs?: number;
  /** A folder for compiled code, which saves a quarter of a cold start. */
  compileCache?: string;
  /** Creates the credentials of an environment, or admits those it has from an earlier run of this stack. */
  admit(plan: FunctionPlan, credentials?: Credentials): Credentials;
  onOutput(plan: FunctionPlan, text: string): void;
  onFailure(plan: FunctionPlan, error: FunctionError): void;
}

/** Limit of invocations at a time: a function's own reservation, or the unreserved part of the account's limit. */
export class Concurrency {
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  take(): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  release(): void {
    this.#free += 1;
  }
}

const MAX_WORKERS = 10;
/** This many run in parallel on this machine. Starting another usually takes longer than waiting for one. */
export const AT_ONCE = availableParallelism();
const START_AFTER_MS = 30;
export const MAX_REQUEST_BYTES = 6 * 1024 * 1024;
const MAX_RESPONSE_BYTES = MAX_REQUEST_BYTES + 100;

export function assertSize({ length }: Uint8Array, maxBytes: number): void {
  const message = `Request must be smaller than ${maxBytes} bytes for the InvokeFunction operation`;
  if (length > maxBytes) throw new ServiceError('RequestTooLargeException', message, 413);
}

export class LambdaFunction {
  readonly plan: FunctionPlan;
  readonly #host: FunctionHost;
  readonly #environments = new Set<Environment>();
  readonly #waiting: ((environment: Environment) => void)[] = [];
  readonly #concurrency: Concurrency;
  #settings: string | undefined;
  #stopping = false;
  #queueWorkers = 0;

  constructor(plan: FunctionPlan, host: FunctionHost, concurrency: Concurrency) {
    this.plan = plan;
    this.#concurrency = concurrency;
    this.#host = host;
  }

  /** Allows one more queue to run this many invocations at once. */
  allowWorkers(count: number): void {
    this.#queueWorkers += count;
  }

  /** Runs once and returns the whole answer. */
  async invoke(payload: Uint8Array, requestId: string = randomUUID()): Promise<InvocationResult> {
    const chunks: Uint8Array[] = [];
    const outcome = await this.run(payload, requestId, async (chunk) => {
      chunks.push(chunk);
    });
    if (!outcome.ok)
      return { payload: Buffer.from(JSON.stringify(outcome.error)), functionError: 'Unhandled' };
    const answer = Buffer.concat([...chunks, outcome.payload]);
    if (answer.length <= MAX_RESPONSE_BYTES) return { payload: answer, functionError: undefined };
    const error = {
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
    };
    this.#host.onFailure(this.plan, error);
    return { payload: Buffer.from(JSON.stringify(error)), functionError: 'Unhandled' };
  }

  /** Runs once. Streamed chunks go to `onChunk`, a plain answer to the outcome. */
  async run(payload: Uint8Array, requestId: string, onChunk: OnChunk): Promise<Outcome> {
    assertSize(payload, MAX_REQUEST_BYTES);
    if (!this.#concurrency.take()) throw new ServiceError('TooManyRequestsException', 'Rate Exceeded.', 429);
    try {
      const environment = await this.#acquire();
      const outcome = await environment.worker.invoke(payload, requestId, onChunk);
      this.#release(environment);
      if (!outcome.ok && !this.#stopping) this.#host.onFailure(this.plan, outcome.error);
      return outcome;
    } finally {
      this.#concurrency.release();
    }
  }

  /** Kills the worker with this access key, or all. */
  async kill(accessKeyId?: string): Promise<void> {
    const killed = [...this.#environments].filter(
      ({ credentials }) => accessKeyId === undefined || credentials.accessKeyId === accessKeyId,
    );
    await Promise.all(killed.map(({ worker }) => worker.kill()));
  }

  /** Idle environments stay: they may serve the next run of this stack. */
  stop(): void {
    this.#stopping = true;
    for (const environment of this.#environments) {
      // This run's logs end with it.
      environment.worker.onOutput = () => undefined;
      if (!this.#host.idle.has(environment)) environment.worker.end();
    }
  }

  #acquire(): Environment | Promise<Environment> {
    const idle = this.#host.idle.take(this.#kind());
    if (idle) return this.#adopt(idle);
    if (this.#environments.size < AT_ONCE) return this.#start();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setTimeout(() => this.#startFor(resolve), this.#host.startAfterMs ?? START_AFTER_MS).unref();
    });
  }

  /** Starts an environment for an invocation that still waits, if the function may have another. */
  #startFor(waiting: (environment: Environment) => void): void {
    const place = this.#waiting.indexOf(waiting);
    const most = Math.max(MAX_WORKERS, this.#queueWorkers);
    if (place < 0 || this.#stopping || this.#environments.size >= most) return;
    this.#waiting.splice(place, 1);
    waiting(this.#start());
  }

  #release(environment: Environment): void {
    const { worker } = environment;
    if (this.#stopping && worker.alive) worker.end();
    if (!worker.alive) this.#environments.delete(environment);
    const next = this.#waiting.shift();
    if (next) next(worker.alive || this.#stopping ? environment : this.#start());
    else if (worker.alive)
      this.#host.idle.add(this.#kind(), environment, () => {
        this.#environments.delete(environment);
        void worker.kill();
      });
  }

  /** Environments of one kind differ only in their credentials. */
  #kind(): string {
    this.#settings ??= JSON.stringify([this.plan, this.#host.endpointUrl, this.#host.region]);
    return this.#settings;
  }

  /** Takes over an environment of an earlier run. */
  #adopt(environment: Environment): Environment {
    if (this.#environments.has(environment)) return environment;
    this.#host.admit(this.plan, environment.credentials);
    environment.worker.onOutput = (text) => this.#host.onOutput(this.plan, text);
    this.#environments.add(environment);
    return environment;
  }

  #start(): Environment {
    const { plan } = this;
    const credentials = this.#host.admit(plan);
    const environment: Environment = {
      credentials,
      worker: new FunctionWorker({
        memoryMb: plan.memoryMb,
        timeoutMs: plan.timeoutSeconds * 1000,
        onOutput: (text) => this.#host.onOutput(plan, text),
        settings: {
          ...locateHandler(plan.codeFolder, plan.handler),
          functionArn: plan.arn,
          environment: { ...this.#environmentOf(credentials), ...plan.environment },
          clockOffset: this.#host.idle.clockOffset,
          compileCache: this.#host.compileCache,
        },
      }),
    };
    this.#environments.add(environment);
    return environment;
  }

  #environmentOf(credentials: Credentials): Record<string, string> {
    const { plan } = this;
    return {
      ...sdkEnvironment(credentials, this.#host),
      AWS_DEFAULT_REGION: this.#host.region,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: plan.name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${plan.name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      LAMBDA_TASK_ROOT: plan.codeFolder,
      TZ: ':UTC',
      _HANDLER: plan.handler,
    };
  }
}
