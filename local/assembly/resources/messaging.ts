/** Queues, event source mappings and schedules. */
import * as z from 'zod';
import type { QueueSettings } from '../../ports.ts';
import { type Plan, queueNameOf } from '../plan.ts';
import {
  arn,
  ignored,
  number,
  optional,
  partOfStack,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
  text,
} from '../resource-type.ts';
import { StackError } from '../template.ts';
import { functionOf } from './lambda.ts';
import { roleOf } from './security.ts';

const redrivePolicy = z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number });

const queue = z.strictObject({
  QueueName: optional(z.string()),
  VisibilityTimeout: optional(number),
  MessageRetentionPeriod: optional(number),
  RedrivePolicy: optional(redrivePolicy),
  ...ignored('SqsManagedSseEnabled', 'RedriveAllowPolicy'),
});

const planQueue = resourceType(queue, (properties, place) => {
  const name = properties.QueueName ?? physicalName(place, 80);
  const redrive = properties.RedrivePolicy;
  place.plan.queues.set(name, {
    name,
    visibilityTimeoutSeconds: properties.VisibilityTimeout ?? 30,
    retentionSeconds: properties.MessageRetentionPeriod ?? 345_600,
    deadLetter: redrive && {
      queueName: queueNameOf(redrive.deadLetterTargetArn),
      maxReceiveCount: redrive.maxReceiveCount,
    },
    policy: [],
  });
  const url = place.queueUrl(name);
  return { ref: url, Arn: arn('sqs', name, place), QueueName: name };
});

const planQueuePolicy = resourceType(
  z.strictObject({ PolicyDocument: policyDocument, Queues: z.array(z.string()) }),
  (properties, place) => {
    for (const url of properties.Queues)
      queueOf(url.split('/').at(-1) ?? url, place.plan).policy.push(...properties.PolicyDocument.Statement);
    return { ref: place.id };
  },
);

const mapping = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: optional(number.max(10, 'a batch has at most 10 messages')),
  FunctionResponseTypes: optional(z.array(z.literal('ReportBatchItemFailures'))),
  ScalingConfig: optional(
    z.strictObject({ MaximumConcurrency: optional(number.min(2, 'the least concurrency is 2')) }),
  ),
});

const planMapping = resourceType(mapping, (properties, place) => {
  if (!properties.EventSourceArn.startsWith('arn:aws:sqs:')) {
    throw new StackError(
      `The event source ${properties.EventSourceArn} is not implemented: only queues are.`,
    );
  }
  const queueName = queueNameOf(properties.EventSourceArn);
  const target = functionOf(properties.FunctionName, place.plan);
  const source = queueOf(queueName, place.plan);
  if (source.visibilityTimeoutSeconds < target.timeoutSeconds) {
    throw new StackError(
      `the visibility timeout of ${queueName} is shorter than the ${target.timeoutSeconds} seconds that ${target.name} may take.`,
    );
  }
  place.plan.eventSources.push({
    functionName: target.name,
    queueName,
    queueArn: properties.EventSourceArn,
    batchSize: properties.BatchSize ?? 10,
    reportsItemFailures: properties.FunctionResponseTypes !== undefined,
    maxConcurrency: properties.ScalingConfig?.MaximumConcurrency,
  });
  return { ref: place.id };
});

const schedule = z.strictObject({
  Name: optional(z.string()),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: optional(z.string()),
  State: optional(z.literal('ENABLED')),
  FlexibleTimeWindow: z.strictObject({
    Mode: z.literal('OFF', { error: 'flexible time windows are not implemented' }),
  }),
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: optional(text),
    DeadLetterConfig: optional(z.strictObject({ Arn: z.string() })),
    // For invocations that cannot be delivered, which does not happen here. The function itself retries its failures.
    ...ignored('RetryPolicy'),
  }),
});

const planSchedule = resourceType(schedule, (properties, place) => {
  const name = properties.Name ?? physicalName(place);
  const scheduleArn = arn('scheduler', `schedule/default/${name}`, place);
  const { Target } = properties;
  place.plan.schedules.push({
    name,
    arn: scheduleArn,
    expression: properties.ScheduleExpression,
    timeZone: properties.ScheduleExpressionTimezone ?? 'UTC',
    functionName: functionOf(Target.Arn, place.plan).name,
    role: roleOf(Target.RoleArn, `the schedule ${name}`, place.plan),
    input: Target.Input,
    deadLetterQueue: Target.DeadLetterConfig && queueNameOf(Target.DeadLetterConfig.Arn),
  });
  return { ref: name };
});

const queueOf = (name: string, plan: Plan): QueueSettings =>
  partOfStack(plan.queues.get(name), `The queue ${name}`);

export const MESSAGING_TYPES: Record<string, ResourceType> = {
  'AWS::SQS::Queue': planQueue,
  'AWS::SQS::QueuePolicy': planQueuePolicy,
  'AWS::Lambda::EventSourceMapping': planMapping,
  'AWS::Scheduler::Schedule': planSchedule,
};
