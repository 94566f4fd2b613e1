import { once } from 'node:events';
import { createServer } from 'node:http';
import { startEngine } from '../../../local/services/dynamodb/engine.ts';

const platform = Object.getOwnPropertyDescriptor(process, 'platform');

afterEach(() => {
  delete process.env.DYNAMODB_ENDPOINT;
  if (platform) Object.defineProperty(process, 'platform', platform);
});

it('calls go to DYNAMODB_ENDPOINT if it is set', async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['x-amz-target']);
    response.end('{"TableNames":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.env.DYNAMODB_ENDPOINT = `http://127.0.0.1:${port}`;

  const engine = await startEngine('unused', () => {});
  const answer = await engine.send('ListTables', '{}');
  await engine.stop();
  server.close();

  expect(asked).toEqual(['DynamoDB_20120810.ListTables']);
  expect([answer.status, answer.body.toString()]).toEqual([200, '{"TableNames":[]}']);
});

it('on a platform without the engine, the error names the command that installs it, and how to use another', async () => {
  Object.defineProperty(process, 'platform', { ...platform, value: 'sunos' });
  const start = startEngine('unused', () => {});
  await expect(start).rejects.toThrow(
    /engine for sunos .*npm install --no-save dynoxide@1\.2\.1\n.*DYNAMODB_ENDPOINT=/,
  );
});

it('an unreachable engine is an internal server error', async () => {
  process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:1';
  const engine = await startEngine('unused', () => {});
  await expect(engine.send('ListTables', '{}')).rejects.toMatchObject({
    code: 'InternalServerError',
    status: 500,
  });
  await engine.stop();
});
