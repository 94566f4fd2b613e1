import { parseArgs } from 'node:util';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { markdownTable } from '../../docs/cost/markdown-table.ts';
import { DAY, SECOND } from '../../shared/runtime/time.ts';
import { creationWrites } from '../../shared/store/requests.ts';
import { type Cloud, queue, startCloud } from '../integration/local-services/harness.ts';
import { newRequest, OWNER } from '../support/requests.ts';
import { circumstances, targetLines, writeSection } from './support/report.ts';
import { sparseTable } from './support/sparse-table.ts';

/**
 * Measures the deployed expiry function over the local DynamoDB and SQS, with 100, 1,000 and 10,000 due requests among
 * 200,000 stored ones. `--stored N --due A,B,C` sets other numbers. Writes docs/performance.md.
 */

const { values } = parseArgs({
  options: {
    stored: { type: 'string', default: '200000' },
    due: { type: 'string', default: '100,1000,10000' },
  },
});
const STORED = Number(values.stored);
const FEW_STORED = STORED / 100;
const DUE = values.due.split(',').map(Number);
const [FEWEST = 0, MIDDLE = 0, MOST = 0] = DUE;
/** The local database syncs to disk once for a transaction, but once for each item of a batch write. */
const BATCH_SIZE = 99;
const CONCURRENT_BATCHES = 4;
/** A longer run would need a second invocation. */
const TIME_LIMIT_MS = 600 * SECOND;

/** The items of a request: all that a job reads, or only the state, which is in the indexes. */
function itemsOf(createdAt: Date, whole: boolean) {
  const { request, change } = newRequest(1, { owner: OWNER }, createdAt);
  const { writes } = creationWrites(change, request.content, createdAt);
  return writes
    .flatMap((write) => ('put' in write ? [write.put] : []))
    .filter(({ sk }) => sk === 'R#META' || (whole && String(sk).startsWith('R#')));
}

async function seed(
  client: DynamoDBClient,
  count: number,
  createdAt: (position: number) => Date,
  whole: boolean,
) {
  let position = 0;
  const worker = async () => {
    while (position < count) {
      const requests = Math.min(whole ? Math.floor(BATCH_SIZE / 3) : BATCH_SIZE, count - position);
      const items = Array.from({ length: requests }, (_, index) =>
        itemsOf(createdAt(position + index), whole),
      );
      position += requests;
      const TransactItems = items.flat().map((item) => ({
        Put: { TableName: 'table', Item: marshall(item, { removeUndefinedValues: true }) },
      }));
      await client.send(new TransactWriteItemsCommand({ TransactItems }));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, worker));
}

type Handler = (event: unknown, context: Context) => Promise<{ done: number }>;

/** Loads the function in this process, with the environment that the stack sets. */
async function loadJob(cloud: Cloud): Promise<Handler> {
  const { endpoint, credentials } = cloud.operator;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: cloud.operator.region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    TABLE_NAME: 'table',
    EVENTS_QUEUE_URL: cloud.services.queueUrl('events'),
    MAIL_QUEUE_URL: cloud.services.queueUrl('mail'),
  });
  return (await import('../../functions/jobs/expire.ts')).handler;
}

interface Row {
  stored: number;
  due: number;
  ms: number;
  calls: number;
  units: number;
}

async function measure(cloud: Cloud, handler: Handler, stored: number, due: number): Promise<Row> {
  const now = Date.now();
  const client = new DynamoDBClient(cloud.operator);
  await seed(client, due, (position) => new Date(now - 31 * DAY - position), true);
  cloud.services.clearCalls();
  const started = performance.now();
  const context = { getRemainingTimeInMillis: () => TIME_LIMIT_MS } as Context;
  const { done } = await handler({}, context);
  const ms = performance.now() - started;
  if (done !== due) throw new Error(`${done} of ${due} due requests expired.`);
  const calls = cloud.services.calls();
  const units = calls.reduce((sum, call) => sum + (call.consumed_capacity ?? 0), 0);
  const row = { stored, due, ms, calls: calls.length, units };
  console.error(row);
  return row;
}

async function bench(): Promise<Row[]> {
  const cloud = await startCloud();
  try {
    await cloud.services.createTable(sparseTable('table'));
    await cloud.services.createQueue(queue('events'));
    await cloud.services.createQueue(queue('mail'));
    const handler = await loadJob(cloud);
    const client = new DynamoDBClient(cloud.operator);
    const notDue = (position: number) => new Date(Date.now() - (position % (29 * DAY)));
    await seed(client, FEW_STORED, notDue, false);
    await measure(cloud, handler, FEW_STORED, 10);
    const rows = [await measure(cloud, handler, FEW_STORED, MIDDLE)];
    const started = performance.now();
    await seed(client, STORED - FEW_STORED, notDue, false);
    console.error(`Stored ${STORED} in ${Math.round((performance.now() - started) / 1_000)} s.`);
    for (const due of DUE) rows.push(await measure(cloud, handler, STORED, due));
    return rows;
  } finally {
    await cloud.stop();
  }
}

const write = process.stdout.write.bind(process.stdout);
// Suppresses the function's log lines.
process.stdout.write = () => true;
const rows = await bench();
process.stdout.write = write;

const perItem = (row: Row | undefined, value: 'ms' | 'units') => (row ? row[value] / row.due : Number.NaN);
const [few, hundred, thousand, tenThousand] = rows;
const linear = (value: 'ms' | 'units') => perItem(tenThousand, value) / perItem(hundred, value);
const flat = (value: 'ms' | 'units') => perItem(thousand, value) / perItem(few, value);
const count = (value: number) => value.toLocaleString('en');
writeSection(
  'Jobs',
  [
    `\`npm run bench:jobs -- --stored ${STORED} --due ${DUE.join(',')}\`, ${circumstances()}. The expiry job over the local DynamoDB and SQS: each due request is read, expired in one transaction, and its event and notices are put into their queues. Capacity is in units, as counted by the local DynamoDB.`,
    markdownTable(
      ['stored', 'due', 'time', 'a request', 'calls', 'capacity', 'a request'],
      rows.map((row) => [
        count(row.stored),
        count(row.due),
        `${(row.ms / 1_000).toFixed(1)} s`,
        `${perItem(row, 'ms').toFixed(1)} ms`,
        count(row.calls),
        count(Math.round(row.units)),
        perItem(row, 'units').toFixed(1),
      ]),
    ),
    targetLines([
      [
        `linear in what is due: a request of ${count(MOST)} takes ${linear('units').toFixed(2)} times the capacity of one of ${count(FEWEST)}`,
        linear('units') < 1.2,
      ],
      [`and ${linear('ms').toFixed(2)} times the time`, linear('ms') < 1.5],
      [
        `flat in what is stored: among 100 times as many, ${flat('units').toFixed(2)} times the capacity`,
        flat('units') < 1.1,
      ],
      [`and ${flat('ms').toFixed(2)} times the time`, flat('ms') < 1.5],
      [`${count(MOST)} in one invocation`, (tenThousand?.ms ?? Number.POSITIVE_INFINITY) < TIME_LIMIT_MS],
    ]),
  ].join('\n\n'),
);
