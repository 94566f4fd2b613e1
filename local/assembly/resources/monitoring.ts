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
    ...ignored('DisplayName', 'FifoTopic', 'KmsMasterKeyId', 'SignatureVersion', 'Subscription', 'Tags'),
  }),
  (properties, place) => {
    const name = properties.TopicName ?? physicalName(place);
    const topicArn = arn('sns', name, place);
    return { ref: topicArn, TopicArn: topicArn, TopicName: name };
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
    ...ignored('Region'),
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
    return { ref: subscriptionArn, Arn: subscriptionArn };
  },
);

const actions = optional(z.array(z.string()));

const planAlarm = resourceType(
  z.looseObject({ AlarmActions: actions, OKActions: actions, InsufficientDataActions: actions }),
  ({ AlarmActions = [], OKActions = [], InsufficientDataActions = [] }, place) => {
    const name = physicalName(place);
    const alarmArn = arn('cloudwatch', `alarm:${name}`, place);
    const topics = [...AlarmActions, ...OKActions, ...InsufficientDataActions].filter((action) =>
      action.startsWith('arn:aws:sns:'),
    );
    place.plan.alarms.push({ name, arn: alarmArn, topics });
    return { ref: name, Arn: alarmArn };
  },
);

export const MONITORING_TYPES: Record<string, ResourceType> = {
  'AWS::CloudWatch::Alarm': planAlarm,
  'AWS::SNS::Subscription': planSubscription,
  'AWS::SNS::Topic': planTopic,
  'AWS::SNS::TopicPolicy': planTopicPolicy,
};
