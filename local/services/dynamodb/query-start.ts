/** DynamoDB refuses a query that starts outside of its own range. The engine answers with the wrong page or with none. */
import * as z from 'zod';
import { read } from '../json-protocol.ts';
import { ServiceError } from '../service.ts';

const attribute = z.looseObject({ S: z.string().optional() });
const attributes = z.record(z.string(), attribute);
const startedQuery = z.object({
  KeyConditionExpression: z.string(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: attributes,
  ExclusiveStartKey: attributes,
});

const EQUALS = /(#?\w+) = (:\w+)/;
const BEGINS_WITH = /begins_with\((#?\w+), (:\w+)\)/;
const BETWEEN = /(#?\w+) BETWEEN (:\w+) AND (:\w+)/;

/** Knows the conditions that the product makes, on text; others pass. */
export function assertStartInRange(input: unknown): void {
  if (typeof input !== 'object' || input === null || !('ExclusiveStartKey' in input)) return;
  const query = read(startedQuery, input);
  const start = (name = '') =>
    query.ExclusiveStartKey[query.ExpressionAttributeNames?.[name] ?? name]?.S ?? '';
  const value = (name = '') => query.ExpressionAttributeValues[name]?.S ?? '';

  const equals = EQUALS.exec(query.KeyConditionExpression);
  if (equals && start(equals[1]) !== value(equals[2]))
    throw refusal('is outside query boundaries based on provided conditions');
  const prefixed = BEGINS_WITH.exec(query.KeyConditionExpression);
  const between = BETWEEN.exec(query.KeyConditionExpression);
  const isInRange =
    (!prefixed || start(prefixed[1]).startsWith(value(prefixed[2]))) &&
    (!between || isAscending(value(between[2]), start(between[1]), value(between[3])));
  if (!isInRange) throw refusal('does not match the range key predicate');
}

/** In the order of DynamoDB, by bytes. */
const isAscending = (...texts: string[]) =>
  texts.every((text, place) => Buffer.compare(Buffer.from(texts[place - 1] ?? ''), Buffer.from(text)) <= 0);

const refusal = (what: string) =>
  new ServiceError('ValidationException', `The provided starting key ${what}`);
