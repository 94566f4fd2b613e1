/** Topics, their subscribers and alarms. No alarm fires here, but one that could not reach its topic is refused. */
import * as z from 'zod';
import { queueNameOf } from '../plan.ts';
import {
  arn,
  ignored,
  optional,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
  uuidOf,
} from '../resource-type.ts';

const planTopic = resourceType(
  z.strictObject({
    TopicName: optional(z.string()),
    ...ignored('DisplayName'),
  }),
  (properties, place) => {
    const name = properties.TopicName ?? physicalName(place);
    const topicArn = arn('sns', name, place);
    return { ref: topicArn };
  },
);

const planTopicPolicy = resourceType(
  z.strictObject({ PolicyDocument: policyDocument, Topics: z.array(z.string()) }),
  (properties, place) => {
    for (const topic of properties.Topics)
      place.plan.topicPolicies.set(topic, properties.PolicyDocument.Statement);
    return { ref: place.id };
  },
);

const planSubscription = resourceType(
  z.strictObject({
    // People get no mail from here.
    Protocol: z.enum(['sqs', 'email'], {
      error: 'only queues and mail addresses are implemented as subscribers',
    }),
    TopicArn: z.string(),
    Endpoint: z.string(),
  }),
  (properties, place) => {
    const subscriptionArn = `${properties.TopicArn}:${uuidOf(place)}`;
    if (properties.Protocol === 'sqs') {
      place.plan.subscriptions.push({
        arn: subscriptionArn,
        topicArn: properties.TopicArn,
        queueName: queueNameOf(properties.Endpoint),
      });
    }
    return { ref: subscriptionArn };
  },
);

const actions = optional(z.array(z.string()));

const planAlarm = resourceType(
  z.looseObject({ AlarmActions: actions, InsufficientDataActions: actions }),
  ({ AlarmActions = [], InsufficientDataActions = [] }, place) => {
    const name = physicalName(place);
    const alarmArn = arn('cloudwatch', `alarm:${name}`, place);
    place.plan.alarms.push({ name, arn: alarmArn, topics: [...AlarmActions, ...InsufficientDataActions] });
    return { ref: name, Arn: alarmArn };
  },
);

export const MONITORING_TYPES: Record<string, ResourceType> = {
  'AWS::CloudWatch::Alarm': planAlarm,
  'AWS::SNS::Subscription': planSubscription,
  'AWS::SNS::Topic': planTopic,
  'AWS::SNS::TopicPolicy': planTopicPolicy,
};
