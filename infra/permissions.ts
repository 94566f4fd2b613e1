import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { QueueName } from '../shared/store/stack-names.ts';
import type { Data } from './data.ts';
import type { FunctionSpec, TableAction } from './function-spec.ts';
import type { Mail } from './mail.ts';
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

/** Such as SLOW_DELIVERIES_QUEUE_URL. */
const queueVariable = (name: QueueName) => `${name.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`;

/** An exact IAM policy, and the environment variables that name the same resources. */
class Permissions {
  readonly statements: PolicyStatement[] = [];
  readonly environment: Record<string, string> = {};

  /** Nothing without actions or resources. */
  allow(
    service: string,
    actions: readonly string[],
    resources: string[] = [],
    conditions?: Record<string, Record<string, string | string[]>>,
  ): void {
    if (actions.length === 0 || resources.length === 0) return;
    this.statements.push(
      new PolicyStatement({
        actions: actions.map((action) => `${service}:${action}`),
        resources,
        ...(conditions && { conditions }),
      }),
    );
  }
}

export function permissionsOf(spec: FunctionSpec, resources: Resources): Permissions {
  const permissions = new Permissions();
  for (const add of [addTable, addBuckets, addSecretsAndKeys, addQueues, addMail, addSettings])
    add(permissions, spec, resources);
  return permissions;
}

const WRITES: readonly TableAction[] = ['PutItem', 'UpdateItem', 'DeleteItem'];
/** Partitions, as in `shared/store/keys.ts`, of API keys, owners with members, users with sessions, and sign-ins under way. */
const ACCOUNTS = ['KEY#*', 'OWNER#*', 'USER#*', 'ADDRESS#*', 'ATTEMPT#*'];

function addTable(to: Permissions, spec: FunctionSpec, { data: { table } }: Resources): void {
  if (spec.table) {
    to.environment.TABLE_NAME = table.tableName;
    const isWrite = (action: TableAction) => WRITES.includes(action);
    to.allow(
      'dynamodb',
      spec.table.filter((action) => !isWrite(action)),
      [table.tableArn],
    );
    to.allow(
      'dynamodb',
      spec.table.filter(isWrite),
      [table.tableArn],
      // A function that reads PDFs or pictures of strangers, once taken over, makes no key, admin or session.
      spec.changesAccounts
        ? undefined
        : { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ACCOUNTS } },
    );
  }
  // Not the key's own item: write access to it could change the key's owner.
  if (spec.recordsKeyUse && !spec.table?.includes('PutItem'))
    to.allow('dynamodb', ['PutItem'], [table.tableArn], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEYUSE#*'] },
    });
  to.allow(
    'dynamodb',
    ['Query'],
    spec.indexes?.map((index) => `${table.tableArn}/index/${index}`),
  );
}

function addBuckets(to: Permissions, spec: FunctionSpec, { data }: Resources): void {
  for (const name of ['documents', 'staging'] as const) {
    const use = spec[name];
    if (!use) continue;
    const bucket = data[name];
    to.environment[`${name.toUpperCase()}_BUCKET`] = bucket.bucketName;
    for (const [action, objects] of Object.entries(use))
      to.allow(
        's3',
        [action],
        objects === true ? [bucket.bucketArn] : objects.map((each) => bucket.arnForObjects(each)),
      );
  }
}

function addSecretsAndKeys(to: Permissions, spec: FunctionSpec, { secrets }: Resources): void {
  for (const name of spec.secrets ?? [])
    to.environment[SECRET_VARIABLES[name]] = secrets.byName[name].secretArn;
  to.allow(
    'secretsmanager',
    ['GetSecretValue'],
    spec.secrets?.map((name) => secrets.byName[name].secretArn),
  );
  if (spec.webhookKey) {
    to.environment.WEBHOOK_KEY_ARN = secrets.webhookKey.keyArn;
    to.allow('kms', spec.webhookKey, [secrets.webhookKey.keyArn]);
  }
  if (spec.sealKey && secrets.sealKey) to.allow('kms', ['Sign'], [secrets.sealKey.keyArn]);
}

function addQueues(to: Permissions, spec: FunctionSpec, { queues }: Resources): void {
  for (const name of [...(spec.sends ?? []), ...(spec.delays ?? [])])
    to.environment[queueVariable(name)] = queues.byName[name].queueUrl;
  const arnOf = (name: QueueName) => queues.byName[name].queueArn;
  to.allow('sqs', ['SendMessage'], spec.sends?.map(arnOf));
  to.allow('sqs', ['ChangeMessageVisibility'], spec.delays?.map(arnOf));
  to.allow(
    'sqs',
    ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'],
    spec.reads?.map(({ queue }) => arnOf(queue)),
  );
}

function addMail(to: Permissions, spec: FunctionSpec, { data, mail, options }: Resources): void {
  if (!spec.mails) return;
  to.environment.MAIL_FROM = options.mailFrom;
  to.environment.MAIL_CONFIGURATION_SET = mail.configurationSet.configurationSetName;
  // SES authorizes whichever identity covers the sender (the address, its domain or a parent domain), and in its sandbox
  // that of each recipient too. So the condition limits the sender, not the resource. SES does not say whether it keeps the
  // sender's capitals there.
  const identities = Stack.of(data).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
  to.allow('ses', ['SendEmail'], [identities, mail.configurationSetArn], {
    StringEqualsIgnoreCase: { 'ses:FromAddress': senderAddress(options.mailFrom) },
  });
}

function addSettings(
  { environment }: Permissions,
  spec: FunctionSpec,
  { options, baseUrl }: Resources,
): void {
  if (spec.linksToItself) environment.BASE_URL = baseUrl;
  if (spec.looksAtDomain && options.domain) environment.CUSTOM_DOMAIN = options.domain.name;
  if (spec.sealLevel) environment.SEAL_LEVEL = options.sealLevel;
  if (spec.webhookAddresses && options.localWebhooks) environment.ALLOW_LOCAL_WEBHOOKS = 'true';
}
