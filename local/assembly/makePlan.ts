/** Turns the stacks of an assembly into one plan, or says in sentences why they cannot run here. */
import * as z from 'zod';
import { creationOrder, dependencies } from './order.ts';
import { Plan } from './plan.ts';
import type { Stack } from './read.ts';
import { resolve, type Scope } from './resolve.ts';
import { apiGateway } from './resources/apiGateway.ts';
import { cloudFront } from './resources/cloudFront.ts';
import { containers } from './resources/containers.ts';
import { lambda } from './resources/lambda.ts';
import { messaging } from './resources/messaging.ts';
import { passedOverTypes } from './resources/passedOver.ts';
import { security } from './resources/security.ts';
import { storage } from './resources/storage.ts';
import type { Attributes, Place, ResourceType } from './resourceType.ts';
import { describe, isObject, type Json, StackError, type Template } from './template.ts';

const resourceTypes: Record<string, ResourceType> = {
  ...storage,
  ...security,
  ...messaging,
  ...lambda,
  ...apiGateway,
  ...cloudFront,
  ...containers,
};

export interface Surroundings {
  region: string;
  account: string;
  queueUrl(name: string): string;
}

export function makePlan(stacks: Stack[], surroundings: Surroundings): Plan {
  const plan = new Plan();
  const exported = new Map<string, Json>();
  const problems = stacks.flatMap((stack) => planStack(stack, plan, exported, surroundings));
  if (problems.length > 0) throw new StackError(problems.join('\n'));
  return plan;
}

function planStack(
  stack: Stack,
  plan: Plan,
  exported: Map<string, Json>,
  surroundings: Surroundings,
): string[] {
  const { template } = stack;
  const made = new Map<string, Attributes>();
  const scope = stackScope(stack, made, exported, surroundings);
  const exists = (id: string): boolean => {
    const condition = template.Resources[id]?.Condition;
    return id in template.Resources && (condition === undefined || scope.condition(condition));
  };
  const place: Omit<Place, 'id'> = {
    stackName: stack.name,
    region: surroundings.region,
    account: surroundings.account,
    plan,
    queueUrl: surroundings.queueUrl,
    asset: (key) => {
      const path = stack.assets.get(key);
      if (path === undefined) throw new StackError(`The asset ${key} is not part of the assembly.`);
      return path;
    },
  };
  const providers = customResourceProviders(template);
  const problems: string[] = [];
  const failed = new Set<string>();

  for (const id of creationOrder(template, exists)) {
    const resource = template.Resources[id];
    if (!resource) continue;
    const reason = providers.has(id)
      ? 'its work is done by the local cloud itself'
      : passedOverTypes[resource.Type];
    if (reason !== undefined) {
      plan.passedOver.push({ resource: describe(id, resource), reason });
      continue;
    }
    if ([...dependencies(id, resource, template)].some((other) => failed.has(other))) {
      failed.add(id);
      continue;
    }
    try {
      const type = resourceTypes[resource.Type];
      if (!type) throw new StackError('resources of this type are not implemented by the local cloud.');
      made.set(id, type.plan(resolve(resource.Properties ?? {}, scope), { ...place, id }));
    } catch (error) {
      failed.add(id);
      problems.push(...sentences(error).map((sentence) => `${describe(id, resource)}: ${sentence}`));
    }
  }
  if (problems.length === 0) readOutputs(template, scope, plan, exported);
  return problems;
}

function stackScope(
  stack: Stack,
  made: Map<string, Attributes>,
  exported: Map<string, Json>,
  { region, account }: Surroundings,
): Scope {
  const { template } = stack;
  const stackId = `arn:aws:cloudformation:${region}:${account}:stack/${stack.name}/local`;
  const pseudo: Record<string, Json> = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::StackName': stack.name,
    'AWS::StackId': stackId,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::NotificationARNs': [],
  };
  const scope: Scope = {
    region,
    ref: (id) => {
      if (id === 'AWS::NoValue') return undefined;
      return pseudo[id] ?? parameter(template, id) ?? made.get(id)?.ref ?? standIn(template, id);
    },
    attribute: (id, name) =>
      made.get(id)?.[name] ?? attributeStandIn(template, id, name, made.has(id), scope),
    condition: (name) => {
      const condition = template.Conditions?.[name];
      if (condition === undefined) throw new StackError(`The condition ${name} is not part of the template.`);
      return resolve(condition, scope) === true;
    },
    mapping: (map, first, second) => template.Mappings?.[map]?.[first]?.[second],
    imported: (name) => {
      const value = exported.get(name);
      if (value === undefined) throw new StackError(`No stack of the app exports ${name}.`);
      return value;
    },
  };
  return scope;
}

function parameter(template: Template, id: string): Json | undefined {
  const declared = template.Parameters?.[id];
  if (!declared) return undefined;
  if (declared.Default === undefined) throw new StackError(`The parameter ${id} has no default.`);
  return declared.Default;
}

/** What a reference to a passed-over resource yields: something of the right form that nothing will use. */
function standIn(template: Template, id: string): string {
  if (!(id in template.Resources)) throw new StackError(`${id} is not part of the template.`);
  return id;
}

function attributeStandIn(
  template: Template,
  id: string,
  name: string,
  isMade: boolean,
  scope: Scope,
): string {
  const type = template.Resources[id]?.Type ?? '';
  if (isMade)
    throw new StackError(`The attribute ${name} of ${id} (${type}) is not implemented by the local cloud.`);
  const [, service = '', kind = ''] = type.toLowerCase().split('::');
  if (/arn$/i.test(name))
    return `arn:aws:${service}:${scope.region}:000000000000:${kind}/${standIn(template, id)}`;
  return standIn(template, id);
}

/** Functions that stand behind custom resources which the local cloud itself carries out or passes over. */
function customResourceProviders(template: Template): Set<string> {
  const providers = new Set<string>();
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (!Type.startsWith('Custom::') || !(Type in resourceTypes || Type in passedOverTypes)) continue;
    const token = Properties?.ServiceToken;
    const target = isObject(token) ? token['Fn::GetAtt'] : undefined;
    if (Array.isArray(target)) providers.add(String(target[0]));
  }
  return providers;
}

function readOutputs(template: Template, scope: Scope, plan: Plan, exported: Map<string, Json>): void {
  for (const [name, output] of Object.entries(template.Outputs ?? {})) {
    if (output.Condition !== undefined && !scope.condition(output.Condition)) continue;
    const value = resolve(output.Value, scope) ?? '';
    plan.outputs[name] = typeof value === 'string' ? value : JSON.stringify(value);
    if (output.Export) exported.set(String(resolve(output.Export.Name, scope)), value);
  }
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
