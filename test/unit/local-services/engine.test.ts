import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../../local/services/dynamodb/engine.ts';
import { namespaceOf } from '../../../local/services/dynamodb/table-prefix.ts';
import { listenHere, originOf } from '../../support/loopback.ts';

const platform = Object.getOwnPropertyDescriptor(process, 'platform');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  delete process.env.DYNAMODB_ENDPOINT;
  if (platform) Object.defineProperty(process, 'platform', platform);
});

/** A DynamoDB that echoes what it is sent. */
async function startEcho() {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    asked.push([request.headers['x-amz-target'], JSON.parse(body)]);
    response.end(body);
  });
  await listenHere(server);
  process.env.DYNAMODB_ENDPOINT = originOf(server);
  return { asked, stop: () => server.close() };
}

const CALLS = {
  GetItem: { TableName: 'app', Key: { TableName: { S: 'app' } } },
  BatchGetItem: { RequestItems: { app: { Keys: [] } }, UnprocessedKeys: { app: {} } },
  TransactWriteItems: { TransactItems: [{ Put: { TableName: 'app', Item: {} } }], Responses: [{}] },
};

it('with DYNAMODB_ENDPOINT, calls go there, to tables with a prefix of the data folder', async () => {
  const echo = await startEcho();
  const engine = await startEngine(folder, () => {});
  const answers = [];
  for (const [operation, input] of Object.entries(CALLS))
    answers.push(JSON.parse((await engine.send(operation, JSON.stringify(input))).body.toString()));
  await engine.stop();
  echo.stop();

  const prefix = namespaceOf(folder);
  expect(prefix).toMatch(/^l[\da-f]{8}-$/);
  expect(echo.asked).toEqual([
    ['DynamoDB_20120810.GetItem', { TableName: `${prefix}app`, Key: { TableName: { S: 'app' } } }],
    [
      'DynamoDB_20120810.BatchGetItem',
      { RequestItems: { [`${prefix}app`]: { Keys: [] } }, UnprocessedKeys: { [`${prefix}app`]: {} } },
    ],
    [
      'DynamoDB_20120810.TransactWriteItems',
      { TransactItems: [{ Put: { TableName: `${prefix}app`, Item: {} } }], Responses: [{}] },
    ],
  ]);
  expect(answers).toEqual(Object.values(CALLS));
});

it('on a platform without the engine, the error names the command that installs it, and how to use another', async () => {
  Object.defineProperty(process, 'platform', { ...platform, value: 'sunos' });
  const start = startEngine(folder, () => {});
  await expect(start).rejects.toThrow(
    /engine for sunos .*npm install --no-save dynoxide@1\.2\.1\n.*DYNAMODB_ENDPOINT=/,
  );
});

it('an unreachable engine is an internal server error', async () => {
  process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:1';
  const engine = await startEngine(folder, () => {});
  await expect(engine.send('ListTables', '{}')).rejects.toMatchObject({
    code: 'InternalServerError',
    status: 500,
  });
  await engine.stop();
});
