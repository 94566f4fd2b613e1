import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { JOBS } from './functions.ts';
import type { Options } from './options.ts';
import type { Row } from './permissions.ts';
import { pascal, type Queues } from './queues.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
  readonly options: Options;
}

export interface Rule {
  readonly metric: IMetric;
  readonly threshold: number;
  /** Alarm when the metric is below, not above. */
  readonly below?: true;
  readonly periods?: number;
  /** Silence is a fault too. */
  readonly missingIsBad?: true;
  /** What it means, in a sentence, and its section of the runbook. */
  readonly means: string;
  readonly runbook: string;
}

const FIVE_MINUTES = Duration.minutes(5);

/** Who is called when. `operations.ts` adds what the service says of itself. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, { api, queues, functions, options }: Props) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      topicName: `${options.stackName}-alarms`,
      displayName: options.stackName,
      enforceSSL: true,
    });
    if (options.alarmMail) this.topic.addSubscription(new EmailSubscription(options.alarmMail));

    for (const queue of queues.deadLetters)
      this.when(`${queue.node.id}`, {
        metric: queue.metricApproximateNumberOfMessagesVisible({
          period: FIVE_MINUTES,
          statistic: 'Maximum',
        }),
        threshold: 0,
        means: 'Work was given up and waits for somebody to look at it.',
        runbook: 'dead-letters',
      });
    for (const [name, queue] of Object.entries(queues.byName))
      this.when(`${pascal(name)}Waits`, {
        metric: queue.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES, statistic: 'Maximum' }),
        threshold: Duration.hours(1).toSeconds(),
        means: 'A message has waited for an hour.',
        runbook: 'queues-that-wait',
      });

    this.when('ServerErrors', {
      metric: api.metricServerError({ period: FIVE_MINUTES, statistic: 'Average' }),
      threshold: 0.01,
      periods: 2,
      means: 'More than one call in a hundred fails by our fault.',
      runbook: 'server-errors',
    });
    this.when('Throttles', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Throttles',
        period: FIVE_MINUTES,
        statistic: 'Sum',
      }),
      threshold: 0,
      periods: 2,
      means: 'Functions wait for the account’s concurrency.',
      runbook: 'throttles',
    });
    this.when('MailBounces', {
      metric: mailReputation('BounceRate'),
      threshold: 0.05,
      means: 'Of a hundred mails more than five come back; SES stops an account at ten.',
      runbook: 'mail-reputation',
    });
    this.when('MailComplaints', {
      metric: mailReputation('ComplaintRate'),
      threshold: 0.001,
      means: 'More than one mail in a thousand is reported as unwanted.',
      runbook: 'mail-reputation',
    });

    for (const [name, row] of Object.entries<Row>(JOBS)) {
      const job = functions.all.get(name);
      if (!job || !row.runs) continue;
      const often = row.runs.startsWith('rate');
      this.when(`${pascal(name)}NotRun`, {
        metric: job.metricInvocations({ period: often ? FIVE_MINUTES : Duration.days(1), statistic: 'Sum' }),
        threshold: 1,
        below: true,
        missingIsBad: true,
        means: `The job ${name} did not run when it should have.`,
        runbook: 'jobs-that-do-not-run',
      });
      this.when(`${pascal(name)}Fails`, {
        metric: job.metricErrors({ period: FIVE_MINUTES, statistic: 'Sum' }),
        threshold: often ? 2 : 0,
        means: `The job ${name} fails.`,
        runbook: 'jobs-that-fail',
      });
    }
  }

  when(name: string, rule: Rule): void {
    const alarm = new Alarm(this, name, {
      metric: rule.metric,
      threshold: rule.threshold,
      comparisonOperator: rule.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: rule.periods ?? 1,
      treatMissingData: rule.missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${rule.means} See docs/runbook.md#${rule.runbook}.`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}

const mailReputation = (rate: 'BounceRate' | 'ComplaintRate') =>
  new Metric({
    namespace: 'AWS/SES',
    metricName: `Reputation.${rate}`,
    period: Duration.hours(1),
    statistic: 'Maximum',
  });
