/** Queues, and what invokes functions: event source mappings, EventBridge rules and schedules. */
import * as z from 'zod';
import { functionNameOf, queueNameOf } from '../plan.ts';
import {
  arn,
  boolean,
  number,
  optional,
  type Place,
  passedOver,
  physicalName,
  type ResourceType,
  resourceType,
  text,
} from '../resourceType.ts';
import { StackError } from '../template.ts';

const redrivePolicy = z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number });

const queue = z.strictObject({
  QueueName: optional(z.string()),
  VisibilityTimeout: optional(number),
  DelaySeconds: optional(number),
  MessageRetentionPeriod: optional(number),
  RedrivePolicy: optional(redrivePolicy),
  ...passedOver(
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
    ...(redrive
      ? {
          deadLetter: {
            queueName: queueNameOf(redrive.deadLetterTargetArn),
            maxReceiveCount: redrive.maxReceiveCount,
          },
        }
      : {}),
  });
  const url = place.queueUrl(name);
  return { ref: url, Arn: arn('sqs', name, place), QueueName: name, QueueUrl: url };
});

const mapping = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: optional(number),
  MaximumBatchingWindowInSeconds: optional(number),
  FunctionResponseTypes: optional(z.array(z.literal('ReportBatchItemFailures'))),
  ScalingConfig: optional(z.strictObject({ MaximumConcurrency: optional(number) })),
  Enabled: optional(boolean),
  ...passedOver('Tags', 'MetricsConfig'),
});

const planMapping = resourceType(mapping, (properties, place) => {
  if (!properties.EventSourceArn.startsWith('arn:aws:sqs:')) {
    throw new StackError(
      `An event source mapping on ${properties.EventSourceArn} does not run here: only queues do.`,
    );
  }
  if (properties.Enabled !== false) {
    place.plan.eventSources.push({
      functionName: functionNameOf(properties.FunctionName),
      queueName: queueNameOf(properties.EventSourceArn),
      queueArn: properties.EventSourceArn,
      batchSize: properties.BatchSize ?? 10,
      windowSeconds: properties.MaximumBatchingWindowInSeconds ?? 0,
      reportsItemFailures: properties.FunctionResponseTypes !== undefined,
      maxConcurrency: properties.ScalingConfig?.MaximumConcurrency,
    });
  }
  return { ref: place.id, Id: place.id };
});

// They matter where an invocation cannot be delivered, which does not happen on one machine; what the function itself
// fails at is retried by its own settings.
const delivery = passedOver('RetryPolicy', 'DeadLetterConfig');

const rule = z.strictObject({
  Name: optional(z.string()),
  ScheduleExpression: z.string({ error: 'only rules with a ScheduleExpression run here' }),
  State: optional(z.string()),
  Targets: z.array(
    z.strictObject({
      Id: z.string(),
      Arn: z.string(),
      Input: optional(text),
      ...delivery,
    }),
  ),
  ...passedOver('Description', 'Tags'),
});

const planRule = resourceType(rule, (properties, place) => {
  const name = properties.Name ?? physicalName(place);
  const ruleArn = arn('events', `rule/${name}`, place);
  const [target, ...others] = properties.Targets;
  if (others.length > 0) throw new StackError(`The rule ${place.id} has several targets; one runs here.`);
  if (properties.State !== 'DISABLED' && target) {
    place.plan.schedules.push({
      name,
      arn: ruleArn,
      expression: properties.ScheduleExpression,
      timeZone: 'UTC',
      source: 'events',
      functionName: functionTarget(target.Arn, place),
      input: target.Input,
    });
  }
  return { ref: name, Arn: ruleArn };
});

const schedule = z.strictObject({
  Name: optional(z.string()),
  GroupName: optional(z.string()),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: optional(z.string()),
  State: optional(z.string()),
  FlexibleTimeWindow: z.strictObject({
    Mode: z.literal('OFF', { error: 'flexible time windows do not run here' }),
  }),
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: optional(text),
    ...delivery,
  }),
  ...passedOver('Description'),
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
      source: 'scheduler',
      functionName: functionTarget(Target.Arn, place),
      input: Target.Input,
    });
  }
  return { ref: name, Arn: scheduleArn };
});

function functionTarget(target: string, place: Place): string {
  const name = functionNameOf(target);
  if (!place.plan.functions.has(name))
    throw new StackError(`${place.id} targets ${target}; only functions run on a schedule here.`);
  return name;
}

export const messaging: Record<string, ResourceType> = {
  'AWS::SQS::Queue': planQueue,
  'AWS::Lambda::EventSourceMapping': planMapping,
  'AWS::Events::Rule': planRule,
  'AWS::Scheduler::Schedule': planSchedule,
};
