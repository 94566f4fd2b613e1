import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Credentials } from '../../../local/ports.ts';
import { processes } from '../../support/process-tree.ts';
import { type ClientSettings, REGION } from './harness.ts';

/** The services in a child process, so that the test can kill them with SIGKILL. */

interface Started {
  url: string;
  credentials: Credentials;
  queueUrl: string;
  inbox: { subject: string }[];
  engine: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'local-services-'));
const program = fileURLToPath(new URL('./services-process.ts', import.meta.url));
let child: ChildProcess | undefined;

async function start(): Promise<Started> {
  child = spawn('node', ['--no-warnings', program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('The process has no output');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(line);
}

async function killHard(): Promise<void> {
  const exited = child && once(child, 'exit');
  child?.kill('SIGKILL');
  await exited;
}

const settings = ({ url, credentials }: Started): ClientSettings => ({
  endpoint: url,
  region: REGION,
  credentials,
  forcePathStyle: true,
  maxAttempts: 1,
  systemClockOffset: 0,
});

afterAll(async () => {
  await killHard();
  rmSync(dataDir, { recursive: true, force: true });
});

it('all data survives a kill of the process, and its DynamoDB engine ends with it', async () => {
  const before = await start();
  const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
  const first = settings(before);
  await new DynamoDBClient(first).send(new PutItemCommand({ TableName: 'things', Item: Key }));
  await new S3Client(first).send(new PutObjectCommand({ Bucket: 'docs', Key: 'kept', Body: 'hello' }));
  await new SQSClient(first).send(new SendMessageCommand({ QueueUrl: before.queueUrl, MessageBody: 'kept' }));
  const put = new PutSecretValueCommand({ SecretId: 'app', SecretString: 'changed' });
  await new SecretsManagerClient(first).send(put);
  const encrypt = new EncryptCommand({ KeyId: 'main', Plaintext: Buffer.from('kept') });
  const { CiphertextBlob } = await new KMSClient(first).send(encrypt);
  const Message = { Subject: { Data: 'kept' }, Body: { Text: { Data: 'x' } } };
  const mail = { Source: 'a@b.test', Destination: { ToAddresses: ['c@d.test'] }, Message };
  await new SESClient(first).send(new SendEmailCommand(mail));

  await killHard();
  const after = await start();
  expect(isAlive(before.engine)).toBe(false);

  // Credentials from before the kill stay valid, so upload forms signed with them do too.
  const second = { ...settings(after), credentials: before.credentials };
  const item = await new DynamoDBClient(second).send(new GetItemCommand({ TableName: 'things', Key }));
  expect(item.Item).toEqual(Key);
  const object = await new S3Client(second).send(new GetObjectCommand({ Bucket: 'docs', Key: 'kept' }));
  expect(await object.Body?.transformToString()).toBe('hello');
  const asked = { QueueUrl: after.queueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
  const { Attributes } = await new SQSClient(second).send(new GetQueueAttributesCommand(asked));
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: '1' });
  const secret = await new SecretsManagerClient(second).send(new GetSecretValueCommand({ SecretId: 'app' }));
  expect(secret.SecretString).toBe('changed');
  const opened = await new KMSClient(second).send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(opened.Plaintext ?? []).toString()).toBe('kept');
  expect(after.inbox.map(({ subject }) => subject)).toEqual(['kept']);
});

it('every write that was answered survives a kill among concurrent writes', async () => {
  await killHard();
  const running = await start();
  const dynamodb = new DynamoDBClient(settings(running));
  const s3 = new S3Client(settings(running));
  const answered: string[] = [];
  const write = async (n: number) => {
    const pk = `n${n}`;
    await s3.send(new PutObjectCommand({ Bucket: 'docs', Key: pk, Body: pk }));
    await dynamodb.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: pk }, sk: { S: '0' } } }));
    answered.push(pk);
    if (answered.length === 40) child?.kill('SIGKILL');
  };
  await Promise.allSettled(Array.from({ length: 120 }, (_, n) => write(n)));
  expect(answered.length).toBeGreaterThanOrEqual(40);

  const after = settings(await start());
  for (const pk of answered) {
    const Key = { pk: { S: pk }, sk: { S: '0' } };
    const { Item } = await new DynamoDBClient(after).send(new GetItemCommand({ TableName: 'things', Key }));
    expect(Item).toBeDefined();
    const object = await new S3Client(after).send(new GetObjectCommand({ Bucket: 'docs', Key: pk }));
    expect(await object.Body?.transformToString()).toBe(pk);
  }
});

/** A zombie process counts as dead. */
const isAlive = (id: number) => processes().some(({ pid, state }) => pid === id && state !== 'Z');
