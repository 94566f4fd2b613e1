import { startServices } from '../../../local/services/start.ts';
import { processTree } from '../../support/process-tree.ts';
import { ACCOUNT, bucket, key, queue, REGION, table } from './harness.ts';

/** Run by the restart test: starts the services on the given data folder and prints their addresses as a line of JSON. */

const [dataDir = ''] = process.argv.slice(2);
const services = await startServices({
  dataDir,
  port: 0,
  clock: { now: Date.now, offsetMs: () => 0, onMove: () => {} },
  region: REGION,
  account: ACCOUNT,
  invoke: async () => ({ payload: new Uint8Array() }),
  kill: async () => {},
  verbose: false,
  log: console.error,
});
await services.createTable(table('things'));
await services.createBucket(bucket('docs'));
await services.createQueue(queue('work'));
await services.createKey(key('main'));
const SECRET_ARN = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:app-AbCdEf`;
await services.createSecret({ name: 'app', arn: SECRET_ARN, initialValue: 'initial' });
const credentials = services.admit({ name: 'operator', arn: 'arn:operator', statements: 'everything' });
const [, engine] = processTree(process.pid);
console.log(
  JSON.stringify({
    url: services.url,
    credentials,
    queueUrl: services.queueUrl('work'),
    inbox: services.inbox(),
    engine,
  }),
);
