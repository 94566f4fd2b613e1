import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Fault } from '../../../local/ports.ts';
import { allow, bucket, type Cloud, failure, key, queue, startCloud, table } from './harness.ts';

let cloud: Cloud;
let dynamodb: DynamoDBClient;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createTable(table('things'));
  await cloud.services.createBucket(bucket('docs'));
  await cloud.services.createQueue(queue('work'));
  await cloud.services.createKey(key('main'));
  dynamodb = new DynamoDBClient(cloud.operator);
});
afterAll(() => cloud.stop());
beforeEach(() => {
  cloud.services.clearFaults();
  cloud.services.clearCalls();
  cloud.killed.length = 0;
});

const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: '0' } });
const put = (pk: string, client = dynamodb) =>
  client.send(new PutItemCommand({ TableName: 'things', Item: Key(pk) }));
const exists = async (pk: string) =>
  (await dynamodb.send(new GetItemCommand({ TableName: 'things', Key: Key(pk) }))).Item !== undefined;
const fault = (more: Partial<Fault> & Pick<Fault, 'effect'>): Fault => ({
  service: 'dynamodb',
  operation: 'PutItem',
  after: 1,
  ...more,
});

it('a kill fault ends the caller before its call takes effect', async () => {
  cloud.services.addFault(fault({ effect: 'kill' }));
  await expect(put('killed')).rejects.toThrow();
  expect(cloud.killed).toEqual([{ name: 'operator', accessKeyId: cloud.operator.credentials.accessKeyId }]);
  expect(await exists('killed')).toBe(false);
});

it('a kill-after fault ends the caller after its call took effect, without an answer', async () => {
  cloud.services.addFault(fault({ effect: 'kill-after' }));
  await expect(put('killed after')).rejects.toThrow();
  expect(cloud.killed).toHaveLength(1);
  expect(await exists('killed after')).toBe(true);
});

it('a delay fault delays the call, which then succeeds', async () => {
  cloud.services.addFault(fault({ effect: 'delay', ms: 150 }));
  const began = performance.now();
  await put('delayed');
  expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  expect(await exists('delayed')).toBe(true);
});

it('an error fault has the name, status and format of its service', async () => {
  const error = (service: string, operation: string, error_code: string) =>
    cloud.services.addFault({ service, operation, after: 1, effect: 'error', error_code });
  error('dynamodb', 'PutItem', 'ProvisionedThroughputExceededException');
  error('dynamodb', 'TransactWriteItems', 'TransactionConflict');
  error('s3', 'PutObject', 'SlowDown');
  error('sqs', 'SendMessage', 'RequestThrottled');
  error('ses', 'SendEmail', 'Throttling');
  error('kms', 'Encrypt', 'KMSInternalException');
  expect(await failure(put('x'))).toMatchObject({
    name: 'ProvisionedThroughputExceededException',
    status: 400,
  });
  const Delete = { TableName: 'things', Key: Key('x') };
  await expect(
    dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [{ Delete }] })),
  ).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });
  const object = new PutObjectCommand({ Bucket: 'docs', Key: 'x', Body: 'x' });
  expect(await failure(new S3Client(cloud.operator).send(object))).toMatchObject({
    name: 'SlowDown',
    status: 503,
  });
  const message = new SendMessageCommand({ QueueUrl: cloud.services.queueUrl('work'), MessageBody: 'x' });
  expect(await failure(new SQSClient(cloud.operator).send(message))).toMatchObject({
    name: 'RequestThrottled',
  });
  const mail = new SendEmailCommand({
    Source: 'a@b.test',
    Destination: { ToAddresses: ['c@d.test'] },
    Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
  });
  expect(await failure(new SESClient(cloud.operator).send(mail))).toMatchObject({ name: 'Throttling' });
  const encrypt = new EncryptCommand({ KeyId: 'main', Plaintext: Buffer.from('x') });
  expect(await failure(new KMSClient(cloud.operator).send(encrypt))).toMatchObject({
    name: 'KMSInternalException',
    status: 500,
  });
  expect(cloud.services.inbox()).toEqual([]);
  expect(cloud.services.faults()).toEqual([]);
});

it('a fault fires once, at the nth call, and reports the remaining calls', async () => {
  cloud.services.addFault(fault({ effect: 'error', error_code: 'ThrottlingException', after: 3 }));
  await put('one');
  expect(cloud.services.faults()).toMatchObject([{ after: 2 }]);
  await put('two');
  expect(await failure(put('three'))).toMatchObject({ name: 'ThrottlingException' });
  await put('four');
});

it('a fault fires only for its service, operation and function', async () => {
  const other = new DynamoDBClient(cloud.caller('other', allow('dynamodb:*')));
  cloud.services.addFault(fault({ effect: 'error', error_code: 'ThrottlingException', function: 'other' }));
  await put('by operator');
  expect(await exists('by operator')).toBe(true);
  expect(await failure(put('by other', other))).toMatchObject({ name: 'ThrottlingException' });
});

it('the call log records function, service, operation, request and end of every call, failed ones included', async () => {
  const limited = new DynamoDBClient(cloud.caller('limited'));
  const { $metadata } = await put('logged');
  await failure(put('refused', limited));
  await new S3Client(cloud.operator).send(new PutObjectCommand({ Bucket: 'docs', Key: 'x', Body: 'x' }));
  cloud.services.addFault(fault({ effect: 'kill' }));
  await expect(put('killed')).rejects.toThrow();
  expect(cloud.services.calls()).toEqual([
    {
      at: expect.stringMatching(/Z$/),
      function: 'operator',
      service: 'dynamodb',
      operation: 'PutItem',
      request_id: $metadata.requestId,
      consumed_capacity: 1,
      started_ms: expect.any(Number),
      ended_ms: expect.any(Number),
    },
    expect.objectContaining({ function: 'limited', operation: 'PutItem', consumed_capacity: null }),
    expect.objectContaining({ service: 's3', operation: 'PutObject', consumed_capacity: null }),
    expect.objectContaining({ operation: 'PutItem', consumed_capacity: null }),
  ]);
  for (const { started_ms, ended_ms } of cloud.services.calls())
    expect(ended_ms).toBeGreaterThanOrEqual(started_ms);
});
