import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { FunctionWorker, locateHandler } from '../../../local/functions/function-worker.ts';
import { IdleEnvironments, MAX_IDLE_ENVIRONMENTS } from '../../../local/functions/idle-environments.ts';
import {
  AT_ONCE,
  Concurrency,
  type FunctionHost,
  LambdaFunction,
} from '../../../local/functions/lambda-function.ts';
import { until } from '../../support/until.ts';

/** Each worker takes a cold start. */
const MOST_IDLE = 3;

const codeFolder = mkdtempSync(join(tmpdir(), 'function-'));
writeFileSync(
  join(codeFolder, 'index.mjs'),
  `import { existsSync, writeFileSync } from 'node:fs';
  let calls = 0;
  const compute = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  export const handler = async () => {
    if (process.env.COMPUTES) {
      console.log('computing');
      compute(400);
      writeFileSync(process.env.COMPUTES, 'computed');
    }
    if (process.env.HANGS) await new Promise(() => setTimeout(() => {}, 60_000));
    calls += 1;
    console.log('call', calls);
    return calls;
  };
  export const handlerWithCallback = async (event, context, callback) => 1;
  export const streamingHandler = awslambda.streamifyResponse(async (event, stream, context) => stream.end());
  export const failingHandler = awslambda.streamifyResponse(async (event, stream) => {
    setImmediate(() => {
      stream.write('late');
      console.log('written');
    });
    throw new Error('Failed');
  });
  export const computingStream = awslambda.streamifyResponse(async (event, stream) => {
    console.log('computing');
    while (!existsSync(event.stopped)) compute(5);
    stream.write('late');
    writeFileSync(event.streamed, '');
  });`,
);
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
const host: FunctionHost = {
  endpointUrl: 'http://localhost:9',
  region: 'eu-north-1',
  idle: new IdleEnvironments(MOST_IDLE),
  admit: () => credentials,
  onOutput: () => undefined,
  onFailure: () => undefined,
};
const functionNamed = (
  name: string,
  variables: Record<string, string> = {},
  itsHost: FunctionHost = host,
  concurrency = 1,
  handler = 'index.handler',
) =>
  new LambdaFunction(
    {
      id: name,
      name,
      arn: `arn:aws:lambda:eu-north-1:000000000000:function:${name}`,
      codeFolder,
      handler,
      environment: variables,
      timeoutSeconds: 20,
      memoryMb: 128,
      reservedConcurrency: undefined,
      role: { name, arn: `arn:aws:iam::000000000000:role/${name}`, trust: [], statements: [] },
      deadLetterQueue: undefined,
    },
    itsHost,
    new Concurrency(concurrency),
  );
const callsOf = async (called: LambdaFunction | undefined) =>
  Number((await called?.invoke(Buffer.from('{}')))?.payload.toString());
afterEach(() => host.idle.stop());
afterAll(() => rmSync(codeFolder, { recursive: true }));

it('the least recently used environment stops when too many are idle', async () => {
  const functions = Array.from({ length: MOST_IDLE + 1 }, (_, n) => functionNamed(`function-${n}`));
  for (const each of functions.slice(0, MOST_IDLE)) await callsOf(each);
  // The first is used again, so the second is now the oldest.
  expect(await callsOf(functions[0])).toBe(2);
  expect(await callsOf(functions.at(-1))).toBe(1);
  expect(await callsOf(functions[0])).toBe(3);
  expect(await callsOf(functions[1])).toBe(1);
  expect(await callsOf(functions.at(-1))).toBe(2);
});

/** @behaviour lambda.handlers */
it('a handler that takes a callback is refused, unless its third parameter is the context of a stream', async () => {
  const call = (exported: string) =>
    functionNamed(exported, {}, host, 1, `index.${exported}`).invoke(Buffer.from('{}'));
  const { payload, functionError } = await call('handlerWithCallback');
  expect([functionError, JSON.parse(payload.toString())]).toMatchObject([
    'Unhandled',
    { errorType: 'Runtime.CallbackHandlerDeprecated' },
  ]);
  expect((await call('streamingHandler')).functionError).toBeUndefined();
});

/** @behaviour lambda.slow-start */
it('a cold start may take as long as the function may run', async () => {
  const mayLoad = join(codeFolder, 'may-load');
  writeFileSync(
    join(codeFolder, 'slow.mjs'),
    `import { existsSync } from 'node:fs';
    while (!existsSync(${JSON.stringify(mayLoad)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    export const handler = async () => 1;`,
  );
  jest.useFakeTimers();
  try {
    const call = callsOf(functionNamed('slow', {}, host, 1, 'slow.handler'));
    await jest.advanceTimersByTimeAsync(19_000);
    writeFileSync(mayLoad, '');
    expect(await call).toBe(1);
  } finally {
    jest.useRealTimers();
  }
});

const idleWorker = () => ({
  alive: true,
  onOutput() {},
  ref() {},
  unref() {},
  end() {},
  async kill() {},
  invoke: () => Promise.reject(),
});

describe('idle environments', () => {
  const worker = idleWorker();
  let now = 0;
  const keeping = (most: number) => new IdleEnvironments(most, () => now);
  /** Makes environments of these kinds idle, a second after the other, and returns those that were retired. */
  const retiredOf = (idle: IdleEnvironments, kinds: string[]): string[] => {
    const retired: string[] = [];
    for (const [n, kind] of kinds.entries()) {
      idle.add(kind, { worker, credentials }, () => void retired.push(`${kind}${n}`));
      now += 1_000;
    }
    const before = [...retired];
    idle.stop();
    return before;
  };

  it('by default, all functions together keep 48 idle environments', () => {
    const kinds = Array.from({ length: MAX_IDLE_ENVIRONMENTS + 1 }, (_, n) => `function-${n}-`);
    expect(MAX_IDLE_ENVIRONMENTS).toBe(48);
    expect(retiredOf(new IdleEnvironments(), kinds)).toEqual(['function-0-0']);
  });

  it('leftover environments of a burst stop before another function’s only environment', () => {
    expect(retiredOf(keeping(4), ['a', 'b', 'b', 'b', 'c', 'd'])).toEqual(['b1', 'b2']);
  });

  it('during a burst of calls, environments that were idle before it stop first', () => {
    expect(retiredOf(keeping(6), ['a', 'b', 'c', 'd', 'd', 'd', 'd', 'd', 'd'])).toEqual(['a0', 'b1', 'c2']);
  });
});

describe('a service at rest', () => {
  const collect = jest.fn(async () => undefined);
  beforeEach(() => {
    jest.useFakeTimers();
    globalThis.gc = collect;
  });
  afterEach(() => {
    jest.useRealTimers();
    globalThis.gc = undefined;
    collect.mockReset();
  });

  it('memory is given back once all environments but those of jobs were idle for a minute', () => {
    const idle = new IdleEnvironments();
    for (const kind of ['create', 'sign', 'seal', 'job'])
      idle.add(kind, { worker: idleWorker(), credentials }, jest.fn());
    jest.advanceTimersByTime(59_000);
    const job = idle.take('job');
    if (job) idle.add('job', job, jest.fn());
    expect(collect).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(collect).toHaveBeenCalled();
    idle.stop();
  });

  it('no memory is given back while more environments are idle', () => {
    const idle = new IdleEnvironments();
    idle.add('create', { worker: idleWorker(), credentials }, jest.fn());
    jest.advanceTimersByTime(30_000);
    for (const kind of ['open', 'sign', 'seal'])
      idle.add(kind, { worker: idleWorker(), credentials }, jest.fn());
    jest.advanceTimersByTime(30_000);
    expect(idle.take('create')).toBeUndefined();
    expect(collect).not.toHaveBeenCalled();
    idle.stop();
  });
});

describe('more calls at once than processors', () => {
  const startingAfter = (startAfterMs: number, calls: number, variables: Record<string, string> = {}) => {
    const started: unknown[] = [];
    const admit = () => {
      started.push(credentials);
      return credentials;
    };
    const called = functionNamed('busy', variables, { ...host, admit, startAfterMs }, calls);
    const answers = Array.from({ length: calls }, () => called.invoke(Buffer.from('{}')));
    return { called, started, answers };
  };

  it('with all processors busy, calls wait for a free environment instead of starting one', async () => {
    const { started, answers } = startingAfter(600_000, AT_ONCE + 2);
    await Promise.all(answers);
    expect(started).toHaveLength(AT_ONCE);
  });

  it('with all processors busy, an environment is started for a call if none gets free in time', async () => {
    const { called, started } = startingAfter(1, AT_ONCE + 1, { HANGS: 'yes' });
    await until(() => started.length === AT_ONCE + 1, 'another environment', 10);
    called.stop();
  });
});

describe('an environment that a run of the stack left', () => {
  it('an idle environment serves the next run, which admits its credentials and gets its output', async () => {
    const first = functionNamed('left');
    expect(await callsOf(first)).toBe(1);
    first.stop();
    const admitted: unknown[] = [];
    const output: string[] = [];
    const next = {
      ...host,
      admit: (_: unknown, given = credentials) => {
        admitted.push(given);
        return given;
      },
      onOutput: (_: unknown, text: string) => void output.push(text),
    };
    expect(await callsOf(functionNamed('left', {}, next))).toBe(2);
    expect(admitted).toEqual([credentials]);
    await until(() => output.includes('call 2\n'), 'the output of the second call');
  });

  it('an idle environment serves no run with other variables or another services address', async () => {
    const first = functionNamed('left');
    await callsOf(first);
    first.stop();
    expect(await callsOf(functionNamed('left', { NAME: 'value' }))).toBe(1);
    expect(await callsOf(functionNamed('left', {}, { ...host, endpointUrl: 'http://localhost:10' }))).toBe(1);
    expect(await callsOf(functionNamed('left'))).toBe(2);
  });

  it('an environment with a running invocation ends with its run', async () => {
    const first = functionNamed('left', { HANGS: 'yes' });
    const running = first.invoke(Buffer.from('{}'));
    first.stop();
    expect((await running).payload.toString()).toContain('signal: killed');
  });

  // Node aborts the process if a worker ends while it makes a zlib stream.
  it.each<'stop' | 'kill'>(['stop', 'kill'])(
    'an invocation that computes at a %s ends after that, not in the midst of it',
    async (how) => {
      const computed = join(codeFolder, `computed-at-${how}`);
      const output: string[] = [];
      const listening = { ...host, onOutput: (_: unknown, text: string) => void output.push(text) };
      const computing = functionNamed('left', { COMPUTES: computed, HANGS: 'yes' }, listening);
      const running = computing.invoke(Buffer.from('{}'));
      await until(() => output.includes('computing\n'), 'the beginning of the computation');
      void computing[how]();
      expect((await running).payload.toString()).toContain('signal: killed');
      await until(() => existsSync(computed), 'the end of the computation');
    },
  );
});

it('what a function streams after it was stopped is dropped', async () => {
  const event = { stopped: join(codeFolder, 'stopped'), streamed: join(codeFolder, 'streamed') };
  const output: string[] = [];
  const worker = new FunctionWorker({
    memoryMb: 128,
    timeoutMs: 20_000,
    onOutput: (text) => void output.push(text),
    settings: {
      ...locateHandler(codeFolder, 'index.computingStream'),
      functionArn: '',
      environment: {},
      clockOffset: new SharedArrayBuffer(8),
      compileCache: undefined,
    },
  });
  const onChunk = jest.fn(async () => undefined);
  const running = worker.invoke(Buffer.from(JSON.stringify(event)), 'id', onChunk);
  await until(() => output.includes('computing\n'), 'the beginning of the computation');
  worker.end();
  writeFileSync(event.stopped, '');
  expect(await running).toMatchObject({ ok: false });
  // All that it sent arrives before its end.
  await worker.kill();
  expect(existsSync(event.streamed)).toBe(true);
  expect(onChunk).not.toHaveBeenCalled();
});

// The gateway has refused the call by then, and cannot begin another answer.
it('what a function streams after its invocation has ended is dropped', async () => {
  const output: string[] = [];
  const listening = { ...host, onOutput: (_: unknown, text: string) => void output.push(text) };
  const failing = functionNamed('failing', {}, listening, 1, 'index.failingHandler');
  const onChunk = jest.fn(async () => undefined);
  expect(await failing.run(Buffer.from('{}'), 'id', onChunk)).toMatchObject({ ok: false });
  await until(() => output.includes('written\n'), 'the late chunk');
  expect(onChunk).not.toHaveBeenCalled();
});
