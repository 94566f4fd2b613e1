/** One execution environment of a function: a worker thread that runs one invocation at a time. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bootUrl } from './boot-code.ts';
import type { FromWorker, FunctionError, Invocation, WorkerSettings } from './protocol.ts';

export type Outcome = { ok: true; payload: Uint8Array } | { ok: false; error: FunctionError };

/** Receives the chunks of a streamed answer. The function continues when the promise resolves. */
export type OnChunk = (chunk: Uint8Array) => Promise<void>;

const dropChunk: OnChunk = async () => undefined;

interface WorkerOptions {
  settings: WorkerSettings;
  memoryMb: number;
  timeoutMs: number;
  onOutput(text: string): void;
}

/** Lambda starts a slower function once more, within the time limit of its invocation. */
const INIT_TIMEOUT_MS = 10_000;
/** A worker that computes for longer is cut off: it is most likely in an endless loop. */
const LONGEST_TURN_MS = 10_000;
/** A stack has dozens of functions; by default each would keep 48 MB for short-lived objects. */
const YOUNG_GENERATION_MB = 8;

export class FunctionWorker {
  /** False once the worker has ended, for any reason. */
  alive = true;
  onOutput: (text: string) => void;
  readonly #worker: Worker;
  readonly #options: WorkerOptions;
  readonly #loaded: Promise<FunctionError | undefined>;
  readonly #exited: Promise<void>;
  #requestId = '';
  #receive: (message: FromWorker) => void = () => undefined;
  #end: (error: FunctionError) => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.onOutput = options.onOutput;
    this.#worker = new Worker(new URL(bootUrl('boot.ts')), {
      workerData: options.settings,
      env: options.settings.environment,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: options.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    this.#loaded = new Promise((resolve) => {
      this.#receive = (message) => resolve(message.type === 'failedToLoad' ? message.error : undefined);
      this.#end = resolve;
    });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.type === 'output') this.onOutput(message.text);
      else this.#receive(message);
    });
    this.#worker.on('error', (error) =>
      this.#ended({
        errorType: error.name,
        errorMessage: error.message,
        trace: error.stack?.split('\n') ?? [],
      }),
    );
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.on('exit', () => this.#ended(this.#exitError('exit status 128')));
  }

  async invoke(payload: Uint8Array, requestId: string, onChunk: OnChunk): Promise<Outcome> {
    this.#requestId = requestId;
    const initMs = Math.max(INIT_TIMEOUT_MS, this.#options.timeoutMs);
    const initTimer = setTimeout(() => this.end(this.#timeoutError(initMs)), initMs);
    const loadError = await this.#loaded;
    clearTimeout(initTimer);
    if (loadError) {
      void this.kill();
      return { ok: false, error: loadError };
    }
    return this.#run({ payload, requestId, deadline: Date.now() + this.#options.timeoutMs }, onChunk);
  }

  #run(invocation: Invocation, onChunk: OnChunk): Promise<Outcome> {
    return new Promise((resolve) => {
      let pass = onChunk;
      const timer = setTimeout(
        () => this.end(this.#timeoutError(this.#options.timeoutMs)),
        this.#options.timeoutMs,
      );
      const finish = (outcome: Outcome): void => {
        clearTimeout(timer);
        // The function may go on to stream, and the gateway has refused the call.
        pass = dropChunk;
        resolve(outcome);
      };
      this.#end = (error) => finish({ ok: false, error });
      this.#receive = (message) => {
        if (message.type === 'answered') finish({ ok: true, payload: message.payload });
        if (message.type === 'failed') finish({ ok: false, error: message.error });
        if (message.type === 'crash') this.end(message.error);
        if (message.type === 'chunk')
          void pass(message.data).then(() => this.#worker.postMessage('acknowledged'));
      };
      if (this.alive) this.#worker.postMessage(invocation);
      else this.#end(this.#exitError('signal: killed'));
    });
  }

  /**
   * Ends the worker after the present turn of its event loop; a running invocation fails at once. Cut off while it makes a zlib
   * stream, the worker would take this process with it: Node 24 aborts at "close before init".
   */
  end(error = this.#exitError('signal: killed')): void {
    this.#ended(error);
    this.#worker.postMessage('end');
    const timer = setTimeout(() => void this.#worker.terminate(), LONGEST_TURN_MS);
    void this.#exited.then(() => clearTimeout(timer));
  }

  /** The same, and resolves when the worker has ended. */
  async kill(): Promise<void> {
    this.end();
    await this.#exited;
  }

  #ended(error: FunctionError): void {
    this.alive = false;
    this.#end(error);
  }

  /** An unreferenced worker does not keep this process from ending. */
  ref = (): void => this.#worker.ref();
  unref = (): void => this.#worker.unref();

  #exitError(how: string): FunctionError {
    return {
      errorType: 'Runtime.ExitError',
      errorMessage: `RequestId: ${this.#requestId} Error: Runtime exited with error: ${how}`,
    };
  }

  #timeoutError(ms: number): FunctionError {
    return {
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${this.#requestId} Error: Task timed out after ${(ms / 1000).toFixed(2)} seconds`,
    };
  }
}

/** The file and export of a handler such as `index.handler`. */
export function locateHandler(codeFolder: string, handler: string): { file: string; exportName: string } {
  const dot = handler.lastIndexOf('.');
  return { file: join(codeFolder, `${handler.slice(0, dot)}.mjs`), exportName: handler.slice(dot + 1) };
}
