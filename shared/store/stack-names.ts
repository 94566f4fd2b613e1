/** Names that the stack gives and the operator's command asks for. The compiler compares both with these. */

/** The scheduled jobs. */
export const JOB_NAMES = [
  'sweep',
  'expire',
  'purge',
  'remind',
  'check-certificates',
  'gather-revocation',
] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** The queues, each with the output of the stack that holds its address. */
export const QUEUE_OUTPUTS = {
  seal: 'SealQueueUrl',
  events: 'EventsQueueUrl',
  deliveries: 'DeliveriesQueueUrl',
  'slow-deliveries': 'SlowDeliveriesQueueUrl',
  mail: 'MailQueueUrl',
  bounces: 'BouncesQueueUrl',
} as const;
export type QueueName = keyof typeof QUEUE_OUTPUTS;
export const QUEUE_NAMES = Object.keys(QUEUE_OUTPUTS) as QueueName[];

type QueueOutput = (typeof QUEUE_OUTPUTS)[QueueName];

/** Outputs of every stack. */
export type StackOutput =
  | QueueOutput
  | 'ScheduleFailuresQueueUrl'
  | 'BaseUrl'
  | 'TableName'
  | 'DocumentsBucket'
  | 'StagingBucket'
  | 'WebhookKeyArn'
  | 'DistributionId'
  | 'DistributionDomain'
  | 'SigningSecretArn'
  | 'OriginSecretArn'
  | 'SealSecretArn'
  | 'TestSealSecretArn'
  | 'TimestampSecretArn'
  | 'FunctionPrefix'
  | 'SealLevel';

/** Outputs that the options of a stack decide about, or its stage. */
export type OptionalOutput = 'OriginValuesArn' | 'SealKeyArn';
