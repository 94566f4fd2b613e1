/**
 * Runs inside a worker: loads a function's bundle and calls its handler, like Lambda's Node.js runtime. Imports only small
 * modules without side effects, because it is passed to each worker as text.
 */
import { enableCompileCache } from 'node:module';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { followLocalClock } from './local-date.ts';
import type { FromWorker, FunctionError, Invocation, WorkerSettings } from './protocol.ts';

const settings: WorkerSettings = workerData;
const realNow = Date.now;
followLocalClock(new Float64Array(settings.clockOffset));
if (settings.compileCache !== undefined) enableCompileCache(settings.compileCache);
sendOutputByMessage();

const STREAMING_MARK = Symbol.for('aws.lambda.runtime.handler.streaming');

/** Takes event and context; a streaming handler takes event, stream and context. */
type Handler = ((event: unknown, ...rest: unknown[]) => unknown) & { [STREAMING_MARK]?: string };

let onAcknowledged = (): void => undefined;
defineLambdaGlobal();
process.on('unhandledRejection', (reason) => {
  post({
    type: 'crash',
    error: { ...describeError(reason), errorType: 'Runtime.UnhandledPromiseRejection' },
  });
  process.exit(128);
});

let handler: Handler | undefined;
parentPort?.on('message', (message: Invocation | 'acknowledged' | 'end') => {
  if (message === 'acknowledged') onAcknowledged();
  else if (message === 'end') process.exit();
  else if (handler) void invoke(handler, message);
});
handler = await loadHandler();
if (handler) post({ type: 'ready' });

async function loadHandler(): Promise<Handler | undefined> {
  try {
    const module = await import(pathToFileURL(settings.file).href);
    const name = settings.exportName;
    const loaded = module[name];
    if (typeof loaded !== 'function') refuse('HandlerNotFound', `${name} is undefined or not exported`);
    else if (takesCallback(loaded))
      refuse('CallbackHandlerDeprecated', `${name} takes a callback, which Node.js 24 has no more`);
    else return loaded;
  } catch (error) {
    post({ type: 'failedToLoad', error: describeError(error) });
  }
  return undefined;
}

/** Lambda looks only at the number of parameters. */
function takesCallback(handler: Handler): boolean {
  return handler.length > 2 && !handler[STREAMING_MARK];
}

function refuse(type: string, errorMessage: string): void {
  post({ type: 'failedToLoad', error: { errorType: `Runtime.${type}`, errorMessage, trace: [] } });
}

async function invoke(handler: Handler, invocation: Invocation): Promise<void> {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(invocation.payload));
    const context = makeContext(invocation);
    if (handler[STREAMING_MARK]) {
      await streamAnswer(handler, event, context);
      post({ type: 'answered', payload: new Uint8Array() });
    } else {
      const answer = JSON.stringify((await handler(event, context)) ?? null);
      post({ type: 'answered', payload: new TextEncoder().encode(answer) });
    }
  } catch (error) {
    const described = describeError(error);
    console.error(
      `${new Date().toISOString()}\t${invocation.requestId}\tERROR\tInvoke Error\t${JSON.stringify(described)}`,
    );
    post({ type: 'failed', error: described });
  }
}

function makeContext(invocation: Invocation): object {
  const { environment } = settings;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    invokedFunctionArn: settings.functionArn,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: invocation.requestId,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadline - realNow()),
  };
}

/** Sends the stream to the gateway in chunks, each after the one before was acknowledged. */
async function streamAnswer(handler: Handler, event: unknown, context: object): Promise<void> {
  const stream = new ResponseStream();
  const finished = new Promise<void>((resolve, reject) => {
    stream.on('close', resolve);
    stream.on('error', reject);
  });
  await Promise.all([handler(event, stream, context), finished]);
}

class ResponseStream extends Writable {
  _onBeforeFirstWrite: ((write: (chunk: string | Uint8Array) => void) => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const chunks: Buffer[] = [];
    this._onBeforeFirstWrite?.((part) => chunks.push(Buffer.from(part)));
    this._onBeforeFirstWrite = undefined;
    onAcknowledged = done;
    post({ type: 'chunk', data: Uint8Array.from(Buffer.concat([...chunks, chunk])) });
  }
}

/** A worker whose own output streams are read keeps the process running, idle or not. */
function sendOutputByMessage(): void {
  for (const stream of [process.stdout, process.stderr])
    stream._writev = (parts, done) => {
      post({ type: 'output', text: parts.map(({ chunk }) => String(chunk)).join('') });
      done();
    };
}

function defineLambdaGlobal(): void {
  const streamifyResponse = (streamHandler: Handler): Handler => {
    streamHandler[STREAMING_MARK] = 'response';
    return streamHandler;
  };
  const from = (stream: ResponseStream, metadata: object): ResponseStream => {
    stream._onBeforeFirstWrite = (write) => {
      write(JSON.stringify(metadata));
      write(new Uint8Array(8));
    };
    return stream;
  };
  Object.assign(globalThis, { awslambda: { streamifyResponse, HttpResponseStream: { from } } });
}

function describeError(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
