/** Turns a stack into a plan, or throws the reasons why it cannot run here. */
import * as z from 'zod';
import { creationOrder, dependencies } from './order.ts';
import { Plan } from './plan.ts';
import type { Stack } from './read.ts';
import { refusals } from './refusals.ts';
import { resolve, type Scope } from './resolve.ts';
import {
  type Attributes,
  type Environment,
  type Place,
  partOfStack,
  type ResourceType,
} from './resource-type.ts';
import { API_GATEWAY_TYPES } from './resources/api-gateway.ts';
import { CLOUDFRONT_TYPES } from './resources/cloudfront.ts';
import { CONTAINER_TYPES } from './resources/containers.ts';
import { FIREWALL_TYPES } from './resources/firewall.ts';
import { IGNORED_TYPES } from './resources/ignored-types.ts';
import { LAMBDA_TYPES } from './resources/lambda.ts';
import { MAIL_TYPES } from './resources/mail.ts';
import { MESSAGING_TYPES } from './resources/messaging.ts';
import { MONITORING_TYPES } from './resources/monitoring.ts';
import { NETWORK_TYPES } from './resources/network.ts';
import { RESPONSE_HEADERS_TYPES } from './resources/response-headers-policy.ts';
import { SECURITY_TYPES } from './resources/security.ts';
import { STORAGE_TYPES } from './resources/storage.ts';
import { describe, isObject, StackError, type Template } from './template.ts';

const RESOURCE_TYPES: Record<string, ResourceType> = {
  ...STORAGE_TYPES,
  ...SECURITY_TYPES,
  ...MAIL_TYPES,
  ...MESSAGING_TYPES,
  ...LAMBDA_TYPES,
  ...API_GATEWAY_TYPES,
  ...CLOUDFRONT_TYPES,
  ...RESPONSE_HEADERS_TYPES,
  ...CONTAINER_TYPES,
  ...NETWORK_TYPES,
  ...MONITORING_TYPES,
  ...FIREWALL_TYPES,
};

export function makePlan(stack: Stack, environment: Environment): Plan {
  const plan = new Plan();
  const problems = planStack(stack, plan, environment);
  if (plan.distributions.length > 1) problems.push('The app has several distributions; one is implemented.');
  if (problems.length === 0) problems.push(...refusals(plan, environment));
  if (problems.length > 0) throw new StackError(problems.join('\n'));
  return plan;
}

function planStack(stack: Stack, plan: Plan, environment: Environment): string[] {
  const { template } = stack;
  const made = new Map<string, Attributes>();
  const scope = stackScope(template, made, environment);
  const exists = (id: string): boolean => {
    const condition = template.Resources[id]?.Condition;
    if (condition === undefined) return id in template.Resources;
    const expression = partOfStack(template.Conditions?.[condition], `The condition ${condition}`);
    return resolve(expression, scope) === true;
  };
  const place: Omit<Place, 'id'> = {
    stackName: stack.name,
    ...environment,
    plan,
    asset: (key) => partOfStack(stack.assets.get(key), `The asset ${key}`),
  };
  const providers = customResourceProviders(template);
  const problems: string[] = [];
  const failed = new Set<string>();

  for (const id of creationOrder(template, exists)) {
    const resource = template.Resources[id];
    if (!resource) continue;
    const reason = providers.has(id) ? 'the local cloud does its work' : IGNORED_TYPES[resource.Type];
    if (reason !== undefined) {
      plan.ignored.push({ resource: describe(id, resource), reason });
      continue;
    }
    if ([...dependencies(id, resource, template)].some((other) => failed.has(other))) {
      failed.add(id);
      continue;
    }
    try {
      const type = RESOURCE_TYPES[resource.Type];
      if (!type) throw new StackError('resources of this type are not implemented by the local cloud.');
      made.set(id, type.plan(resolve(resource.Properties ?? {}, scope), { ...place, id }));
    } catch (error) {
      failed.add(id);
      problems.push(...sentences(error).map((sentence) => `${describe(id, resource)}: ${sentence}`));
    }
  }
  if (problems.length === 0) readOutputs(template, scope, plan);
  return problems;
}

function stackScope(
  template: Template,
  made: ReadonlyMap<string, Attributes>,
  { region, account }: Environment,
): Scope {
  const pseudo: Record<string, string> = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  return {
    ref: (id) => pseudo[id] ?? made.get(id)?.ref ?? placeholder(template, id),
    attribute: (id, name) =>
      made.get(id)?.[name] ?? attributePlaceholder(template, id, name, made.has(id), region),
    mapping: (map, first, second) => template.Mappings?.[map]?.[first]?.[second],
  };
}

/** A reference to an ignored resource: a value of the right form that nothing uses. */
function placeholder(template: Template, id: string): string {
  if (!(id in template.Resources)) throw new StackError(`${id} is not part of the template.`);
  return id;
}

function attributePlaceholder(
  template: Template,
  id: string,
  name: string,
  isMade: boolean,
  region: string,
): string {
  const type = template.Resources[id]?.Type ?? '';
  if (isMade)
    throw new StackError(`The attribute ${name} of ${id} (${type}) is not implemented by the local cloud.`);
  const [, service = '', kind = ''] = type.toLowerCase().split('::');
  if (/arn$/i.test(name))
    return `arn:aws:${service}:${region}:000000000000:${kind}/${placeholder(template, id)}`;
  return placeholder(template, id);
}

/** The functions of custom resources that the local cloud implements or ignores itself. */
function customResourceProviders(template: Template): Set<string> {
  const providers = new Set<string>();
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (!Type.startsWith('Custom::') || !(Type in RESOURCE_TYPES || Type in IGNORED_TYPES)) continue;
    const token = Properties?.ServiceToken;
    const target = isObject(token) ? token['Fn::GetAtt'] : undefined;
    if (Array.isArray(target)) providers.add(String(target[0]));
  }
  return providers;
}

function readOutputs(template: Template, scope: Scope, plan: Plan): void {
  for (const [name, { Value }] of Object.entries(template.Outputs ?? {}))
    plan.outputs[name] = String(resolve(Value, scope));
}

function sentences(error: unknown): string[] {
  if (error instanceof StackError) return [error.message];
  if (!(error instanceof z.ZodError)) throw error;
  return error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `the property ${[...issue.path, key].join('.')} is not implemented by the local cloud.`,
      );
    }
    return [`the property ${path}: ${issue.message}.`];
  });
}
