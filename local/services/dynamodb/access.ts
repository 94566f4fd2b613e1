/** The IAM permissions that a DynamoDB call needs: actions, tables, indexes and leading keys. */
import * as z from 'zod';
import type { Location, TableSettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { read } from '../json-protocol.ts';

export interface Naming extends Location {
  table(name: string): TableSettings | undefined;
}

/** Checks the type only: a record schema would copy every value. */
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
    Object.entries(item).map(([kind, part]) => permission(`${kind}Item`, part, naming)),
  );
}

function permission(
  action: string,
  { TableName, IndexName, Key, Keys, Item = Key }: Single,
  { region, account, table }: Naming,
): Permission {
  const arn = `arn:aws:dynamodb:${region}:${account}:table/${TableName}`;
  const items = Keys ?? (Item && [Item]);
  const hashKey = table(TableName)?.keySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  return {
    action: `dynamodb:${action}`,
    resources: [IndexName === undefined ? arn : `${arn}/index/${IndexName}`],
    // A query's leading keys are in its expression, which is not parsed here: a policy on leading keys denies every query.
    ...(items && { context: { 'dynamodb:LeadingKeys': items.flatMap((item) => scalar(item[hashKey])) } }),
  };
}

function scalar(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((text) => typeof text === 'string');
}
