import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { PolicyStatement } from '../../../local/ports.ts';
import { account, allow, type Cloud, failure, region, startCloud, table } from './harness.ts';

let cloud: Cloud;
let client: DynamoDBClient;
const arn = `arn:aws:dynamodb:${region}:${account}:table/things`;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createTable(table('things'));
  client = new DynamoDBClient(cloud.operator);
});
afterAll(() => cloud.stop());

const keyAttributes = table('any').attributeDefinitions.slice(0, 2);
const Key = (pk: string, sk = '0') => ({ pk: { S: pk }, sk: { S: sk } });
const put = (pk: string, more = {}) =>
  new PutItemCommand({ TableName: 'things', Item: { ...Key(pk), ...more } });
const get = (pk: string) => new GetItemCommand({ TableName: 'things', Key: Key(pk) });

describe('the engine through the SDK', () => {
  it('puts, gets, updates and deletes', async () => {
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

  it('queries an index', async () => {
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

  it('fails a condition with the exception of the SDK and the old item', async () => {
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

  it('cancels a transaction with the reason of each item', async () => {
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

  it('names a missing table and a malformed request', async () => {
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
  it('is in the call log, and in the answer only for those who ask', async () => {
    cloud.services.clearCalls();
    expect(await client.send(put('cost'))).not.toHaveProperty('ConsumedCapacity', expect.anything());
    const asked = new GetItemCommand({
      TableName: 'things',
      Key: Key('cost'),
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect((await client.send(asked)).ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5 });
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

  it('does not touch an attribute of that name', async () => {
    const Item = { ...Key('named'), ConsumedCapacity: { M: { ConsumedCapacity: { S: 'x' } } } };
    await client.send(new PutItemCommand({ TableName: 'things', Item }));
    expect((await client.send(get('named'))).Item).toEqual(Item);
  });
});

describe('IAM', () => {
  const as = (...statements: PolicyStatement[]) => new DynamoDBClient(cloud.caller('limited', ...statements));
  const denied = { name: 'AccessDeniedException', status: 400 };

  it('refuses what no statement allows, by table and by action', async () => {
    const reader = as(allow('dynamodb:GetItem', arn));
    await reader.send(get('a'));
    expect(await failure(reader.send(put('a')))).toMatchObject({
      ...denied,
      message: expect.stringContaining(`is not authorized to perform: dynamodb:PutItem on resource: ${arn}`),
    });
    expect(await failure(as(allow('dynamodb:*', `${arn}-other`)).send(get('a')))).toMatchObject(denied);
  });

  it('wants the ARN of the index for a query on it', async () => {
    const query = new QueryCommand({
      TableName: 'things',
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :o',
      ExpressionAttributeValues: { ':o': { S: 'anna' } },
    });
    expect(await failure(as(allow('dynamodb:Query', arn)).send(query))).toMatchObject(denied);
    expect(await as(allow('dynamodb:Query', `${arn}/index/*`)).send(query)).toHaveProperty('Items');
  });

  it('wants the action of each item of a transaction', async () => {
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
    expect(await failure(as(allow('dynamodb:PutItem', arn)).send(transaction))).toMatchObject(denied);
    await as(allow(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'], arn)).send(transaction);
    const read = new TransactGetItemsCommand({
      TransactItems: [{ Get: { TableName: 'things', Key: Key('t') } }],
    });
    expect(await failure(as(allow('dynamodb:Query', arn)).send(read))).toMatchObject(denied);
    expect(await as(allow('dynamodb:GetItem', arn)).send(read)).toHaveProperty('Responses');
  });

  it('holds item and partition to the leading keys', async () => {
    const mine = as({
      ...allow(
        [
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
        ],
        arn,
      ),
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['mine#*'] } },
    });
    const query = (pk: string, condition: string) =>
      new QueryCommand({
        TableName: 'things',
        KeyConditionExpression: condition,
        ExpressionAttributeNames: { '#k': 'pk' },
        ExpressionAttributeValues: { ':k': { S: pk }, ...(condition.includes(':s') && { ':s': { S: '0' } }) },
      });
    const batch = (pk: string) =>
      new BatchGetItemCommand({ RequestItems: { things: { Keys: [Key('mine#1'), Key(pk)] } } });
    const write = (pk: string) =>
      new BatchWriteItemCommand({ RequestItems: { things: [{ PutRequest: { Item: Key(pk) } }] } });

    await mine.send(put('mine#1'));
    await mine.send(get('mine#1'));
    await mine.send(query('mine#1', '#k = :k AND begins_with(sk, :s)'));
    await mine.send(batch('mine#2'));
    await mine.send(write('mine#2'));
    expect(await failure(mine.send(put('theirs#1')))).toMatchObject(denied);
    expect(await failure(mine.send(get('theirs#1')))).toMatchObject(denied);
    expect(await failure(mine.send(query('theirs#1', 'sk > :s and (#k = :k)')))).toMatchObject(denied);
    expect(await failure(mine.send(batch('theirs#1')))).toMatchObject(denied);
    expect(await failure(mine.send(write('theirs#1')))).toMatchObject(denied);
  });

  it('holds a reader to the attributes', async () => {
    const some = as({
      ...allow('dynamodb:GetItem', arn),
      Condition: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'name'] } },
    });
    const project = (expression: string) =>
      new GetItemCommand({
        TableName: 'things',
        Key: Key('a'),
        ProjectionExpression: expression,
        ExpressionAttributeNames: { '#n': 'name' },
      });
    await some.send(project('#n'));
    expect(await failure(some.send(project('#n, secret')))).toMatchObject(denied);
  });
});

describe('tables', () => {
  it('are kept when made again, and take on a new index', async () => {
    const small = table('growing', { globalSecondaryIndexes: [], attributeDefinitions: keyAttributes });
    await cloud.services.createTable(small);
    await client.send(
      new PutItemCommand({ TableName: 'growing', Item: { ...Key('a'), holder: { S: 'anna' } } }),
    );
    await cloud.services.createTable(table('growing'));
    const { Items } = await client.send(new ScanCommand({ TableName: 'growing', IndexName: 'byOwner' }));
    expect(Items).toHaveLength(1);
    await cloud.services.createTable(small);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'growing' }));
    expect(Table?.GlobalSecondaryIndexes ?? []).toEqual([]);
  });

  it('are refused when the key is another', async () => {
    await cloud.services.createTable(table('keyed'));
    const other = table('keyed', { keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] });
    await expect(cloud.services.createTable(other)).rejects.toThrow('has another key schema');
  });

  it('lose what has outlived its time when the clock moves, and nothing else', async () => {
    const nowSeconds = Math.floor(cloud.clock.now() / 1000);
    const ttl = (seconds: number) => ({ ttl: { N: String(nowSeconds + seconds) } });
    await client.send(put('short', ttl(100)));
    await client.send(put('long', ttl(1000)));
    await client.send(put('ancient', ttl(-6 * 365 * 24 * 3600)));
    await client.send(put('for ever'));
    cloud.clock.advance(500);
    const moved = new DynamoDBClient(cloud.operator);
    await eventually(async () => expect((await moved.send(get('short'))).Item).toBeUndefined());
    for (const kept of ['long', 'ancient', 'for ever'])
      expect((await moved.send(get(kept))).Item).toBeDefined();
  });
});

async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 5000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
