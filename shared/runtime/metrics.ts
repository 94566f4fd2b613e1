/** The service's metrics with their units. The stack's alarms and dashboard use these names. */
export const METRICS = {
  /** Published webhook events. */
  Events: 'Count',
  Sealed: 'Count',
  SealFailures: 'Count',
  /** Time from the last signature to the sealed document. */
  TimeToSeal: 'Milliseconds',
  OldestAwaitingStamp: 'Seconds',
  Deliveries: 'Count',
  JobDue: 'Count',
  JobDone: 'Count',
  JobFailed: 'Count',
  CertificateDaysLeft: 'None',
  /** Chains whose proofs cannot be renewed and have used three quarters of their time. */
  ProofsRunningOut: 'Count',
  /** Archived files that are not renewed although half of the time for it is over. */
  RenewalsOverdue: 'Count',
  /** Mails that SES did not take, for a reason other than their address. */
  MailFailures: 'Count',
  /** Wrong codes of all requests: many of them are somebody who guesses. */
  WrongCodes: 'Count',
} as const;

export type MetricName = keyof typeof METRICS;

export const NAMESPACE = 'SignatureRequests';

/**
 * Writes metrics to the log in CloudWatch's embedded metric format, which takes no API call.
 * The function's name is always a dimension, to separate the stacks of one account.
 */
export function measure(
  values: Partial<Record<MetricName, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  const names = Object.keys(values) as MetricName[];
  const allDimensions = { FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'none', ...dimensions };
  const line = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: NAMESPACE,
          Dimensions: [Object.keys(allDimensions)],
          Metrics: names.map((Name) => ({ Name, Unit: METRICS[Name] })),
        },
      ],
    },
    ...allDimensions,
    ...values,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
