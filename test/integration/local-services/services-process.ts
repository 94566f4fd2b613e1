import { execFileSync } from 'node:child_process';
import { startServices } from '../../../local/services/start.ts';
import { account, bucket, key, queue, region, table } from './harness.ts';

/** Run by the restart test: starts the services over the folder in its argument and says on one line where they are. */

const [dataDir = ''] = process.argv.slice(2);
const services = await startServices({
  dataDir,
  port: 0,
  clock: { now: Date.now, offsetMs: () => 0, onMove: () => {} },
  region,
  account,
  invoke: async () => ({ payload: new Uint8Array() }),
  kill: () => {},
  verbose: false,
  log: console.error,
});
await services.createTable(table('things'));
await services.createBucket(bucket('docs'));
await services.createQueue(queue('work'));
await services.createKey(key('main'));
const arn = `arn:aws:secretsmanager:${region}:${account}:secret:app-AbCdEf`;
await services.createSecret({ name: 'app', arn, initialValue: 'initial' });
const credentials = services.admit({ name: 'operator', arn: 'arn:operator', statements: 'everything' });
const engine = Number(
  execFileSync('pgrep', ['-P', String(process.pid)])
    .toString()
    .split('\n')[0],
);
console.log(
  JSON.stringify({
    url: services.url,
    credentials,
    queueUrl: services.queueUrl('work'),
    inbox: services.inbox(),
    engine,
  }),
);
