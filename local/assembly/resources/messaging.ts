/** Queues, event source mappings and schedules. */
import * as z from 'zod';
import { functionNameOf, queueNameOf } from '../plan.ts';
import {
  arn,
  boolean,
  ignored,
  number,
  optional,
  type Place,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
  text,
} from '../resource-type.ts';
import { StackError } from '../template.ts';
import { roleOf } from './security.ts';

const redrivePolicy = z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number });

const queue = z.strictObject({
  QueueName: optional(z.string()),
  VisibilityTimeout: optional(number),
  DelaySeconds: optional(number),
  MessageRetentionPeriod: optional(number),
  RedrivePolicy: optional(redrivePolicy),
  ...ignored(
    'KmsMasterKeyId',
    'KmsDataKeyReusePeriodSeconds',
    'SqsManagedSseEnabled',
    'ReceiveMessageWaitTimeSeconds',
    'MaximumMessageSize',
    'RedriveAllowPolicy',
    'Tags',
  ),
});

const planQueue = resourceType(queue, (properties, place) => {
  const name = properties.QueueName ?? physicalName(place, 80);
  const redrive = properties.RedrivePolicy;
  place.plan.queues.set(name, {
    name,
    visibilityTimeoutSeconds: properties.VisibilityTimeout ?? 30,
    delaySeconds: properties.DelaySeconds ?? 0,
    retentionSeconds: properties.MessageRetentionPeriod ?? 345_600,
    deadLetter: redrive && {
      queueName: queueNameOf(redrive.deadLetterTargetArn),
      maxReceiveCount: redrive.maxReceiveCount,
    },
  });
  const url = place.queueUrl(name);
  return { ref: url, Arn: arn('sqs', name, place), QueueName: name, QueueUrl: url };
});

/** Functions reach a queue by their own policies; only a topic needs the queue's. */
const planQueuePolicy = resourceType(
  z.strictObject({ PolicyDocument: policyDocument, Queues: z.array(z.string()) }),
  (properties, place) => {
    for (const url of properties.Queues)
      place.plan.queuePolicies.set(url.split('/').at(-1) ?? url, properties.PolicyDocument.Statement);
    return { ref: place.id };
  },
);

const mapping = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: optional(number),
  FunctionResponseTypes: optional(z.array(z.literal('ReportBatchItemFailures'))),
  ScalingConfig: optional(z.strictObject({ MaximumConcurrency: optional(number) })),
  Enabled: optional(boolean),
  ...ignored('Tags', 'MetricsConfig'),
});

const planMapping = resourceType(mapping, (properties, place) => {
  if (!properties.EventSourceArn.startsWith('arn:aws:sqs:')) {
    throw new StackError(
      `The event source ${properties.EventSourceArn} is not implemented: only queues are.`,
    );
  }
  if (properties.Enabled !== false) {
    place.plan.eventSources.push({
      functionName: functionNameOf(properties.FunctionName),
      queueName: queueNameOf(properties.EventSourceArn),
      queueArn: properties.EventSourceArn,
      batchSize: properties.BatchSize ?? 10,
      reportsItemFailures: properties.FunctionResponseTypes !== undefined,
      maxConcurrency: properties.ScalingConfig?.MaximumConcurrency,
    });
  }
  return { ref: place.id, Id: place.id };
});

const schedule = z.strictObject({
  Name: optional(z.string()),
  GroupName: optional(z.string()),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: optional(z.string()),
  State: optional(z.string()),
  FlexibleTimeWindow: z.strictObject({
    Mode: z.literal('OFF', { error: 'flexible time windows are not implemented' }),
  }),
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: optional(text),
    // For invocations that cannot be delivered, which does not happen here. The function itself retries its failures.
    ...ignored('RetryPolicy', 'DeadLetterConfig'),
  }),
  ...ignored('Description'),
});

const planSchedule = resourceType(schedule, (properties, place) => {
  const name = properties.Name ?? physicalName(place);
  const scheduleArn = arn('scheduler', `schedule/${properties.GroupName ?? 'default'}/${name}`, place);
  const { Target } = properties;
  if (properties.State !== 'DISABLED') {
    place.plan.schedules.push({
      name,
      arn: scheduleArn,
      expression: properties.ScheduleExpression,
      timeZone: properties.ScheduleExpressionTimezone ?? 'UTC',
      functionName: functionTarget(Target.Arn, place),
      role: roleOf(Target.RoleArn, `the schedule ${name}`, place.plan),
      input: Target.Input,
    });
  }
  return { ref: name, Arn: scheduleArn };
});

function functionTarget(target: string, place: Place): string {
  const name = functionNameOf(target);
  if (!place.plan.functions.has(name))
    throw new StackError(`${place.id} targets ${target}; only functions are implemented.`);
  return name;
}

export const MESSAGING_TYPES: Record<string, ResourceType> = {
  'AWS::SQS::Queue': planQueue,
  'AWS::SQS::QueuePolicy': planQueuePolicy,
  'AWS::Lambda::EventSourceMapping': planMapping,
  'AWS::Scheduler::Schedule': planSchedule,
};
