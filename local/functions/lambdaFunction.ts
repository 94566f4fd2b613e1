/** One function: as many workers as its invocations need, idle ones used again. */
import { randomUUID } from 'node:crypto';
import type { FunctionPlan } from '../assembly/plan.ts';
import type { Credentials } from '../ports.ts';
import { type ChunkTaker, FunctionWorker, locateHandler, type Outcome } from './functionWorker.ts';
import type { FunctionError } from './protocol.ts';

export interface InvocationResult {
  payload: Buffer;
  functionError: 'Unhandled' | undefined;
}

/** What Lambda itself refuses; its name is the code of the AWS error. */
export class InvokeRefused extends Error {
  readonly httpStatus: number;

  constructor(code: string, httpStatus: number, message: string) {
    super(message);
    this.name = code;
    this.httpStatus = httpStatus;
  }
}

/** What all functions of a local cloud share. */
export interface FunctionHost {
  endpointUrl: string;
  region: string;
  clockOffset: SharedArrayBuffer;
  /** Credentials of its own for each worker. */
  admit(plan: FunctionPlan): Credentials;
  onOutput(plan: FunctionPlan, text: string): void;
  onFailure(plan: FunctionPlan, error: FunctionError): void;
}

interface Environment {
  worker: FunctionWorker;
  accessKeyId: string;
  idleTimer: NodeJS.Timeout | undefined;
}

const maxWorkers = 10;
const idleMs = 120_000;
export const maxRequestBytes = 6 * 1024 * 1024;
const maxResponseBytes = maxRequestBytes + 100;

export class LambdaFunction {
  readonly plan: FunctionPlan;
  readonly #host: FunctionHost;
  readonly #environments = new Set<Environment>();
  readonly #idle: Environment[] = [];
  readonly #waiting: ((environment: Environment) => void)[] = [];
  #running = 0;
  #stopping = false;
  #maxWorkers = maxWorkers;

  constructor(plan: FunctionPlan, host: FunctionHost) {
    this.plan = plan;
    this.#host = host;
  }

  /** A queue that may run it so often at once is not held up by calls that wait for something: they wait in workers of their own. */
  allowWorkers(count: number): void {
    this.#maxWorkers = Math.max(this.#maxWorkers, count);
  }

  /** Runs once and gives the whole answer. */
  async invoke(payload: Uint8Array, requestId: string = randomUUID()): Promise<InvocationResult> {
    const chunks: Uint8Array[] = [];
    const outcome = await this.run(payload, requestId, async (chunk) => {
      chunks.push(chunk);
    });
    if (!outcome.ok)
      return { payload: Buffer.from(JSON.stringify(outcome.error)), functionError: 'Unhandled' };
    const answer = Buffer.concat([...chunks, outcome.payload]);
    if (answer.length <= maxResponseBytes) return { payload: answer, functionError: undefined };
    const error = {
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
    };
    this.#host.onFailure(this.plan, error);
    return { payload: Buffer.from(JSON.stringify(error)), functionError: 'Unhandled' };
  }

  /** Runs once; what the function streams goes to the taker, a plain answer into the outcome. */
  async run(payload: Uint8Array, requestId: string, takeChunk: ChunkTaker): Promise<Outcome> {
    if (payload.length > maxRequestBytes) {
      throw new InvokeRefused(
        'RequestTooLargeException',
        413,
        `Request must be smaller than ${maxRequestBytes} bytes for the InvokeFunction operation`,
      );
    }
    if (this.#running >= (this.plan.reservedConcurrency ?? Number.POSITIVE_INFINITY)) {
      throw new InvokeRefused('TooManyRequestsException', 429, 'Rate Exceeded.');
    }
    this.#running += 1;
    try {
      const environment = await this.#take();
      const outcome = await environment.worker.invoke(payload, requestId, takeChunk);
      this.#giveBack(environment);
      if (!outcome.ok && !this.#stopping) this.#host.onFailure(this.plan, outcome.error);
      return outcome;
    } finally {
      this.#running -= 1;
    }
  }

  /** Ends the worker that signs with this key; false when there is none. */
  kill(accessKeyId: string): boolean {
    const found = [...this.#environments].find((environment) => environment.accessKeyId === accessKeyId);
    found?.worker.kill();
    return found !== undefined;
  }

  stop(): void {
    this.#stopping = true;
    for (const { worker, idleTimer } of this.#environments) {
      clearTimeout(idleTimer);
      worker.kill();
    }
  }

  #take(): Environment | Promise<Environment> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.idleTimer);
      if (idle.worker.alive) return idle;
      this.#environments.delete(idle);
    }
    if (this.#environments.size < this.#maxWorkers) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(environment: Environment): void {
    if (!environment.worker.alive) this.#environments.delete(environment);
    const next = this.#waiting.shift();
    if (next) {
      next(environment.worker.alive ? environment : this.#start());
    } else if (environment.worker.alive) {
      environment.idleTimer = setTimeout(() => this.#retire(environment), idleMs).unref();
      this.#idle.push(environment);
    }
  }

  #retire(environment: Environment): void {
    this.#idle.splice(this.#idle.indexOf(environment), 1);
    this.#environments.delete(environment);
    environment.worker.kill();
  }

  #start(): Environment {
    const { plan } = this;
    const credentials = this.#host.admit(plan);
    const environment: Environment = {
      accessKeyId: credentials.accessKeyId,
      idleTimer: undefined,
      worker: new FunctionWorker({
        memoryMb: plan.memoryMb,
        timeoutMs: plan.timeoutSeconds * 1000,
        onOutput: (text) => this.#host.onOutput(plan, text),
        settings: {
          ...locateHandler(plan.codeFolder, plan.handler),
          functionArn: plan.arn,
          environment: { ...this.#environmentOf(credentials), ...plan.environment },
          clockOffset: this.#host.clockOffset,
        },
      }),
    };
    this.#environments.add(environment);
    return environment;
  }

  #environmentOf(credentials: Credentials): Record<string, string> {
    const { plan } = this;
    const { region, endpointUrl } = this.#host;
    return {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_DEFAULT_REGION: region,
      AWS_ENDPOINT_URL: endpointUrl,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: plan.name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${plan.name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_REGION: region,
      LAMBDA_TASK_ROOT: plan.codeFolder,
      TZ: ':UTC',
      _HANDLER: plan.handler,
    };
  }
}
