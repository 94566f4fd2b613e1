import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

/** `expression` names its attributes with `#name` and its values with `:name`; names are made from it. */
export interface Condition {
  expression: string;
  values?: Item;
}

export type Write =
  | { put: Item & Key; condition?: Condition }
  | { update: Key; set: Item; condition?: Condition }
  | { delete: Key; condition?: Condition }
  | { check: Key; condition: Condition };

export interface Page {
  items: Item[];
  /** The key to go on after, undefined on the last page. */
  next: Item | undefined;
}

export interface QueryInput {
  index?: { name: string; pk: string; sk: string };
  pk: string;
  /** A condition on the sort key: prefix, or a closed range. */
  sk?: { prefix: string } | { from: string; to: string };
  limit?: number;
  newestFirst?: boolean;
  startAfter?: Item;
  consistent?: boolean;
}

/** A condition of a write did not hold. Where the store gave it, `current` is the item as it stands. */
export class ConditionFailed extends Error {
  readonly current: Item | undefined;
  /** For a transaction: the places of the writes whose condition failed. */
  readonly failed: number[];

  constructor(current: Item | undefined, failed: number[] = [0]) {
    super('A condition of the write did not hold.');
    this.name = 'ConditionFailed';
    this.current = current;
    this.failed = failed;
  }
}

/** Another transaction touched the same items at the same moment; nothing was written. */
export class WriteCollision extends Error {
  constructor() {
    super('Another write touched the same items at the same moment.');
    this.name = 'WriteCollision';
  }
}

export const isNew: Condition = { expression: 'attribute_not_exists(#pk)' };
export const exists: Condition = { expression: 'attribute_exists(#pk)' };

const toItem = (value: Item) => marshall(value, { removeUndefinedValues: true });

const namesIn = (expression: string) =>
  Object.fromEntries(
    [...expression.matchAll(/#(\w+)/g)].map(([placeholder, name]) => [placeholder, name ?? '']),
  );

interface ConditionParts {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}

function conditionParts(condition: Condition | undefined): ConditionParts {
  if (!condition) return {};
  const values = condition.values ?? {};
  return {
    ConditionExpression: condition.expression,
    ExpressionAttributeNames: namesIn(condition.expression),
    ...(Object.keys(values).length > 0 && {
      ExpressionAttributeValues: toItem(
        Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
      ),
    }),
  };
}

/** `set` gives each field its value; an undefined one is removed. */
function updateParts(set: Item, condition: Condition | undefined) {
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  const removed = Object.keys(set).filter((name) => set[name] === undefined);
  const sets = given.map(([name]) => `#${name} = :set_${name}`).join(', ');
  const expression = [
    sets && `SET ${sets}`,
    removed.length > 0 && `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ');
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...rest } = conditionParts(condition);
  const values = {
    ...ExpressionAttributeValues,
    ...toItem(Object.fromEntries(given.map(([name, value]) => [`:set_${name}`, value]))),
  };
  return {
    ...rest,
    UpdateExpression: expression,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, ...namesIn(expression) },
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const fromItem = (item: Record<string, AttributeValue> | undefined) => (item ? unmarshall(item) : undefined);

export class Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;

  constructor(client: DynamoDBClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  async get(key: Key, { consistent = false } = {}): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#name, Key: marshall(key), ConsistentRead: consistent }),
    );
    return fromItem(Item);
  }

  async query(input: QueryInput): Promise<Page> {
    const pkName = input.index?.pk ?? 'pk';
    const skName = input.index?.sk ?? 'sk';
    const sk = input.sk;
    const skCondition = !sk
      ? ''
      : 'prefix' in sk
        ? ' AND begins_with(#sk, :prefix)'
        : ' AND #sk BETWEEN :from AND :to';
    const skValues = !sk
      ? {}
      : 'prefix' in sk
        ? { ':prefix': sk.prefix }
        : { ':from': sk.from, ':to': sk.to };
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#name,
        IndexName: input.index?.name,
        KeyConditionExpression: `#pk = :pk${skCondition}`,
        ExpressionAttributeNames: { '#pk': pkName, ...(sk && { '#sk': skName }) },
        ExpressionAttributeValues: marshall({ ':pk': input.pk, ...skValues }),
        ScanIndexForward: !input.newestFirst,
        ConsistentRead: input.consistent,
        ...(input.limit !== undefined && { Limit: input.limit }),
        ...(input.startAfter && { ExclusiveStartKey: marshall(input.startAfter) }),
      }),
    );
    return { items: Items.map((item) => unmarshall(item)), next: fromItem(LastEvaluatedKey) };
  }

  async queryAll(input: QueryInput): Promise<Item[]> {
    const items: Item[] = [];
    let startAfter = input.startAfter;
    do {
      const page = await this.query({ ...input, ...(startAfter && { startAfter }) });
      items.push(...page.items);
      startAfter = page.next;
    } while (startAfter);
    return items;
  }

  async put(item: Item & Key, condition?: Condition): Promise<void> {
    await this.#unlessRefused(() =>
      this.#client.send(
        new PutItemCommand({
          TableName: this.#name,
          Item: toItem(item),
          ...conditionParts(condition),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  }

  async update(key: Key, set: Item, condition?: Condition): Promise<void> {
    await this.#unlessRefused(() =>
      this.#client.send(
        new UpdateItemCommand({
          TableName: this.#name,
          Key: marshall(key),
          ...updateParts(set, condition),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  }

  /** Adds one to a counter under a condition, sets fields beside it, and gives the item as it then stands. */
  async count(key: Key, counter: string, set: Item, condition: Condition): Promise<Item> {
    const parts = updateParts(set, condition);
    const { Attributes } = await this.#unlessRefused(() =>
      this.#client.send(
        new UpdateItemCommand({
          TableName: this.#name,
          Key: marshall(key),
          ...parts,
          UpdateExpression: `${parts.UpdateExpression} ADD #${counter} :one`,
          ExpressionAttributeNames: { ...parts.ExpressionAttributeNames, [`#${counter}`]: counter },
          ExpressionAttributeValues: { ...parts.ExpressionAttributeValues, ':one': { N: '1' } },
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    return fromItem(Attributes) ?? {};
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    await this.#unlessRefused(() =>
      this.#client.send(
        new DeleteItemCommand({
          TableName: this.#name,
          Key: marshall(key),
          ...conditionParts(condition),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  }

  /** All or nothing. The SDK sends its own token with it, so that a retried call does not write twice. */
  async transact(writes: Write[]): Promise<void> {
    const TableName = this.#name;
    const items: TransactWriteItem[] = writes.map((write) => {
      const onRefusal = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
      if ('put' in write)
        return { Put: { ...onRefusal, Item: toItem(write.put), ...conditionParts(write.condition) } };
      if ('update' in write)
        return {
          Update: { ...onRefusal, Key: marshall(write.update), ...updateParts(write.set, write.condition) },
        };
      if ('delete' in write)
        return { Delete: { ...onRefusal, Key: marshall(write.delete), ...conditionParts(write.condition) } };
      const { ConditionExpression = '', ...rest } = conditionParts(write.condition);
      return { ConditionCheck: { ...onRefusal, Key: marshall(write.check), ConditionExpression, ...rest } };
    });
    await this.#unlessRefused(() =>
      this.#client.send(new TransactWriteItemsCommand({ TransactItems: items })),
    );
  }

  async #unlessRefused<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw new ConditionFailed(fromItem(error.Item));
      if (error instanceof TransactionCanceledException) {
        const reasons = error.CancellationReasons ?? [];
        const failed = reasons.flatMap((reason, place) =>
          reason.Code === 'ConditionalCheckFailed' ? [place] : [],
        );
        if (failed.length > 0) throw new ConditionFailed(fromItem(reasons[failed[0] ?? 0]?.Item), failed);
        if (reasons.some((reason) => reason.Code === 'TransactionConflict')) throw new WriteCollision();
      }
      if (error instanceof Error && error.name === 'TransactionConflictException') throw new WriteCollision();
      throw error;
    }
  }
}
