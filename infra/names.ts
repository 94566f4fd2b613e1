/** Names of queues and keys. Without the CDK, so that the preflight loads them quickly. */

export const QUEUE_NAMES = ['seal', 'events', 'deliveries', 'slow-deliveries', 'mail', 'bounces'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export const queueName = (stackName: string, name: QueueName): string => `${stackName}-${name}`;

/** The schedules have dead letters only. */
export const deadLettersName = (stackName: string, name: QueueName | 'schedules'): string =>
  `${stackName}-${name}-dead-letters`;

export const allQueueNames = (stackName: string): string[] => [
  ...QUEUE_NAMES.flatMap((name) => [queueName(stackName, name), deadLettersName(stackName, name)]),
  deadLettersName(stackName, 'schedules'),
];

export const webhookSecretsAlias = (stackName: string): string => `alias/${stackName}/webhook-secrets`;
export const sealKeyAlias = (stackName: string): string => `alias/${stackName}/seal`;
