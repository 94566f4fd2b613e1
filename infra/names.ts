import { QUEUE_NAMES, type QueueName } from '../shared/store/stack-names.ts';

/** Names of queues and keys in AWS. Without the CDK, so that the preflight loads them quickly. */

/** The schedules have dead letters only. */
type Name = QueueName | 'schedules';

export const queueName = (stackName: string, name: Name): string => `${stackName}-${name}`;

export const deadLettersName = (stackName: string, name: Name): string => `${stackName}-${name}-dead-letters`;

export const allQueueNames = (stackName: string): string[] => [
  ...QUEUE_NAMES.flatMap((name) => [queueName(stackName, name), deadLettersName(stackName, name)]),
  deadLettersName(stackName, 'schedules'),
];

export const webhookSecretsAlias = (stackName: string): string => `alias/${stackName}/webhook-secrets`;
export const sealKeyAlias = (stackName: string): string => `alias/${stackName}/seal`;
