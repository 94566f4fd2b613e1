/** The IAM permissions that a DynamoDB call needs: actions, tables, indexes and condition keys. */
import * as z from 'zod';
import type { Location, TableSettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { read } from '../json-protocol.ts';

export interface Naming extends Location {
  table(name: string): TableSettings | undefined;
}

/** Its values are not looked at, and a record would be copied one by one. */
const attributes = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
const single = z.object({
  TableName: z.string(),
  IndexName: z.string().optional(),
  Key: attributes.optional(),
  Keys: z.array(attributes).optional(),
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

const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: z.exactOptional(single),
      Update: z.exactOptional(single),
      Delete: z.exactOptional(single),
      ConditionCheck: z.exactOptional(single),
    }),
  ),
});

const batch = z.object({
  RequestItems: z.record(z.string(), single.omit({ TableName: true })),
});

export function dynamodbPermissions(operation: string, input: unknown, naming: Naming): Permission[] {
  if (operation === 'BatchGetItem')
    return Object.entries(read(batch, input).RequestItems).map(([TableName, part]) =>
      permission(operation, { ...part, TableName }, naming),
    );
  if (operation !== 'TransactWriteItems') return [permission(operation, read(single, input), naming)];
  return read(transaction, input).TransactItems.flatMap((item) =>
    Object.entries(item).map(([kind, part]) => permission(`${kind}Item`, part, naming, operation)),
  );
}

function permission(action: string, part: Single, naming: Naming, enclosing?: string): Permission {
  const arn = part.TableName.startsWith('arn:')
    ? part.TableName
    : `arn:aws:dynamodb:${naming.region}:${naming.account}:table/${part.TableName}`;
  const item = part.Item ?? part.Key;
  const items = part.Keys ?? (item ? [item] : queriedKeys(part, naming));
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

/** The partition key of a query: `pk = :p` in its key condition, alone or with a condition on the sort key. */
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

const EXPRESSION_WORDS = new Set(
  'set remove add delete and or not between in attribute_exists attribute_not_exists attribute_type begins_with contains size if_not_exists list_append'.split(
    ' ',
  ),
);

/** The top-level attributes in a call's items, keys and expressions. */
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
      if (!EXPRESSION_WORDS.has(word.toLowerCase())) names.add(part.ExpressionAttributeNames?.[word] ?? word);
    }
  }
  return names;
}
