import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { PolicyStatement } from '../../../local/ports.ts';
import { until } from '../../support/until.ts';
import { ACCOUNT, allow, type Cloud, failure, REGION, startCloud, table } from './harness.ts';

let cloud: Cloud;
let client: DynamoDBClient;
const ARN = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/things`;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createTable(table('things'));
  client = new DynamoDBClient(cloud.operator);
});
afterAll(() => cloud.stop());

const KEY_ATTRIBUTES = table('any').attributeDefinitions.slice(0, 2);
const Key = (pk: string, sk = '0') => ({ pk: { S: pk }, sk: { S: sk } });
const put = (pk: string, more = {}) =>
  new PutItemCommand({ TableName: 'things', Item: { ...Key(pk), ...more } });
const get = (pk: string) => new GetItemCommand({ TableName: 'things', Key: Key(pk) });

describe('the engine through the SDK', () => {
  it('items are put, read, updated and deleted', async () => {
    await client.send(put('a', { n: { N: '1' } }));
    await client.send(
      new UpdateItemCommand({
        TableName: 'things',
        Key: Key('a'),
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
    expect((await client.send(get('a'))).Item).toEqual({ ...Key('a'), n: { N: '2' } });
    await client.send(new DeleteItemCommand({ TableName: 'things', Key: Key('a') }));
    expect((await client.send(get('a'))).Item).toBeUndefined();
  });

  it('the capacity of a call is logged and cut from its answer, whatever an item is called', async () => {
    const named = { ConsumedCapacity: { S: '","ConsumedCapacity":{"CapacityUnits":7}}' } };
    await client.send(put('capacity', named));
    cloud.services.clearCalls();
    const answer = await client.send(get('capacity'));
    expect(answer.Item).toEqual({ ...Key('capacity'), ...named });
    expect(answer.ConsumedCapacity).toBeUndefined();
    expect(cloud.services.calls()).toMatchObject([{ operation: 'GetItem', consumed_capacity: 0.5 }]);
  });

  it('a batch reads several items, each under the permissions of its key', async () => {
    await client.send(put('first'));
    await client.send(put('second'));
    const ask = new BatchGetItemCommand({
      RequestItems: { things: { Keys: [Key('first'), Key('second'), Key('missing')] } },
    });
    const { Responses } = await client.send(ask);
    expect(Responses?.things).toEqual(expect.arrayContaining([Key('first'), Key('second')]));
    expect(Responses?.things).toHaveLength(2);
    const limited = new DynamoDBClient(
      cloud.caller('limited', {
        ...allow('dynamodb:BatchGetItem', ARN),
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['first'] } },
      }),
    );
    expect(await failure(limited.send(ask))).toMatchObject({ name: 'AccessDeniedException' });
  });

  /** @behaviour dynamodb.start-keys */
  it.each([
    ['BETWEEN :a AND :b', 'pages', 'b', ''],
    ['BETWEEN :a AND :b', 'others', 'b', 'is outside query boundaries based on provided conditions'],
    ['BETWEEN :a AND :b', 'pages', 'A', 'does not match the range key predicate'],
    ['BETWEEN :a AND :b', 'pages', 'b#', 'does not match the range key predicate'],
    ['begins_with', 'pages', 'b#', ''],
    ['begins_with', 'pages', 'c', 'does not match the range key predicate'],
  ])(
    'a query by %s that starts after %s, %s is refused outside of its range',
    async (kind, pk, sk, problem) => {
      const between = kind !== 'begins_with';
      const query = new QueryCommand({
        TableName: 'things',
        KeyConditionExpression: `#pk = :pk AND ${between ? `#sk ${kind}` : 'begins_with(#sk, :b)'}`,
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
        ExpressionAttributeValues: {
          ':pk': { S: 'pages' },
          ':b': { S: 'b' },
          ...(between && { ':a': { S: 'a' } }),
        },
        ExclusiveStartKey: Key(pk, sk),
      });
      const answer = problem ? await failure(client.send(query)) : await client.send(query);
      expect(answer).toMatchObject(
        problem
          ? { name: 'ValidationException', message: `The provided starting key ${problem}` }
          : { Items: [] },
      );
    },
  );

  it('a query reads an index', async () => {
    await client.send(put('indexed', { holder: { S: 'anna' } }));
    const query = new QueryCommand({
      TableName: 'things',
      IndexName: 'byOwner',
      KeyConditionExpression: '#o = :o',
      ExpressionAttributeNames: { '#o': 'holder' },
      ExpressionAttributeValues: { ':o': { S: 'anna' } },
    });
    expect((await client.send(query)).Items).toEqual([{ ...Key('indexed'), holder: { S: 'anna' } }]);
  });

  it('a failed condition is the exception of the SDK, with the old item', async () => {
    await client.send(put('c'));
    const again = new PutItemCommand({
      TableName: 'things',
      Item: Key('c'),
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const error = await client.send(again).catch((caught) => caught);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error.Item).toEqual(Key('c'));
  });

  /** @behaviour dynamodb.conditions */
  it('a cancelled transaction has a reason for each item', async () => {
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: 'things', Item: Key('t1') } },
        { Put: { TableName: 'things', Item: Key('c'), ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    });
    await client.send(put('c'));
    const error = await client.send(transaction).catch((caught) => caught);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(error.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual([
      'None',
      'ConditionalCheckFailed',
    ]);
    expect((await client.send(get('t1'))).Item).toBeUndefined();
  });

  it('a missing table and a malformed request are errors of their own', async () => {
    const missing = new GetItemCommand({ TableName: 'nothing', Key: Key('a') });
    expect(await failure(client.send(missing))).toMatchObject({
      name: 'ResourceNotFoundException',
      status: 400,
    });
    const malformed = new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } });
    expect(await failure(client.send(malformed))).toMatchObject({ name: 'ValidationException' });
  });
});

describe('consumed capacity', () => {
  /** @behaviour dynamodb.consumed-capacity */
  it('consumed capacity is in the call log, and not in the answer', async () => {
    cloud.services.clearCalls();
    expect(await client.send(put('cost'))).not.toHaveProperty('ConsumedCapacity', expect.anything());
    await client.send(get('cost'));
    const write = { Put: { TableName: 'things', Item: Key('cost') } };
    await client.send(new TransactWriteItemsCommand({ TransactItems: [write] }));
    expect(
      cloud.services.calls().map(({ operation, consumed_capacity }) => [operation, consumed_capacity]),
    ).toEqual([
      ['PutItem', 1],
      ['GetItem', 0.5],
      ['TransactWriteItems', 2],
    ]);
  });

  it('an attribute named ConsumedCapacity is returned unchanged', async () => {
    const Item = { ...Key('named'), ConsumedCapacity: { M: { ConsumedCapacity: { S: 'x' } } } };
    await client.send(new PutItemCommand({ TableName: 'things', Item }));
    expect((await client.send(get('named'))).Item).toEqual(Item);
  });
});

describe('IAM', () => {
  const as = (...statements: PolicyStatement[]) => new DynamoDBClient(cloud.caller('limited', ...statements));
  const denied = { name: 'AccessDeniedException', status: 400 };

  it('IAM denies a call that no statement allows for its table and action', async () => {
    const reader = as(allow('dynamodb:GetItem', ARN));
    await reader.send(get('a'));
    expect(await failure(reader.send(put('a')))).toMatchObject({
      ...denied,
      message: expect.stringContaining(`is not authorized to perform: dynamodb:PutItem on resource: ${ARN}`),
    });
    expect(await failure(as(allow('dynamodb:*', `${ARN}-other`)).send(get('a')))).toMatchObject(denied);
  });

  it('IAM checks a query on an index by the ARN of the index', async () => {
    const query = new QueryCommand({
      TableName: 'things',
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :o',
      ExpressionAttributeValues: { ':o': { S: 'anna' } },
    });
    expect(await failure(as(allow('dynamodb:Query', ARN)).send(query))).toMatchObject(denied);
    expect(await as(allow('dynamodb:Query', `${ARN}/index/*`)).send(query)).toHaveProperty('Items');
  });

  it('IAM checks the action of each item in a transaction', async () => {
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: 'things', Item: Key('t') } },
        {
          ConditionCheck: {
            TableName: 'things',
            Key: Key('nobody'),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
    });
    expect(await failure(as(allow('dynamodb:PutItem', ARN)).send(transaction))).toMatchObject(denied);
    await as(allow(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'], ARN)).send(transaction);
  });

  /** @behaviour dynamodb.access */
  it('IAM conditions on leading keys apply to items, and deny a query, whose key is not read', async () => {
    const mine = as({
      ...allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'], ARN),
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['mine#*'] } },
    });
    const query = new QueryCommand({
      TableName: 'things',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'mine#1' } },
    });
    await mine.send(put('mine#1'));
    await mine.send(get('mine#1'));
    expect(await failure(mine.send(put('theirs#1')))).toMatchObject(denied);
    expect(await failure(mine.send(get('theirs#1')))).toMatchObject(denied);
    expect(await failure(mine.send(query))).toMatchObject(denied);
  });
});

describe('tables', () => {
  it('creating a table again keeps its items and adds and removes indexes', async () => {
    const small = table('growing', { globalSecondaryIndexes: [], attributeDefinitions: KEY_ATTRIBUTES });
    await cloud.services.createTable(small);
    const Item = { ...Key('a'), holder: { S: 'anna' } };
    await client.send(new PutItemCommand({ TableName: 'growing', Item }));
    const byOwner = new QueryCommand({
      TableName: 'growing',
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :o',
      ExpressionAttributeValues: { ':o': { S: 'anna' } },
    });
    await cloud.services.createTable(table('growing'));
    expect((await client.send(byOwner)).Items).toEqual([Item]);
    await cloud.services.createTable(small);
    expect(await failure(client.send(byOwner))).toMatchObject({ name: 'ValidationException' });
  });

  it('creating a table again with another key is refused', async () => {
    await cloud.services.createTable(table('keyed'));
    const other = table('keyed', { keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] });
    await expect(cloud.services.createTable(other)).rejects.toThrow('The key of the table keyed in the data');
  });

  /** @behaviour dynamodb.fixed-indexes */
  it('creating a table again with the same index is refused if its key or its attributes changed', async () => {
    const [index] = table('any').globalSecondaryIndexes;
    if (!index) throw new Error('The table has no index');
    const including = (...NonKeyAttributes: string[]) => ({
      ...index,
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
    });
    const indexed = (changed: typeof index) => table('fixed', { globalSecondaryIndexes: [changed] });
    await cloud.services.createTable(indexed(including('a', 'b')));
    await cloud.services.createTable(indexed(including('b', 'a')));
    const onOwner = { ...including('a', 'b'), KeySchema: index.KeySchema.slice(0, 1) };
    for (const changed of [including('a'), including('a', 'b', 'c'), index, onOwner])
      await expect(cloud.services.createTable(indexed(changed))).rejects.toThrow(
        'The index byOwner in the data folder',
      );
  });

  /** @behaviour dynamodb.ttl */
  it('only expired items are deleted when the clock moves past their TTL', async () => {
    const nowSeconds = Math.floor(cloud.clock.now() / 1000);
    const ttl = (seconds: number) => ({ ttl: { N: String(nowSeconds + seconds) } });
    await client.send(put('short', ttl(100)));
    await client.send(put('long', ttl(1000)));
    await client.send(put('ancient', ttl(-6 * 365 * 24 * 3600)));
    await client.send(put('for ever'));
    cloud.clock.advance(500);
    const moved = new DynamoDBClient(cloud.operator);
    await until(async () => (await moved.send(get('short'))).Item === undefined, 'the TTL sweep');
    for (const kept of ['long', 'ancient', 'for ever'])
      expect((await moved.send(get(kept))).Item).toBeDefined();
  });
});
