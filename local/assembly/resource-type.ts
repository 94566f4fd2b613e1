/** A resource type: a schema of its supported properties, and a function that adds a resource to the plan. */
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { Location, PolicyStatement } from '../ports.ts';
import type { Plan } from './plan.ts';
import { type Json, StackError } from './template.ts';

/** The values of Ref and Fn::GetAtt for a resource. */
export interface Attributes {
  ref: string;
  [attribute: string]: Json;
}

export interface Environment extends Location {
  queueUrl(name: string): string;
}

/** The resource that is being planned, and the plan it is added to. */
export interface Place extends Environment {
  id: string;
  stackName: string;
  plan: Plan;
  /** The folder of an uploaded asset by its object key. */
  asset(objectKey: string): string;
}

export interface ResourceType {
  plan(properties: unknown, place: Place): Attributes;
}

/**
 * A property that the schema does not name is refused, because it may change behaviour. The schema lists properties
 * without effect here through `ignored`.
 */
export function resourceType<S extends z.ZodType>(
  schema: S,
  plan: (properties: z.output<S>, place: Place) => Attributes,
): ResourceType {
  return { plan: (properties, place) => plan(schema.parse(properties), place) };
}

/** The found part, or a refusal that names it. */
export function partOfStack<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new StackError(`${what} is not part of the stack.`);
  return found;
}

/** Properties without effect on one machine. */
export const ignored = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, z.exactOptional(z.unknown())])) as Record<
    K,
    z.ZodExactOptional<z.ZodUnknown>
  >;

// CloudFormation accepts numbers as text, and text as numbers or booleans.
export const number = z.coerce.number();
export const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);
export const optional = z.exactOptional;

const oneOrMore = z.union([z.string(), z.array(z.string())]);
// Policies compare numbers and booleans as text.
const conditionValue = z.union([text, z.array(text)]);

const statement: z.ZodType<PolicyStatement> = z.strictObject({
  Sid: optional(z.string()),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: optional(oneOrMore),
  Principal: optional(z.unknown()),
  Condition: optional(z.record(z.string(), z.record(z.string(), conditionValue))),
});

export const policyDocument = z.strictObject({
  Version: optional(z.string()),
  Id: optional(z.string()),
  Statement: z.union([z.array(statement), statement.transform((one) => [one])]),
});

/** A generated name like CloudFormation's: stack, logical id and a suffix, the same in every run. */
export function physicalName(place: Place, maxLength = 64): string {
  const suffix = shortHash(place).slice(0, 12);
  return `${`${place.stackName}-${place.id}`.slice(0, maxLength - suffix.length - 1)}-${suffix}`;
}

export function shortHash(place: Place): string {
  return hash('sha256', `${place.stackName}/${place.id}`);
}

export function uuidOf(place: Place): string {
  return shortHash(place).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

export function arn(service: string, resource: string, place: Place): string {
  const global = service === 'iam' || service === 'cloudfront';
  const bucket = service === 's3';
  return `arn:aws:${service}:${global || bucket ? '' : place.region}:${bucket ? '' : place.account}:${resource}`;
}
