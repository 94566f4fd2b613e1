/** What the service counts, and in which unit. The stack's alarms and dashboard ask for these names. */
export const METRICS = {
  /** Webhook events as they are published: what happened to requests. */
  Events: 'Count',
  Sealed: 'Count',
  SealFailures: 'Count',
  /** From the last signature to the sealed document. */
  TimeToSeal: 'Milliseconds',
  OldestAwaitingStamp: 'Seconds',
  Deliveries: 'Count',
  JobDue: 'Count',
  JobDone: 'Count',
  JobFailed: 'Count',
  CertificateDaysLeft: 'None',
} as const;

export type MetricName = keyof typeof METRICS;

export const NAMESPACE = 'SignatureRequests';

/**
 * Writes numbers to the log in CloudWatch's embedded metric format: CloudWatch makes metrics of them, no call is made.
 * The function's name is always among the dimensions, so that the stacks of one account stay apart.
 */
export function measure(
  values: Partial<Record<MetricName, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  const names = Object.keys(values) as MetricName[];
  const by = { FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'none', ...dimensions };
  const line = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: NAMESPACE,
          Dimensions: [Object.keys(by)],
          Metrics: names.map((Name) => ({ Name, Unit: METRICS[Name] })),
        },
      ],
    },
    ...by,
    ...values,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
