import * as z from 'zod';
import type { TableSettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { ServiceError } from '../service.ts';

/** What IAM must allow for a DynamoDB call: actions, tables and indexes, and the keys that conditions may look at. */

export type TableLookup = (name: string) => TableSettings | undefined;

export interface Naming {
  region: string;
  account: string;
  table: TableLookup;
}

const attributes = z.record(z.string(), z.unknown());
const single = z.object({
  TableName: z.string(),
  IndexName: z.string().optional(),
  Key: attributes.optional(),
  Item: attributes.optional(),
  KeyConditionExpression: z.string().optional(),
  ProjectionExpression: z.string().optional(),
  UpdateExpression: z.string().optional(),
  ConditionExpression: z.string().optional(),
  FilterExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: attributes.optional(),
  Select: z.string().optional(),
  ReturnValues: z.string().optional(),
});
type Single = z.infer<typeof single>;

const batchGet = z.object({
  RequestItems: z.record(
    z.string(),
    z.object({ Keys: z.array(attributes), ProjectionExpression: z.string().optional() }),
  ),
});
const batchWrite = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item: attributes }).optional(),
        DeleteRequest: z.object({ Key: attributes }).optional(),
      }),
    ),
  ),
});
const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: single.optional(),
      Update: single.optional(),
      Delete: single.optional(),
      ConditionCheck: single.optional(),
      Get: single.optional(),
    }),
  ),
});

const transactionActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
} as const;

/** Operations on one table whose action has their own name. */
export const tableOperations = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'DescribeTable',
  'DescribeTimeToLive',
];

export function dynamodbPermissions(operation: string, input: unknown, naming: Naming): Permission[] {
  switch (operation) {
    case 'BatchGetItem':
      return Object.entries(read(batchGet, input).RequestItems).map(([table, { Keys, ...rest }]) =>
        permission('BatchGetItem', table, naming, Keys, { TableName: table, ...rest }),
      );
    case 'BatchWriteItem':
      return Object.entries(read(batchWrite, input).RequestItems).map(([table, writes]) =>
        permission(
          'BatchWriteItem',
          table,
          naming,
          writes.map((write) => write.PutRequest?.Item ?? write.DeleteRequest?.Key ?? {}),
          { TableName: table },
        ),
      );
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return read(transaction, input).TransactItems.flatMap((item) =>
        (['Put', 'Update', 'Delete', 'ConditionCheck', 'Get'] as const).flatMap((kind) => {
          const part = item[kind];
          return part ? [itemPermission(transactionActions[kind], part, naming, operation)] : [];
        }),
      );
    case 'ListTables':
      return [{ action: 'dynamodb:ListTables', resources: ['*'], context: { values: {} } }];
    default:
      return [itemPermission(operation, read(single, input), naming)];
  }
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ServiceError('ValidationException', `${issue?.path.join('.')}: ${issue?.message}`);
}

function itemPermission(action: string, part: Single, naming: Naming, enclosing?: string): Permission {
  const items = part.Item ? [part.Item] : part.Key ? [part.Key] : queriedKeys(part, naming);
  return permission(action, part.TableName, naming, items, part, enclosing);
}

function permission(
  action: string,
  table: string,
  naming: Naming,
  items: Record<string, unknown>[],
  part: Single,
  enclosing?: string,
): Permission {
  const arn = table.startsWith('arn:')
    ? table
    : `arn:aws:dynamodb:${naming.region}:${naming.account}:table/${table}`;
  const hashKey = hashKeyOf(part, naming);
  const leadingKeys = hashKey === undefined ? [] : items.flatMap((item) => scalar(item[hashKey]));
  return {
    action: `dynamodb:${action}`,
    resources: [part.IndexName === undefined ? arn : `${arn}/index/${part.IndexName}`],
    context: {
      values: {
        'dynamodb:LeadingKeys': [...new Set(leadingKeys)],
        'dynamodb:Attributes': [...namedAttributes(part, items)],
        'dynamodb:Select': part.Select ? [part.Select] : [],
        'dynamodb:ReturnValues': part.ReturnValues ? [part.ReturnValues] : [],
        'dynamodb:EnclosingOperation': enclosing ? [enclosing] : [],
      },
    },
  };
}

function hashKeyOf(part: Single, naming: Naming): string | undefined {
  const table = naming.table(part.TableName.split('/').at(-1) ?? '');
  const schema =
    part.IndexName === undefined
      ? table?.keySchema
      : table?.globalSecondaryIndexes.find(({ IndexName }) => IndexName === part.IndexName)?.KeySchema;
  return schema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
}

/** A query names its partition in the key condition: `pk = :p`, alone or beside a condition on the sort key. */
function queriedKeys(part: Single, naming: Naming): Record<string, unknown>[] {
  const hashKey = hashKeyOf(part, naming);
  for (const term of (part.KeyConditionExpression ?? '').split(/\s+and\s+/i)) {
    const [, left, right] = /^[\s(]*([#:\w.-]+)\s*=\s*([#:\w.-]+)[\s)]*$/.exec(term) ?? [];
    if (!left || !right) continue;
    const [name, value] = left.startsWith(':') ? [right, left] : [left, right];
    const attribute = part.ExpressionAttributeNames?.[name] ?? name;
    if (attribute === hashKey) return [{ [attribute]: part.ExpressionAttributeValues?.[value] }];
  }
  return [];
}

function scalar(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((text) => typeof text === 'string');
}

const expressionWords = new Set(
  'set remove add delete and or not between in attribute_exists attribute_not_exists attribute_type begins_with contains size if_not_exists list_append'.split(
    ' ',
  ),
);

/** The top-level attributes that a call names, in its items, keys and expressions. */
function namedAttributes(part: Single, items: Record<string, unknown>[]): Set<string> {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  const expressions = [
    part.ProjectionExpression,
    part.UpdateExpression,
    part.ConditionExpression,
    part.FilterExpression,
    part.KeyConditionExpression,
  ];
  for (const expression of expressions) {
    for (const [word] of (expression ?? '').matchAll(/(?<![:.\w#-])#?[A-Za-z_][\w-]*/g)) {
      if (!expressionWords.has(word.toLowerCase())) names.add(part.ExpressionAttributeNames?.[word] ?? word);
    }
  }
  return names;
}
