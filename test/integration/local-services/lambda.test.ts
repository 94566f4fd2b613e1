import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ACCOUNT, allow, type Cloud, failure, REGION, ServiceError, startCloud } from './harness.ts';

let cloud: Cloud;
let client: LambdaClient;
const invoked: { name: string; type: string; payload: string }[] = [];

beforeAll(async () => {
  cloud = await startCloud(async (name, payload, type) => {
    if (name === 'missing')
      throw new ServiceError('ResourceNotFoundException', 'Function not found: missing', 404);
    if (name === 'busy') throw new ServiceError('TooManyRequestsException', 'Rate Exceeded.', 429);
    if (name === 'fed') throw new ServiceError('RequestTooLargeException', 'Request must be smaller.', 413);
    invoked.push({ name, type, payload: Buffer.from(payload).toString() });
    if (name === 'failing')
      return { payload: Buffer.from('{"errorMessage":"no"}'), functionError: 'Unhandled' };
    return { payload: Buffer.from('{"ok":true}') };
  });
  client = new LambdaClient(cloud.operator);
});
afterAll(() => cloud.stop());

const text = (payload: Uint8Array | undefined) => Buffer.from(payload ?? []).toString();
const arn = (name: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;

it('an invocation passes the payload on and returns the answer', async () => {
  const answer = await client.send(new InvokeCommand({ FunctionName: arn('work'), Payload: '{"a":1}' }));
  expect(answer.StatusCode).toBe(200);
  expect(text(answer.Payload)).toBe('{"ok":true}');
  expect(invoked.at(-1)).toEqual({ name: 'work', type: 'RequestResponse', payload: '{"a":1}' });
});

/** @behaviour lambda.invoke */
it('an asynchronous invocation is accepted with 202', async () => {
  const answer = await client.send(
    new InvokeCommand({ FunctionName: 'work', InvocationType: 'Event', Payload: '{}' }),
  );
  expect([answer.StatusCode, text(answer.Payload)]).toEqual([202, '']);
  expect(invoked.at(-1)?.type).toBe('Event');
});

it('the error of a function is returned as its answer', async () => {
  const answer = await client.send(new InvokeCommand({ FunctionName: 'failing' }));
  expect([answer.FunctionError, text(answer.Payload)]).toEqual(['Unhandled', '{"errorMessage":"no"}']);
});

it('an invocation that Lambda refuses fails with its error name and status', async () => {
  const invoke = (FunctionName: string) => client.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  expect(await failure(invoke('missing'))).toMatchObject({ name: 'ResourceNotFoundException', status: 404 });
  expect(await failure(invoke('busy'))).toMatchObject({ name: 'TooManyRequestsException', status: 429 });
  expect(await failure(invoke('fed'))).toMatchObject({ name: 'RequestTooLargeException', status: 413 });
});

it('IAM statements apply to a function by its ARN', async () => {
  const caller = new LambdaClient(cloud.caller('caller', allow('lambda:InvokeFunction', arn('work'))));
  await caller.send(new InvokeCommand({ FunctionName: 'work' }));
  expect(await failure(caller.send(new InvokeCommand({ FunctionName: 'failing' })))).toMatchObject({
    name: 'AccessDeniedException',
    status: 403,
  });
});
