import { LocalClock } from '../../../local/clock.ts';
import { Tables } from '../../../local/services/dynamodb/tables.ts';
import { until } from '../../support/until.ts';

const SETTINGS = {
  name: 'things',
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  attributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  globalSecondaryIndexes: [],
  ttlAttribute: 'ttl',
};
const DESCRIBED = { Table: { KeySchema: SETTINGS.keySchema } };

let starts: unknown[];
let limits: unknown[];
let tables: Tables;
let clock: LocalClock;

/** An engine with a table of three pages. */
const engine = {
  async send(operation: string, body: string | Uint8Array) {
    if (operation !== 'Scan') return { status: 200, body: Buffer.from(JSON.stringify(DESCRIBED)) };
    const { Limit, ExclusiveStartKey } = JSON.parse(String(body));
    const page = Number(ExclusiveStartKey?.pk.S ?? 0);
    limits.push(Limit);
    starts.push(page);
    const next = page < 2 && { LastEvaluatedKey: { pk: { S: String(page + 1) } } };
    return { status: 200, body: Buffer.from(JSON.stringify({ Items: [], ...next })) };
  },
  stop: async () => undefined,
};

beforeEach(async () => {
  starts = [];
  limits = [];
  clock = new LocalClock();
  tables = new Tables(engine, clock, () => undefined);
  await tables.create(SETTINGS);
});
afterEach(() => tables.stop());

it('the TTL sweep reads small pages, so that the engine can answer other calls in between', async () => {
  clock.advance(1);
  await until(() => starts.length === 3, 'the last page');
  expect(starts).toEqual([0, 1, 2]);
  for (const limit of limits) expect(limit).toBeLessThanOrEqual(500);
});

it('many moves of the clock during a TTL sweep cause one more sweep', async () => {
  clock.advance(1);
  await until(() => starts.length === 1, 'the first page');
  for (let move = 0; move < 20; move += 1) clock.advance(1);
  await until(() => starts.length === 6, 'the last page of the second search');
  clock.advance(1);
  await until(() => starts.length >= 9, 'the last page of the third search');
  expect(starts).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
});
