/** The stack's tables: created once, kept over restarts. Expired items are deleted by a sweep. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { Clock, TableSettings } from '../../ports.ts';
import { ResourceChanged } from '../service.ts';
import { startSweeps } from '../sweeps.ts';
import type { Engine } from './engine.ts';

const FIVE_YEARS_SECONDS = 5 * 365 * 24 * 3600;
const SWEEP_EVERY_MS = 5 * 60 * 1000;
/** Without a limit the engine reads the whole rest of the table for each page, and answers nothing else meanwhile. */
const ITEMS_A_PAGE = 200;
const REST_BETWEEN_PAGES_MS = 50;
const ACTIVE = 'ACTIVE';
const ACTIVE_WITHIN_MS = 60_000;

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const description = z.object({
  Table: z.object({
    TableStatus: z.string().default(ACTIVE),
    KeySchema: keySchema,
    GlobalSecondaryIndexes: z
      .array(
        z.object({
          IndexName: z.string(),
          IndexStatus: z.string().default(ACTIVE),
          KeySchema: keySchema,
          Projection: z.object({
            ProjectionType: z.string(),
            NonKeyAttributes: z.array(z.string()).default([]),
          }),
        }),
      )
      .default([]),
  }),
});
type Index = TableSettings['globalSecondaryIndexes'][number];
const scanned = z.object({
  Items: z.array(z.record(z.string(), z.unknown())),
  LastEvaluatedKey: z.record(z.string(), z.unknown()).optional(),
});

export class Tables {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #tables = new Map<string, TableSettings>();
  readonly stop: () => Promise<void>;

  constructor(engine: Engine, clock: Clock, log: (line: string) => void) {
    this.#engine = engine;
    this.#clock = clock;
    this.stop = startSweeps('The TTL sweep', SWEEP_EVERY_MS, clock, log, (signal) => this.#sweep(signal));
  }

  find(name: string): TableSettings | undefined {
    return this.#tables.get(name);
  }

  async create(settings: TableSettings): Promise<void> {
    const found = await this.#engine.send('DescribeTable', JSON.stringify({ TableName: settings.name }));
    if (found.status === 200)
      await this.#updateIndexes(settings, description.parse(JSON.parse(found.body.toString())));
    else await this.#createTable(settings);
    this.#tables.set(settings.name, settings);
  }

  async #createTable(settings: TableSettings): Promise<void> {
    await this.#command('CreateTable', {
      TableName: settings.name,
      AttributeDefinitions: settings.attributeDefinitions,
      KeySchema: settings.keySchema,
      BillingMode: 'PAY_PER_REQUEST',
      ...(settings.globalSecondaryIndexes.length > 0 && {
        GlobalSecondaryIndexes: settings.globalSecondaryIndexes,
      }),
    });
    await this.#untilActive(settings.name);
  }

  /** Adds and removes indexes. Like CloudFormation, it changes neither the key of a table nor an index. */
  async #updateIndexes(settings: TableSettings, { Table }: z.infer<typeof description>): Promise<void> {
    if (textOf(Table.KeySchema) !== textOf(settings.keySchema))
      throw new ResourceChanged(`The key of the table ${settings.name}`);
    const existing = new Map(Table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
    const wanted = new Map(settings.globalSecondaryIndexes.map((index) => [index.IndexName, index]));
    for (const [name, index] of wanted) {
      const found = existing.get(name);
      if (found && textOfIndex(found) !== textOfIndex(index)) throw new ResourceChanged(`The index ${name}`);
    }
    const changes = [
      ...[...existing.keys()]
        .filter((name) => !wanted.has(name))
        .map((IndexName) => ({ Delete: { IndexName } })),
      ...[...wanted.values()]
        .filter(({ IndexName }) => !existing.has(IndexName))
        .map((index) => ({ Create: index })),
    ];
    for (const change of changes) {
      await this.#command('UpdateTable', {
        TableName: settings.name,
        AttributeDefinitions: settings.attributeDefinitions,
        GlobalSecondaryIndexUpdates: [change],
      });
      await this.#untilActive(settings.name);
    }
  }

  /** Amazon's engines make tables and indexes after their answer, and change one index at a time. */
  async #untilActive(name: string): Promise<void> {
    const deadline = Date.now() + ACTIVE_WITHIN_MS;
    for (;;) {
      const { Table } = description.parse(await this.#command('DescribeTable', { TableName: name }));
      const statuses = [
        Table.TableStatus,
        ...Table.GlobalSecondaryIndexes.map(({ IndexStatus }) => IndexStatus),
      ];
      if (statuses.every((status) => status === ACTIVE)) return;
      if (Date.now() > deadline) throw new Error(`The table ${name} is still ${statuses.join(', ')}`);
      await wait(20);
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    for (const table of this.#tables.values()) {
      if (table.ttlAttribute !== undefined) await this.#sweepTable(table, table.ttlAttribute, signal);
    }
  }

  async #sweepTable(table: TableSettings, ttlAttribute: string, signal: AbortSignal): Promise<void> {
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    const isExpired = {
      ExpressionAttributeNames: { '#ttl': ttlAttribute },
      // Like AWS, keeps items that expired more than five years ago: such a value is likely not a TTL.
      ExpressionAttributeValues: {
        ':from': { N: String(nowSeconds - FIVE_YEARS_SECONDS) },
        ':until': { N: String(nowSeconds) },
      },
    };
    const keyNames = table.keySchema.map(({ AttributeName }) => AttributeName);
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#command('Scan', {
        TableName: table.name,
        Limit: ITEMS_A_PAGE,
        FilterExpression: '#ttl BETWEEN :from AND :until',
        ...isExpired,
        ...(start && { ExclusiveStartKey: start }),
      });
      const { Items, LastEvaluatedKey } = scanned.parse(page);
      for (const item of Items) {
        // Conditional: the TTL may have been extended since the scan.
        await this.#engine.send(
          'DeleteItem',
          JSON.stringify({
            TableName: table.name,
            Key: Object.fromEntries(keyNames.map((name) => [name, item[name]])),
            ConditionExpression: '#ttl BETWEEN :from AND :until',
            ...isExpired,
          }),
        );
      }
      start = LastEvaluatedKey;
      if (start) await wait(REST_BETWEEN_PAGES_MS);
    } while (start && !signal.aborted);
  }

  async #command(operation: string, input: object): Promise<unknown> {
    const answer = await this.#engine.send(operation, JSON.stringify(input));
    if (answer.status !== 200) throw new Error(`DynamoDB ${operation} failed: ${answer.body.toString()}`);
    return JSON.parse(answer.body.toString());
  }
}

/** For comparisons: the order of keys and attributes does not matter. */
const textOf = (schema: TableSettings['keySchema']): string =>
  schema
    .map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
    .sort()
    .join();

const textOfIndex = ({ KeySchema, Projection: { ProjectionType, NonKeyAttributes = [] } }: Index): string =>
  [textOf(KeySchema), ProjectionType, ...[...NonKeyAttributes].sort()].join();
