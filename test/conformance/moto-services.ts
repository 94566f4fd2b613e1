import { setTimeout as pause } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  CreateBucketCommand,
  GetObjectCommand,
  NoSuchKey,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { CreateConfigurationSetCommand, SESClient, VerifyEmailIdentityCommand } from '@aws-sdk/client-ses';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Services, ServicesOptions } from '../../local/ports.ts';

/** Between two looks into an empty queue. A long poll would hold up all other calls, of which moto runs one at a time. */
const POLL_MS = 200;

/**
 * The services of the local cloud by another engine at a given address: resources are created there, queues are read there, and the
 * functions call it directly. It checks no permission, logs no call and injects no fault.
 */
export async function servicesAt(url: string, sender: string, options: ServicesOptions): Promise<Services> {
  const { region, account } = options;
  const credentials = { accessKeyId: 'testing', secretAccessKey: 'testing' };
  const settings = { endpoint: url, region, credentials };
  const sqs = new SQSClient(settings);
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const secrets = new SecretsManagerClient(settings);
  const kms = new KMSClient(settings);
  const dynamo = new DynamoDBClient(settings);
  const ses = new SESClient(settings);
  await ses.send(new VerifyEmailIdentityCommand({ EmailAddress: sender }));

  const queueUrl = (name: string) => `${url}/${account}/${name}`;
  const queueArn = (name: string) => `arn:aws:sqs:${region}:${account}:${name}`;
  /** The engine chooses the ids of keys and the ends of secrets' ARNs. */
  const renamed = new Map<string, string>();
  const headers = new Map<string, Record<string, string>>();
  const patterns = new Map<string, string[]>();

  return {
    url,
    region,
    rename: (text) =>
      [...renamed].reduce((result, [planned, real]) => result.replaceAll(planned, real), text),
    createTable: async ({ name, attributeDefinitions, keySchema, globalSecondaryIndexes }) => {
      await dynamo.send(
        new CreateTableCommand({
          TableName: name,
          AttributeDefinitions: attributeDefinitions as never,
          KeySchema: keySchema as never,
          GlobalSecondaryIndexes: globalSecondaryIndexes as never,
          BillingMode: 'PAY_PER_REQUEST',
        }),
      );
    },
    createBucket: async ({ name, versioned }) => {
      await s3.send(new CreateBucketCommand({ Bucket: name }));
      if (!versioned) return;
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
    },
    createQueue: async ({ name, visibilityTimeoutSeconds, deadLetter }) => {
      const redrive = deadLetter && {
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: queueArn(deadLetter.queueName),
          maxReceiveCount: deadLetter.maxReceiveCount,
        }),
      };
      const Attributes = { VisibilityTimeout: String(visibilityTimeoutSeconds), ...redrive };
      await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    },
    createKey: async ({ arn, spec, usage }) => {
      const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage: usage }));
      renamed.set(arn, KeyMetadata?.Arn ?? '');
    },
    createSecret: async ({ name, arn, initialValue }) => {
      const { ARN } = await secrets.send(new CreateSecretCommand({ Name: name, SecretString: initialValue }));
      renamed.set(arn, ARN ?? '');
    },
    createDistribution: async ({ id, origins }) => {
      for (const origin of origins) headers.set(`${id}/${origin.id}`, origin.headers);
    },
    createPatternSet: async (set) => {
      patterns.set(set.arn, set.patterns);
    },
    createConfigurationSet: async ({ name }) => {
      await ses.send(new CreateConfigurationSetCommand({ ConfigurationSet: { Name: name } }));
    },
    // Nothing is published: no mail comes back here.
    createSubscription: async () => {},
    returnMail: () => undefined,
    admit: () => credentials,
    queueUrl,
    secretValue: async (id) => {
      const { SecretString = '' } = await secrets.send(
        new GetSecretValueCommand({ SecretId: renamed.get(id) ?? id }),
      );
      return SecretString;
    },
    originHeaders: (distributionId, originId) => headers.get(`${distributionId}/${originId}`) ?? {},
    patterns: (arn) => patterns.get(arn) ?? [],
    send: async (queueName, body) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queueName), MessageBody: body }));
    },
    receive: async (queueName, max, _waitMs, signal) => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl(queueName),
          MaxNumberOfMessages: Math.min(max, 10),
          WaitTimeSeconds: 0,
          MessageSystemAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
      return Messages.map((message) => ({
        messageId: message.MessageId ?? '',
        receiptHandle: message.ReceiptHandle ?? '',
        body: message.Body ?? '',
        attributes: message.Attributes ?? {},
        md5OfBody: message.MD5OfBody ?? '',
      }));
    },
    deleteMessages: async (queueName, handles) => {
      const Entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl(queueName), Entries }));
    },
    readObject: async (bucket, key) => {
      const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key })).catch((error) => {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      });
      if (!found?.Body) return undefined;
      return {
        body: await found.Body.transformToByteArray(),
        contentType: found.ContentType ?? 'binary/octet-stream',
        ...(found.CacheControl !== undefined && { cacheControl: found.CacheControl }),
      };
    },
    writeObject: async (bucket, key, body, { contentType, cacheControl }) => {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: body,
          ContentType: contentType,
          CacheControl: cacheControl,
        }),
      );
    },
    inbox: () => [],
    mail: () => undefined,
    queues: () => [],
    calls: () => [],
    clearCalls: () => {},
    permissionUses: () => [],
    faults: () => [],
    addFault: () => {
      throw new Error('Another engine injects no faults.');
    },
    clearFaults: () => {},
    stop: async () => {
      for (const client of [sqs, s3, secrets, kms, dynamo, ses]) client.destroy();
    },
  };
}
