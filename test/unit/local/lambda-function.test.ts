import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Concurrency,
  IdleWorkers,
  LambdaFunction,
  MAX_IDLE_WORKERS,
} from '../../../local/functions/lambda-function.ts';

/** Each worker takes a cold start. */
const MOST_IDLE = 3;

const codeFolder = mkdtempSync(join(tmpdir(), 'function-'));
writeFileSync(
  join(codeFolder, 'index.mjs'),
  'let calls = 0; export const handler = async () => { calls += 1; return calls; };',
);
const host = {
  endpointUrl: 'http://localhost:9',
  region: 'eu-north-1',
  clockOffset: new SharedArrayBuffer(8),
  idle: new IdleWorkers(MOST_IDLE),
  admit: () => ({ accessKeyId: 'key', secretAccessKey: 'secret' }),
  onOutput: () => undefined,
  onFailure: () => undefined,
};
const functionNamed = (name: string) =>
  new LambdaFunction(
    {
      id: name,
      name,
      arn: `arn:aws:lambda:eu-north-1:000000000000:function:${name}`,
      codeFolder,
      handler: 'index.handler',
      environment: {},
      timeoutSeconds: 20,
      memoryMb: 128,
      reservedConcurrency: undefined,
      role: { name, arn: `arn:aws:iam::000000000000:role/${name}`, statements: [] },
      permissions: [],
      asynchronous: { retries: 0, maxAgeSeconds: 60, onFailureQueue: undefined, deadLetterQueue: undefined },
    },
    host,
    new Concurrency(1),
  );

it('the worker that was used longest ago stops when too many are idle', async () => {
  const functions = Array.from({ length: MOST_IDLE + 1 }, (_, n) => functionNamed(`function-${n}`));
  const callsOf = async (called: LambdaFunction | undefined) =>
    Number((await called?.invoke(Buffer.from('{}')))?.payload.toString());
  try {
    for (const each of functions.slice(0, MOST_IDLE)) await callsOf(each);
    // The first is used again, so the second is now the oldest.
    expect(await callsOf(functions[0])).toBe(2);
    expect(await callsOf(functions.at(-1))).toBe(1);
    expect(await callsOf(functions[0])).toBe(3);
    expect(await callsOf(functions[1])).toBe(1);
    expect(await callsOf(functions.at(-1))).toBe(2);
  } finally {
    for (const each of functions) each.stop();
    rmSync(codeFolder, { recursive: true });
  }
}, 60_000);

it('all functions together keep 48 idle workers unless told otherwise', () => {
  const idle = new IdleWorkers();
  const retired: number[] = [];
  for (let n = 0; n <= MAX_IDLE_WORKERS; n += 1) {
    const worker = {};
    idle.add(worker, () => {
      retired.push(n);
      idle.delete(worker);
    });
  }
  expect(MAX_IDLE_WORKERS).toBe(48);
  expect(retired).toEqual([0]);
});
