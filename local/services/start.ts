import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Services, ServicesOptions } from '../ports.ts';
import { CallLog } from './call-log.ts';
import { openDistributions } from './cloudfront/distributions.ts';
import { cloudFrontService } from './cloudfront/service.ts';
import { startEngine } from './dynamodb/engine.ts';
import { dynamodbService } from './dynamodb/service.ts';
import { Tables } from './dynamodb/tables.ts';
import { elsewhere } from './elsewhere.ts';
import { openFaults } from './faults.ts';
import { openKeys } from './kms/keys.ts';
import { kmsService } from './kms/service.ts';
import { ownVault, vaultElsewhere } from './kms/vault.ts';
import { lambdaService } from './lambda/service.ts';
import { listenForCalls } from './listener.ts';
import { openPrincipals } from './principals.ts';
import { openRollouts } from './rollouts.ts';
import { Buckets } from './s3/buckets.ts';
import { startLifecycle } from './s3/lifecycle.ts';
import { s3Service } from './s3/service.ts';
import { openSecrets, type Secrets } from './secrets/secrets.ts';
import { secretsService } from './secrets/service.ts';
import type { Service } from './service.ts';
import { openMails } from './ses/mails.ts';
import { openReturnedMails } from './ses/returned-mails.ts';
import { sesService } from './ses/service.ts';
import { openTopics } from './sns/topics.ts';
import { Queues } from './sqs/queues.ts';
import { sqsService } from './sqs/service.ts';
import { wafService } from './wafv2/service.ts';

/** Starts all emulated services on one loopback port. Their data is in `dataDir`. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { clock, region, account, log } = options;
  const dataDir = join(options.dataDir, 'services');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });

  const now = () => clock.now();
  const queueArn = (name: string) => `arn:aws:sqs:${region}:${account}:${name}`;
  const queueUrl = (name: string) => `${url}/${account}/${name}`;

  const engine = await startEngine(dataDir, log);
  const tables = new Tables(engine, clock, log);
  const buckets = new Buckets(join(dataDir, 's3'), clock);
  const stopLifecycle = startLifecycle(buckets, clock, log);
  const queues = new Queues(dataDir, clock, queueArn);
  const mails = openMails(dataDir, now);
  const topics = openTopics({
    send: (queue, body) => queues.send(queue, { body, senderId: account }),
    nowMs: now,
    region,
  });
  const returnedMails = openReturnedMails({ mails, nowMs: now, publish: topics.publish, region, account });
  const keys = openKeys(join(dataDir, 'kms'));
  const otherKms = elsewhere('kms');
  const vault = otherKms ? vaultElsewhere(otherKms, dataDir) : ownVault;
  const secrets = openSecrets(dataDir, now);
  const distributions = openDistributions(dataDir, now);
  const patternSets = openRollouts<string[]>(dataDir, 'wafv2.sqlite', now);
  const principals = openPrincipals(dataDir, now);
  const calls = new CallLog();

  const all: Service[] = [
    dynamodbService(engine, { region, account, table: (name) => tables.find(name) }),
    s3Service(buckets),
    sqsService(queues, { arnOf: queueArn, urlOf: queueUrl, nowMs: now }),
    sesService(mails, returnedMails, elsewhere('ses'), { region, account }),
    kmsService(keys, vault),
    secretsService(secrets),
    lambdaService(options.invoke, { region, account }),
    cloudFrontService(distributions, { account }),
    wafService(patternSets, { region, account }),
  ];
  const services = new Map<string, Service>(all.map((service) => [service.name, service]));
  const faults = openFaults(services);
  const server = await listenForCalls({ options, services, principals, faults, calls }).catch(
    async (error) => {
      await engine.stop();
      throw error;
    },
  );
  const url = `http://127.0.0.1:${server.port}`;

  return {
    url,
    region,
    createTable: (settings) => tables.create(settings),
    createBucket: async (settings) => buckets.create(settings),
    createQueue: async (settings) => queues.create(settings),
    createKey: async (settings) => keys.create(settings),
    createSecret: async (settings) => secrets.create(settings),
    createDistribution: async (settings) => distributions.create(settings),
    originHeaders: (distributionId, originId) => distributions.headersFor(distributionId, originId),
    createPatternSet: async ({ arn, template, patterns }) => patternSets.create(arn, template, patterns),
    createConfigurationSet: async (settings) => returnedMails.addConfigurationSet(settings),
    createSubscription: async (settings) => topics.subscribe(settings),
    patterns: (arn) => patternSets.next(arn) ?? [],
    admit: (principal, credentials) => principals.admit(principal, credentials),
    queueUrl,
    rename: (text) => text,
    secretValue: async (id) => currentText(secrets, id),
    send: async (queueName, body) => {
      queues.send(queueName, { body, senderId: account });
    },
    receive: (queueName, max, waitMs, signal) => queues.receive(queueName, max, waitMs, signal),
    deleteMessages: async (queueName, handles) => {
      for (const handle of handles) queues.delete(queueName, handle);
    },
    readObject: (bucket, key) => buckets.readWhole(bucket, key),
    writeObject: (bucket, key, body, headers) => buckets.writeWhole(bucket, key, body, headers),
    inbox: (query) => mails.inbox(query),
    mail: (id) => mails.find(id)?.mail,
    returnMail: (id, type) => returnedMails.returned(id, type),
    queues: () => queues.report(),
    calls: () => calls.all(),
    clearCalls: () => calls.clear(),
    permissionUses: () => calls.uses(),
    faults: () => faults.waiting(),
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    stop: async () => {
      await server.stop();
      await tables.stop();
      await stopLifecycle();
      await engine.stop();
      for (const store of [buckets, queues, mails, secrets, distributions, patternSets, principals])
        store.close();
    },
  };
}

function currentText(secrets: Secrets, id: string): string {
  const current = secrets.versions(secrets.find(id).name).find(({ stages }) => stages.includes('AWSCURRENT'));
  if (!current) throw new Error(`The secret ${id} has no current version`);
  return current.text;
}
