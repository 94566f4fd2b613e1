import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, GetObjectTaggingCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSendStatisticsCommand, SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { allow, bucket, type ClientSettings, type Cloud, failure, startCloud, table } from './harness.ts';

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createBucket(bucket('docs'));
  await cloud.services.createTable(table('things'));
  await new S3Client(cloud.operator).send(
    new PutObjectCommand({ Bucket: 'docs', Key: 'a b.txt', Body: 'hello' }),
  );
});
afterAll(() => cloud.stop());

const getItem = new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' }, sk: { S: 'b' } } });
const mail = new SendEmailCommand({
  Source: 'a@b.test',
  Destination: { ToAddresses: ['c@d.test'] },
  Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
});
const forged = (): ClientSettings => ({
  ...cloud.operator,
  credentials: { ...cloud.operator.credentials, secretAccessKey: 'guessed' },
});
const unknownCaller = (): ClientSettings => ({
  ...cloud.operator,
  credentials: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'guessed' },
});
const late = (minutes: number) => ({ ...cloud.operator, systemClockOffset: -minutes * 60_000 });

describe('header signatures', () => {
  it('a signature with a wrong secret is refused, with the error name of each service', async () => {
    expect(await failure(new DynamoDBClient(forged()).send(getItem))).toMatchObject({
      name: 'InvalidSignatureException',
      status: 400,
    });
    expect(
      await failure(new SQSClient(forged()).send(new GetQueueUrlCommand({ QueueName: 'work' }))),
    ).toMatchObject({
      name: 'InvalidSignatureException',
    });
    expect(await failure(new SESClient(forged()).send(mail))).toMatchObject({
      name: 'SignatureDoesNotMatch',
      status: 403,
    });
    const get = new GetObjectCommand({ Bucket: 'docs', Key: 'a b.txt' });
    expect(await failure(new S3Client(forged()).send(get))).toMatchObject({
      name: 'SignatureDoesNotMatch',
      status: 403,
    });
  });

  it('a signature of an unknown access key is refused', async () => {
    expect(await failure(new DynamoDBClient(unknownCaller()).send(getItem))).toMatchObject({
      name: 'UnrecognizedClientException',
    });
    const get = new GetObjectCommand({ Bucket: 'docs', Key: 'a b.txt' });
    expect(await failure(new S3Client(unknownCaller()).send(get))).toMatchObject({
      name: 'InvalidAccessKeyId',
      status: 403,
    });
    expect(await failure(new SESClient(unknownCaller()).send(mail))).toMatchObject({
      name: 'InvalidClientTokenId',
    });
  });

  /** @behaviour iam.session-tokens */
  it('a call with the credentials of a role needs their session token', async () => {
    const role = cloud.caller('role', allow('dynamodb:GetItem'));
    await new DynamoDBClient(role).send(getItem);
    const { sessionToken: _gone, ...without } = role.credentials;
    for (const credentials of [without, { ...without, sessionToken: 'another' }])
      expect(await failure(new DynamoDBClient({ ...role, credentials }).send(getItem))).toMatchObject({
        name: 'UnrecognizedClientException',
      });
    expect(cloud.operator.credentials.sessionToken).toBeUndefined();
  });

  /** @behaviour iam.signatures */
  it('a signature is valid for 15 minutes before and after its date', async () => {
    for (const minutes of [-14, 14]) {
      expect(await new DynamoDBClient(late(minutes)).send(getItem)).not.toHaveProperty(
        'Item',
        expect.anything(),
      );
    }
    for (const minutes of [-16, 16]) {
      expect(await failure(new DynamoDBClient(late(minutes)).send(getItem))).toMatchObject({
        name: 'InvalidSignatureException',
        message: expect.stringContaining('Signature expired'),
      });
    }
    const get = new GetObjectCommand({ Bucket: 'docs', Key: 'a b.txt' });
    expect(await failure(new S3Client(late(16)).send(get))).toMatchObject({
      name: 'RequestTimeTooSkewed',
      status: 403,
    });
  });

  /** @behaviour iam.clock-correction */
  it('a client with a wrong clock corrects it from the Date header of the refusal', async () => {
    const client = new DynamoDBClient({ ...late(600), maxAttempts: 2 });
    expect(await client.send(getItem)).toMatchObject({ $metadata: { attempts: 2 } });
  });

  it('a signature is not valid for another body', async () => {
    const client = new DynamoDBClient(cloud.operator);
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string };
        request.body = request.body.replace('things', 'others');
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    expect(await failure(client.send(getItem))).toMatchObject({
      name: 'InvalidSignatureException',
    });
  });

  it('a request without a signature is denied', async () => {
    const s3 = await fetch(`${cloud.services.url}/docs/a%20b.txt`);
    expect(s3.status).toBe(403);
    expect(await s3.text()).toContain('<Code>AccessDenied</Code>');
    const dynamodb = await fetch(cloud.services.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' },
      body: '{}',
    });
    expect(await dynamodb.json()).toMatchObject({ __type: 'MissingAuthenticationTokenException' });
  });

  it('a signature that does not cover the host is refused', async () => {
    const answer = await fetch(`${cloud.services.url}/docs/a%20b.txt`, {
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${cloud.operator.credentials.accessKeyId}/20260101/eu-central-1/s3/aws4_request, SignedHeaders=x-amz-date, Signature=${'0'.repeat(64)}`,
      },
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('<Code>AuthorizationHeaderMalformed</Code>');
  });
});

describe('calls that are not implemented', () => {
  it('a call that is not implemented is refused by name, in the format of each protocol', async () => {
    const refusal = { message: expect.stringContaining('The local cloud does not implement') };
    expect(await failure(new KMSClient(cloud.operator).send(new ListKeysCommand({})))).toMatchObject({
      name: 'UnknownOperationException',
      message: 'The local cloud does not implement kms ListKeys',
    });
    const tagging = new GetObjectTaggingCommand({ Bucket: 'docs', Key: 'a b.txt' });
    expect(await failure(new S3Client(cloud.operator).send(tagging))).toMatchObject({
      name: 'NotImplemented',
      status: 501,
      ...refusal,
    });
    expect(await failure(new SESClient(cloud.operator).send(new GetSendStatisticsCommand({})))).toMatchObject(
      refusal,
    );
    expect(
      await failure(new CloudFormationClient(cloud.operator).send(new ListStacksCommand({}))),
    ).toMatchObject({
      message: 'The local cloud does not implement cloudformation',
    });
  });
});
