import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Principal, ReceivedMessage, Services, ServicesOptions } from '../ports.ts';
import { CallLog } from './call-log.ts';
import { openDistributions } from './cloudfront/distributions.ts';
import { cloudFrontService } from './cloudfront/service.ts';
import { startEngine } from './dynamodb/engine.ts';
import { dynamodbService } from './dynamodb/service.ts';
import { Tables } from './dynamodb/tables.ts';
import { Faults } from './faults.ts';
import { openKeys } from './kms/keys.ts';
import { kmsService } from './kms/service.ts';
import { lambdaService } from './lambda/service.ts';
import { listen } from './listener.ts';
import { openPrincipals } from './principals.ts';
import { Buckets } from './s3/buckets.ts';
import { corsHeaders, preflight } from './s3/cors.ts';
import { s3Service } from './s3/service.ts';
import { openSecrets, type Secrets } from './secrets/secrets.ts';
import { secretsService } from './secrets/service.ts';
import type { Service } from './service.ts';
import { openMails } from './ses/mails.ts';
import { sesService } from './ses/service.ts';
import { type Message, Queues } from './sqs/queues.ts';
import { sqsService } from './sqs/service.ts';

/** All emulated services on one loopback port, kept under `dataDir`. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { clock, region, account, log } = options;
  const dataDir = join(options.dataDir, 'services');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });

  const now = () => clock.now();
  const queueArn = (name: string) => `arn:aws:sqs:${region}:${account}:${name}`;
  const queueUrl = (name: string) => `${url}/${account}/${name}`;

  const engine = await startEngine(dataDir, log);
  const tables = new Tables(engine, clock, log);
  const buckets = new Buckets(join(dataDir, 's3'), clock, log);
  const queues = new Queues(dataDir, clock, queueArn);
  const mails = openMails(dataDir, now);
  const keys = openKeys(join(dataDir, 'kms'));
  const secrets = openSecrets(dataDir, now);
  const distributions = openDistributions(dataDir, now);
  const principals = openPrincipals(dataDir, now);
  const faults = new Faults();
  const calls = new CallLog();

  const services: Service[] = [
    dynamodbService(engine, { region, account, table: (name) => tables.find(name) }),
    s3Service(buckets),
    sqsService(queues, { arnOf: queueArn, urlOf: queueUrl, nowMs: now }),
    sesService(mails, { region, account }),
    kmsService(keys, { region, account }),
    secretsService(secrets),
    lambdaService(options.invoke, { region, account }),
    cloudFrontService(distributions, { account }),
  ];
  const { server, port } = await listen({
    options,
    principals,
    faults,
    calls,
    services: new Map(services.map((service) => [service.name, service])),
    preflight: (head) => preflight(head, buckets),
    corsHeaders: (head) => corsHeaders(head, buckets),
  }).catch(async (error) => {
    await engine.stop();
    throw error;
  });
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    region,
    account,
    createTable: (settings) => tables.create(settings),
    createBucket: async (settings) => buckets.create(settings),
    createQueue: async (settings) => queues.create(settings),
    createKey: async (settings) => keys.create(settings),
    createSecret: async (settings) => secrets.create(settings),
    createDistribution: async (settings) => distributions.create(settings),
    originHeaders: (distributionId, originId) => distributions.headersFor(distributionId, originId),
    admit: (principal: Principal) => principals.admit(principal),
    queueUrl,
    secretValue: async (id) => currentText(secrets, id),
    send: async (queueName, body) => {
      queues.send(queueName, { body, messageAttributes: {}, senderId: account });
    },
    receive: async (queueName, max, waitMs, signal) =>
      (await queues.receive(queueName, max, waitMs, signal)).map(asReceived),
    deleteMessages: async (queueName, handles) => {
      for (const handle of handles) queues.delete(queueName, handle);
    },
    changeVisibility: async (queueName, handles, seconds) => {
      for (const handle of handles) {
        // One that is not in flight any more is visible as it is.
        if (queues.isInFlight(queueName, handle)) queues.changeVisibility(queueName, handle, seconds);
      }
    },
    readObject: (bucket, key) => buckets.readWhole(bucket, key),
    writeObject: (bucket, key, body, headers) => buckets.writeWhole(bucket, key, body, headers),
    inbox: () => mails.inbox(),
    queues: () => queues.report(),
    calls: () => calls.all(),
    clearCalls: () => calls.clear(),
    permissionUses: () => calls.uses(),
    faults: () => faults.waiting(),
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await tables.stop();
      await buckets.stop();
      await engine.stop();
      for (const store of [queues, mails, secrets, distributions, principals]) store.close();
    },
  };
}

function currentText(secrets: Secrets, id: string): string {
  const current = secrets.versions(secrets.find(id).name).find(({ stages }) => stages.includes('AWSCURRENT'));
  if (!current || !('text' in current.value)) throw new Error(`The secret ${id} has no current text`);
  return current.value.text;
}

/** As an event source mapping hands it to a function. */
function asReceived(message: Message): ReceivedMessage {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: message.attributes,
    md5OfBody: message.md5,
    messageAttributes: Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
        name,
        {
          dataType: DataType,
          ...(StringValue !== undefined && { stringValue: StringValue }),
          ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
        },
      ]),
    ),
  };
}
