import { once } from 'node:events';
import { createServer } from 'node:http';
import { startEngine } from '../../../local/services/dynamodb/engine.ts';

const platform = Object.getOwnPropertyDescriptor(process, 'platform');

afterEach(() => {
  delete process.env.DYNAMODB_ENDPOINT;
  if (platform) Object.defineProperty(process, 'platform', platform);
});

it('DYNAMODB_ENDPOINT stands in for the engine', async () => {
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

it('A platform without the engine is told where to get it and how to go round it', async () => {
  Object.defineProperty(process, 'platform', { ...platform, value: 'sunos' });
  const start = startEngine('unused', () => {});
  await expect(start).rejects.toThrow(
    /No DynamoDB engine for sunos.*github\.com\/nubo-db\/dynoxide.*DYNAMODB_ENDPOINT=/,
  );
});

it('An engine that cannot be reached is an error of the service', async () => {
  process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:1';
  const engine = await startEngine('unused', () => {});
  await expect(engine.send('ListTables', '{}')).rejects.toMatchObject({
    code: 'InternalServerError',
    status: 500,
  });
  await engine.stop();
});
