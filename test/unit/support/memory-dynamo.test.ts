import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { type Engine, startEngine } from '../../../local/services/dynamodb/engine.ts';
import { INDEXES } from '../../../shared/store/indexes.ts';
import { BY_DUE } from '../../../shared/store/keys.ts';
import {
  type Condition,
  ConditionFailed,
  exists,
  isNew,
  type QueryInput,
  Table,
} from '../../../shared/store/table.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

let engine: Engine;
let real: Table;
const memory = new MemoryDynamo();
const folder = mkdtempSync(join(tmpdir(), 'memory-dynamo-'));
let tables = 0;

const exceptions = { ConditionalCheckFailedException, TransactionCanceledException };

/** Sends an SDK command to the engine: the protocol is the command's input as JSON. */
async function send(command: { constructor: { name: string }; input: object }): Promise<object> {
  const { status, body } = await engine.send(
    command.constructor.name.replace('Command', ''),
    JSON.stringify({ ...command.input, TableName: `table-${tables}` }).replaceAll(
      '"TableName":"table"',
      `"TableName":"table-${tables}"`,
    ),
  );
  const answer = JSON.parse(body.toString());
  if (status === 200) return answer;
  const name = String(answer.__type).split('#')[1] ?? '';
  if (name in exceptions)
    throw new exceptions[name as keyof typeof exceptions]({ message: name, ...answer, $metadata: {} });
  throw Object.assign(new Error(answer.message), { name });
}

async function emptyTable(): Promise<void> {
  tables += 1;
  const names = new Set(['pk', 'sk', ...INDEXES.flatMap(({ pk, sk }) => [pk, sk])]);
  const keys = (pk: string, sk: string) => [
    { AttributeName: pk, KeyType: 'HASH' },
    { AttributeName: sk, KeyType: 'RANGE' },
  ];
  await engine.send(
    'CreateTable',
    JSON.stringify({
      TableName: `table-${tables}`,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('pk', 'sk'),
      AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: INDEXES.map(({ name, pk, sk, attributes }) => ({
        IndexName: name,
        KeySchema: keys(pk, sk),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: attributes },
      })),
    }),
  );
  memory.clear();
}

beforeAll(async () => {
  engine = await startEngine(folder, () => {});
  real = new Table({ send } as unknown as DynamoDBClient, 'table');
});
afterAll(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const n = fc.integer({ min: 0, max: 3 });
const word = fc.constantFrom('', 'a', 'b', 'ab');
const key = fc.constantFrom('1', '2', '3').map((sk) => ({ pk: 'P', sk }));
const fields = fc.record(
  {
    n,
    word,
    id: word,
    flag: fc.boolean(),
    nothing: fc.constant(null),
    deep: fc.record({ hash: word }),
    list: fc.array(word, { maxLength: 2 }),
    due_pk: fc.constantFrom('D', undefined),
    due_sk: fc.constantFrom('1', '2', '2#x', '3'),
  },
  { requiredKeys: [] },
);
const condition: fc.Arbitrary<Condition | undefined> = fc.oneof(
  fc.constantFrom(undefined, isNew, exists),
  n.map((value) => ({ expression: '#n = :value', values: { value } })),
  n.map((value) => ({ expression: 'attribute_exists(#pk) AND #n <= :value', values: { value } })),
  word.map((value) => ({ expression: 'attribute_not_exists(#word) OR #word <= :value', values: { value } })),
  fc.tuple(n, word).map(([max, hash]) => ({
    expression: '#n < :max AND #deep.#hash = :hash',
    values: { max, hash },
  })),
  fc.constant({ expression: 'attribute_exists(#pk) AND attribute_not_exists(#flag)' }),
  fc.constant({ expression: '#nothing = :value', values: { value: null } }),
);

type Step = (table: Table) => Promise<unknown>;
const given = (value: Condition | undefined) => (value ? { condition: value } : {});
const write = fc.oneof(
  fc.tuple(key, fields, condition).map(([k, set, c]) => ({ put: { ...set, ...k }, ...given(c) })),
  fc
    .tuple(key, fields, condition)
    .map(([k, set, c]) => ({ update: k, set: { ...set, touched: 1 }, ...given(c) })),
  fc.tuple(key, condition).map(([k, c]) => ({ delete: k, ...given(c) })),
  key.map((k) => ({ check: k, condition: exists })),
);
const step = fc.oneof(
  fc.tuple(key, fields, condition).map(
    ([k, set, c]): Step =>
      (table) =>
        table.put({ ...set, ...k }, c),
  ),
  fc.tuple(key, fields, condition).map(
    ([k, set, c]): Step =>
      (table) =>
        table.update(k, { ...set, touched: 1, n: undefined }, c),
  ),
  fc.tuple(key, condition).map(
    ([k, c]): Step =>
      (table) =>
        table.delete(k, c),
  ),
  fc.array(write, { minLength: 1, maxLength: 3 }).map(
    (writes): Step =>
      (table) =>
        table.transact(writes),
  ),
  key.map(
    (k): Step =>
      (table) =>
        table.get(k),
  ),
);

const queries: QueryInput[] = [
  { pk: 'P' },
  { pk: 'P', newestFirst: true, sk: { from: '1', to: '2' } },
  { pk: 'P', limit: 2 },
  { index: BY_DUE, pk: 'D' },
  { index: BY_DUE, pk: 'D', newestFirst: true, limit: 1 },
  { index: BY_DUE, pk: 'D', sk: { prefix: '2' } },
  { index: BY_DUE, pk: 'D', sk: { from: '1', to: '2~' }, limit: 1 },
];

/** The result of a step, or how it failed. */
async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ConditionFailed) return { current: error.current, failed: error.failed };
    return (error as Error).name;
  }
}

it('the in-memory table behaves as the DynamoDB engine does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await emptyTable();
      for (const run of steps)
        expect(await outcome(() => run(memory.table))).toEqual(await outcome(() => run(real)));
      for (const query of queries) {
        expect(await memory.table.query(query)).toEqual(await real.query(query));
        expect(await memory.table.queryAll(query)).toEqual(await real.queryAll(query));
      }
    }),
    { numRuns: 25 },
  );
});

it('the in-memory table rejects an expression that it does not know', async () => {
  const condition = { expression: 'size(#n) > :value', values: { value: 1 } };
  await expect(memory.table.put({ pk: 'P', sk: '1' }, condition)).rejects.toThrow('is not understood');
});
