/** Lambda functions. */
import * as z from 'zod';
import { type FunctionPlan, functionNameOf, type Plan, queueNameOf } from '../plan.ts';
import {
  arn,
  ignored,
  number,
  optional,
  partOfStack,
  physicalName,
  type ResourceType,
  resourceType,
  text,
} from '../resource-type.ts';
import { roleOf } from './security.ts';

const code = z.strictObject({
  S3Key: z.string({ error: 'only code from an asset folder is implemented' }),
  ...ignored('S3Bucket'),
});

const runtime = z.string().regex(/^nodejs/, 'only Node.js is implemented');

const lambdaFunction = z.strictObject({
  FunctionName: optional(z.string()),
  Code: code,
  Handler: z.string(),
  Runtime: runtime,
  Role: z.string(),
  Environment: optional(z.strictObject({ Variables: optional(z.record(z.string(), text)) })),
  Timeout: optional(number),
  MemorySize: optional(number),
  ReservedConcurrentExecutions: optional(number),
  DeadLetterConfig: optional(z.strictObject({ TargetArn: z.string() })),
  ...ignored('Architectures', 'LoggingConfig', 'RecursiveLoop'),
});

const planFunction = resourceType(lambdaFunction, (properties, place) => {
  const name = properties.FunctionName ?? physicalName(place);
  const functionArn = arn('lambda', `function:${name}`, place);
  const deadLetters = properties.DeadLetterConfig?.TargetArn;
  place.plan.functions.set(name, {
    id: place.id,
    name,
    arn: functionArn,
    codeFolder: place.asset(properties.Code.S3Key),
    handler: properties.Handler,
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout ?? 3,
    memoryMb: properties.MemorySize ?? 128,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    role: roleOf(properties.Role, `the function ${place.id}`, place.plan),
    deadLetterQueue: deadLetters === undefined ? undefined : queueNameOf(deadLetters),
  });
  return { ref: name, Arn: functionArn };
});

export const functionOf = (nameOrArn: string, plan: Plan): FunctionPlan =>
  partOfStack(plan.functions.get(functionNameOf(nameOrArn)), `The function ${nameOrArn}`);

export const LAMBDA_TYPES: Record<string, ResourceType> = {
  'AWS::Lambda::Function': planFunction,
};
