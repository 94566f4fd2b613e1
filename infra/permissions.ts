import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Data } from './data.ts';
import { type Options, senderAddress } from './options.ts';
import type { QueueName, Queues } from './queues.ts';
import type { SecretName, Secrets } from './secrets.ts';

type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';
type IndexName = 'byOwner' | 'byStatus' | 'byDue';
type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'DeleteObjectVersion';

/** Which objects may be handled how, by patterns of their names. */
export type BucketUse = Readonly<Partial<Record<ObjectAction, readonly string[]>>> & {
  /** S3 says that an object is missing only to those who may list; to others it is forbidden. Nothing is listed. */
  readonly ListBucket?: true;
  readonly ListBucketVersions?: true;
};

/** One function in the table of `functions.ts`. */
export interface Row {
  /** Megabytes; the processor's share grows with it, a whole one at 1769. */
  readonly memory: number;
  readonly seconds: number;
  readonly table?: readonly TableAction[];
  /** Indexes it may query. */
  readonly indexes?: readonly IndexName[];
  readonly documents?: BucketUse;
  readonly staging?: BucketUse;
  readonly secrets?: readonly SecretName[];
  readonly webhookKey?: readonly ('Encrypt' | 'Decrypt')[];
  /** Signs with the KMS seal key, where the stack has one. */
  readonly sealKey?: true;
  readonly sends?: readonly QueueName[];
  /** Queues whose messages it may hide for longer. */
  readonly delays?: readonly QueueName[];
  readonly mails?: true;
  /** Makes links that lead back to the service. */
  readonly linksToItself?: true;
  /** Accepts or calls webhook addresses. */
  readonly webhookAddresses?: true;
  readonly reads?: { readonly queue: QueueName; readonly batch: number; readonly concurrency: number };
  /** When the scheduler runs it. */
  readonly runs?: string;
  /** Starts itself again when its time is over before its work is. */
  readonly goesOn?: true;
}

export interface Resources {
  readonly data: Data;
  readonly queues: Queues;
  readonly secrets: Secrets;
  readonly options: Options;
  readonly baseUrl: string;
}

const SECRET_VARIABLES: Record<SecretName, string> = {
  signing: 'SIGNING_SECRETS_ARN',
  origin: 'ORIGIN_SECRET_ARN',
  seal: 'SEAL_SECRET_ARN',
  testSeal: 'TEST_SEAL_SECRET_ARN',
  timestamp: 'TIMESTAMP_SECRET_ARN',
};

const QUEUE_VARIABLES: Record<QueueName, string> = {
  seal: 'SEAL_QUEUE_URL',
  events: 'EVENTS_QUEUE_URL',
  deliveries: 'DELIVERIES_QUEUE_URL',
  mail: 'MAIL_QUEUE_URL',
};

/** What a row stands for: exact actions on exact resources, and the names of those resources. */
export function permissionsOf(row: Row, { data, queues, secrets, options, baseUrl }: Resources) {
  const statements: PolicyStatement[] = [];
  const environment: Record<string, string> = {};
  const allow = (
    service: string,
    actions: readonly string[],
    resources: string[],
    conditions?: Record<string, Record<string, string>>,
  ) => {
    if (actions.length === 0) return;
    statements.push(
      new PolicyStatement({
        actions: actions.map((action) => `${service}:${action}`),
        resources,
        ...(conditions && { conditions }),
      }),
    );
  };

  if (row.table) {
    environment.TABLE_NAME = data.table.tableName;
    allow('dynamodb', row.table, [data.table.tableArn]);
  }
  if (row.indexes)
    allow(
      'dynamodb',
      ['Query'],
      row.indexes.map((index) => `${data.table.tableArn}/index/${index}`),
    );

  for (const name of ['documents', 'staging'] as const) {
    const use = row[name];
    if (!use) continue;
    environment[`${name.toUpperCase()}_BUCKET`] = data[name].bucketName;
    for (const [action, objects] of Object.entries(use)) {
      const resources =
        objects === true ? [data[name].bucketArn] : objects.map((o) => data[name].arnForObjects(o));
      allow('s3', [action], resources);
    }
  }

  for (const name of row.secrets ?? []) environment[SECRET_VARIABLES[name]] = secrets.byName[name].secretArn;
  if (row.secrets)
    allow(
      'secretsmanager',
      ['GetSecretValue'],
      row.secrets.map((name) => secrets.byName[name].secretArn),
    );

  if (row.webhookKey) {
    environment.WEBHOOK_KEY_ARN = secrets.webhookKey.keyArn;
    allow('kms', row.webhookKey, [secrets.webhookKey.keyArn]);
  }
  if (row.sealKey && secrets.sealKey) allow('kms', ['Sign'], [secrets.sealKey.keyArn]);

  for (const name of [...(row.sends ?? []), ...(row.delays ?? [])])
    environment[QUEUE_VARIABLES[name]] = queues.byName[name].queueUrl;
  if (row.sends)
    allow(
      'sqs',
      ['SendMessage'],
      row.sends.map((name) => queues.byName[name].queueArn),
    );
  if (row.delays)
    allow(
      'sqs',
      ['ChangeMessageVisibility'],
      row.delays.map((name) => queues.byName[name].queueArn),
    );
  if (row.reads)
    allow(
      'sqs',
      ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'],
      [queues.byName[row.reads.queue].queueArn],
    );

  if (row.mails) {
    const sender = senderAddress(options.mailFrom);
    environment.MAIL_FROM = options.mailFrom;
    // SES knows either the whole domain or the one address as verified.
    allow('ses', ['SendEmail'], identities(sender, data), { StringEquals: { 'ses:FromAddress': sender } });
  }
  if (row.linksToItself) environment.BASE_URL = baseUrl;
  if (row.webhookAddresses && options.localWebhooks) environment.ALLOW_LOCAL_WEBHOOKS = 'true';

  return { statements, environment };
}

const identities = (sender: string, scope: Data): string[] =>
  [sender.slice(sender.indexOf('@') + 1), sender].map((identity) =>
    Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: identity }),
  );
