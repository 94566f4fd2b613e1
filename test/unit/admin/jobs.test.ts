import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { jest } from '@jest/globals';
import { jobCommands } from '../../../admin/jobs.ts';
import { type Operator, TIME_LIMITS } from '../../../admin/operator.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

it('job run waits for as long as a job may take, and no longer', async () => {
  const { table } = new MemoryDynamo();
  const send = jest.spyOn(LambdaClient.prototype, 'send');
  const operator = {
    table,
    // The clients of a command share a handler.
    clients: {
      requestHandler: new DynamoDBClient(TIME_LIMITS).config.requestHandler,
      endpoint: NOWHERE,
      region: 'eu-north-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    },
    output: (name: string) => name,
  } as Pick<Operator, 'table' | 'clients' | 'output'> as Operator;
  const run = jobCommands.find(({ name }) => name === 'job run');
  await expect(run?.run({ name: 'purge' }, operator)).rejects.toThrow('ECONNREFUSED');
  const [client] = send.mock.contexts as LambdaClient[];
  const handler = client?.config.requestHandler as { httpHandlerConfigs?: () => object };
  expect(handler.httpHandlerConfigs?.()).toMatchObject({
    connectionTimeout: 5_000,
    requestTimeout: 15 * MINUTE,
    throwOnRequestTimeout: true,
  });
});
