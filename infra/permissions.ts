import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Data } from './data.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { Mail } from './mail.ts';
import type { QueueName } from './names.ts';
import { type Options, senderAddress } from './options.ts';
import type { Queues } from './queues.ts';
import type { SecretName, Secrets } from './secrets.ts';

export interface Resources {
  readonly data: Data;
  readonly queues: Queues;
  readonly secrets: Secrets;
  readonly mail: Mail;
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
  'slow-deliveries': 'SLOW_DELIVERIES_QUEUE_URL',
  mail: 'MAIL_QUEUE_URL',
  bounces: 'BOUNCES_QUEUE_URL',
};

/** Turns a spec into an exact IAM policy, and into environment variables that name the same resources. */
export function permissionsOf(
  spec: FunctionSpec,
  { data, queues, secrets, mail, options, baseUrl }: Resources,
) {
  const statements: PolicyStatement[] = [];
  const environment: Record<string, string> = {};
  const allow = (
    service: string,
    actions: readonly string[],
    resources: string[] = [],
    conditions?: Record<string, Record<string, string | string[]>>,
  ) => {
    if (resources.length === 0) return;
    statements.push(
      new PolicyStatement({
        actions: actions.map((action) => `${service}:${action}`),
        resources,
        ...(conditions && { conditions }),
      }),
    );
  };

  if (spec.table) {
    environment.TABLE_NAME = data.table.tableName;
    allow('dynamodb', spec.table, [data.table.tableArn]);
  }
  // Not the key's own item: write access to it could change the key's owner.
  if (spec.recordsKeyUse && !spec.table?.includes('PutItem'))
    allow('dynamodb', ['PutItem'], [data.table.tableArn], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEYUSE#*'] },
    });
  allow(
    'dynamodb',
    ['Query'],
    spec.indexes?.map((index) => `${data.table.tableArn}/index/${index}`),
  );

  for (const name of ['documents', 'staging'] as const) {
    const use = spec[name];
    if (!use) continue;
    environment[`${name.toUpperCase()}_BUCKET`] = data[name].bucketName;
    for (const [action, objects] of Object.entries(use)) {
      const resources =
        objects === true ? [data[name].bucketArn] : objects.map((o) => data[name].arnForObjects(o));
      allow('s3', [action], resources);
    }
  }

  for (const name of spec.secrets ?? []) environment[SECRET_VARIABLES[name]] = secrets.byName[name].secretArn;
  allow(
    'secretsmanager',
    ['GetSecretValue'],
    spec.secrets?.map((name) => secrets.byName[name].secretArn),
  );

  if (spec.webhookKey) {
    environment.WEBHOOK_KEY_ARN = secrets.webhookKey.keyArn;
    allow('kms', spec.webhookKey, [secrets.webhookKey.keyArn]);
  }
  if (spec.sealKey && secrets.sealKey) allow('kms', ['Sign'], [secrets.sealKey.keyArn]);

  for (const name of [...(spec.sends ?? []), ...(spec.delays ?? [])])
    environment[QUEUE_VARIABLES[name]] = queues.byName[name].queueUrl;
  const arnOf = (name: QueueName) => queues.byName[name].queueArn;
  allow('sqs', ['SendMessage'], spec.sends?.map(arnOf));
  allow('sqs', ['ChangeMessageVisibility'], spec.delays?.map(arnOf));
  allow(
    'sqs',
    ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'],
    spec.reads?.map(({ queue }) => arnOf(queue)),
  );

  if (spec.mails) {
    const sender = senderAddress(options.mailFrom);
    environment.MAIL_FROM = options.mailFrom;
    environment.MAIL_CONFIGURATION_SET = mail.configurationSet.configurationSetName;
    // SES authorizes whichever identity covers the sender (the address, its domain or a parent domain), and in its sandbox
    // that of each recipient too. So the condition limits the sender, not the resource.
    const identities = Stack.of(data).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
    allow('ses', ['SendEmail'], [identities, mail.configurationSetArn], {
      StringEquals: { 'ses:FromAddress': sender },
    });
  }
  if (spec.linksToItself) environment.BASE_URL = baseUrl;
  if (spec.looksAtDomain && options.domain) environment.CUSTOM_DOMAIN = options.domain.name;
  if (spec.sealLevel) environment.SEAL_LEVEL = options.sealLevel;
  if (spec.webhookAddresses && options.localWebhooks) environment.ALLOW_LOCAL_WEBHOOKS = 'true';

  return { statements, environment };
}
