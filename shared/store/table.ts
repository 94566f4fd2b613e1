import {
  type AttributeValue,
  BatchGetItemCommand,
  type CancellationReason,
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
import type * as z from 'zod';
import { repeat } from '../runtime/repeat.ts';
import { sleep } from '../runtime/time.ts';
import { ITEM_VERSION, type Item, parseItem } from './items.ts';
import type { Key } from './keys.ts';

/** `expression` refers to attributes as `#name` and to values as `:name`. */
export interface Condition {
  expression: string;
  values?: Item;
}

export type Write =
  | { put: Item & Key; condition?: Condition }
  | { update: Key; set: Item; condition?: Condition }
  | { delete: Key; condition?: Condition }
  | { check: Key; condition: Condition };

interface Page {
  items: Item[];
  /** The start key of the next page; undefined on the last one. */
  next: Item | undefined;
}

export interface QueryInput {
  index?: { name: string; pk: string; sk: string };
  pk: string;
  /** A condition on the sort key: a prefix or an inclusive range. */
  sk?: { prefix: string } | { from: string; to: string };
  limit?: number | undefined;
  newestFirst?: boolean;
  startAfter?: Item | undefined;
  consistent?: boolean;
}

type WholeQuery = Omit<QueryInput, 'limit'>;

/** Thrown if a write's condition did not hold. `current` is the stored item, if the database returned it. */
export class ConditionFailed extends Error {
  override name = 'ConditionFailed';
  readonly current: Item | undefined;
  /** Indexes of the failed writes of a transaction. */
  readonly failed: number[];

  constructor(current: Item | undefined, failed: number[] = [0]) {
    super('A condition of the write did not hold.');
    this.current = current;
    this.failed = failed;
  }
}

/** False if the condition of a write does not hold. */
export async function tryWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Thrown if another transaction touched the same items at the same time. Nothing was written. */
export class WriteCollision extends Error {
  override name = 'WriteCollision';

  constructor() {
    super('Another write touched the same items at the same moment.');
  }
}

export const isNew: Condition = { expression: 'attribute_not_exists(#pk)' };
export const exists: Condition = { expression: 'attribute_exists(#pk)' };
/** The item still has these values. */
export const holds = (values: Item): Condition => ({
  expression: Object.keys(values)
    .map((name) => `#${name} = :${name}`)
    .join(' AND '),
  values,
});

/** The fields that an update sets to make one item of the other; undefined for those that are gone. */
export const changedFields = (before: Item, now: Item): Item =>
  Object.fromEntries(
    Object.keys({ ...before, ...now })
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name]]),
  );

/** The update of what changed, if anything did. Members of the item that this version does not know stay. */
export function changeWrites(key: Key, before: Item, now: Item, condition?: Condition): Write[] {
  const set = changedFields(before, now);
  return Object.keys(set).length > 0 ? [{ update: key, set, ...(condition && { condition }) }] : [];
}

const toItem = (value: Item) => marshall(value, { removeUndefinedValues: true });
const toVersionedItem = (value: Item) => toItem({ ...value, itemVersion: ITEM_VERSION });

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
  const { expression, values } = condition;
  return {
    ConditionExpression: expression,
    ExpressionAttributeNames: namesIn(expression),
    ...(values && {
      ExpressionAttributeValues: toItem(
        Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
      ),
    }),
  };
}

/** `set` holds the new values; an undefined value removes its attribute. */
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

function sortKeyParts(sk: QueryInput['sk']): { condition: string; values: Record<string, string> } {
  if (!sk) return { condition: '', values: {} };
  if ('prefix' in sk)
    return { condition: ' AND begins_with(#sk, :prefix)', values: { ':prefix': sk.prefix } };
  return { condition: ' AND #sk BETWEEN :from AND :to', values: { ':from': sk.from, ':to': sk.to } };
}

/** DynamoDB reads so many items at once. */
const MOST_KEYS = 100;

const FIRST_UNPROCESSED_PAUSE_MS = 20;

/** A transaction holds its items for some milliseconds. */
const HELD_PAUSES_MS = [20, 40, 80, 160, 320];

/** Capacity comes back within a second, as a rule. */
const THROTTLED_PAUSES_MS = [100, 200, 400, 800];
const SHORT_OF_CAPACITY: readonly (string | undefined)[] = [
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/** True for a transaction that DynamoDB cancelled for want of capacity, which the SDK does not repeat. */
export const isShortOfCapacity = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => SHORT_OF_CAPACITY.includes(Code));

const fromItem = (item: Record<string, AttributeValue> | undefined) => (item ? unmarshall(item) : undefined);

export class Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  /** The table of a write; a write that is refused answers with the stored item. */
  readonly #target;

  constructor(client: DynamoDBClient, name: string) {
    this.#client = client;
    this.#name = name;
    this.#target = { TableName: name, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  }

  async get(key: Key, { consistent = false } = {}): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#name, Key: marshall(key), ConsistentRead: consistent }),
    );
    return fromItem(Item);
  }

  /** Reads an item as it is after the newest write. */
  async find<S extends z.ZodType>(schema: S, key: Key): Promise<z.output<S> | undefined> {
    const item = await this.get(key, { consistent: true });
    return item && parseItem(schema, item);
  }

  /** Reads the items of a query as they are after the newest write. */
  async findAll<S extends z.ZodType>(schema: S, input: WholeQuery): Promise<z.output<S>[]> {
    const items = await this.queryAll({ ...input, consistent: true });
    return items.map((item) => parseItem(schema, item));
  }

  /** Reads the items of these keys as they are after the newest write, as `getAll` does. */
  async findEach<S extends z.ZodType>(schema: S, keys: Key[]): Promise<z.output<S>[]> {
    const items = await this.getAll(keys, { consistent: true });
    return items.map((item) => parseItem(schema, item));
  }

  /** The items of these keys, each once and in their order, without those that do not exist. */
  async getAll(keys: Key[], { consistent = false } = {}): Promise<Item[]> {
    const items = new Map<string, Item>();
    // DynamoDB refuses a call that names a key twice.
    const asked = new Map(keys.map((key) => [`${key.pk}|${key.sk}`, key]));
    let left: Record<string, AttributeValue>[] = [...asked.values()].map((key) => marshall(key));
    for (let pause = FIRST_UNPROCESSED_PAUSE_MS; left.length > 0; ) {
      const Keys = left.slice(0, MOST_KEYS);
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetItemCommand({ RequestItems: { [this.#name]: { Keys, ConsistentRead: consistent } } }),
      );
      for (const found of Responses?.[this.#name] ?? []) {
        const item = unmarshall(found);
        items.set(`${item.pk}|${item.sk}`, item);
      }
      // DynamoDB answers a part when it is short of capacity, and the SDK does not ask for the rest.
      const unprocessed = UnprocessedKeys?.[this.#name]?.Keys ?? [];
      left = [...unprocessed, ...left.slice(MOST_KEYS)];
      if (unprocessed.length === 0) continue;
      await sleep(pause);
      pause *= 2;
    }
    return [...asked.keys()].flatMap((key) => {
      const item = items.get(key);
      return item ? [item] : [];
    });
  }

  async query(input: QueryInput): Promise<Page> {
    const pkName = input.index?.pk ?? 'pk';
    const skName = input.index?.sk ?? 'sk';
    const { condition, values } = sortKeyParts(input.sk);
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#name,
        IndexName: input.index?.name,
        KeyConditionExpression: `#pk = :pk${condition}`,
        ExpressionAttributeNames: { '#pk': pkName, ...(input.sk && { '#sk': skName }) },
        ExpressionAttributeValues: marshall({ ':pk': input.pk, ...values }),
        ScanIndexForward: !input.newestFirst,
        ConsistentRead: input.consistent,
        Limit: input.limit,
        ExclusiveStartKey: input.startAfter && marshall(input.startAfter),
      }),
    );
    return { items: Items.map((item) => unmarshall(item)), next: fromItem(LastEvaluatedKey) };
  }

  queryAll = (input: WholeQuery): Promise<Item[]> => this.queryUpTo(Number.POSITIVE_INFINITY, input);

  /** The first items of a query, in as many pages as that takes: a page ends at 1 MB. */
  async queryUpTo(count: number, input: WholeQuery): Promise<Item[]> {
    const items: Item[] = [];
    let { startAfter } = input;
    do {
      const limit = count - items.length;
      const page = await this.query({ ...input, startAfter, ...(Number.isFinite(limit) && { limit }) });
      items.push(...page.items);
      startAfter = page.next;
    } while (startAfter && items.length < count);
    return items;
  }

  async put(item: Item & Key, condition?: Condition): Promise<void> {
    const put = new PutItemCommand(this.#putParts(item, condition));
    await this.#unlessHeld(() => this.#client.send(put));
  }

  async update(key: Key, set: Item, condition?: Condition): Promise<void> {
    const update = new UpdateItemCommand(this.#updateParts(key, set, condition));
    await this.#unlessHeld(() => this.#client.send(update));
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    const deletion = new DeleteItemCommand(this.#keyParts(key, condition));
    await this.#unlessHeld(() => this.#client.send(deletion));
  }

  /** Writes all or nothing. The SDK adds a token, so that its retries do not write twice. */
  async transact(writes: Write[]): Promise<void> {
    const items: TransactWriteItem[] = writes.map((write) => {
      if ('put' in write) return { Put: this.#putParts(write.put, write.condition) };
      if ('update' in write) return { Update: this.#updateParts(write.update, write.set, write.condition) };
      if ('delete' in write) return { Delete: this.#keyParts(write.delete, write.condition) };
      const { ConditionExpression = '', ...rest } = this.#keyParts(write.check, write.condition);
      return { ConditionCheck: { ConditionExpression, ...rest } };
    });
    await this.#unlessThrottled(() =>
      this.#client.send(new TransactWriteItemsCommand({ TransactItems: items })),
    );
  }

  #putParts(item: Item & Key, condition: Condition | undefined) {
    return { ...this.#target, Item: toVersionedItem(item), ...conditionParts(condition) };
  }

  #updateParts(key: Key, set: Item, condition: Condition | undefined) {
    return { ...this.#target, Key: marshall(key), ...updateParts(set, condition) };
  }

  #keyParts(key: Key, condition: Condition | undefined) {
    return { ...this.#target, Key: marshall(key), ...conditionParts(condition) };
  }

  /** Sends a transaction, again where DynamoDB was short of capacity. */
  #unlessThrottled<T>(send: () => Promise<T>): Promise<T> {
    const pauses = THROTTLED_PAUSES_MS.map((pause) => pause * (0.5 + Math.random()));
    return repeat(() => this.#unlessRefused(send), isShortOfCapacity, pauses);
  }

  /** Sends the write of one item, again while a transaction holds the item: the SDK does not. */
  #unlessHeld<T>(send: () => Promise<T>): Promise<T> {
    const isHeld = (error: unknown) => error instanceof WriteCollision;
    return repeat(() => this.#unlessRefused(send), isHeld, HELD_PAUSES_MS);
  }

  async #unlessRefused<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }
}

function refusalIn(error: unknown): ConditionFailed | WriteCollision | undefined {
  if (error instanceof ConditionalCheckFailedException) return new ConditionFailed(fromItem(error.Item));
  if (error instanceof TransactionCanceledException) return refusalAmong(error.CancellationReasons ?? []);
  const isHeld = error instanceof Error && error.name === 'TransactionConflictException';
  return isHeld ? new WriteCollision() : undefined;
}

function refusalAmong(reasons: readonly CancellationReason[]): ConditionFailed | WriteCollision | undefined {
  // The conditions were compared in the middle of another transaction: whether they failed says nothing.
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return new WriteCollision();
  const failed = reasons.flatMap(({ Code }, place) => (Code === 'ConditionalCheckFailed' ? [place] : []));
  const [first] = failed;
  return first === undefined ? undefined : new ConditionFailed(fromItem(reasons[first]?.Item), failed);
}
