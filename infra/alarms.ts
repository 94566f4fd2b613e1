import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { HttpCodeElb, HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { SCHEDULED } from './functions.ts';
import { inUsEast1 } from './in-us-east-1.ts';
import type { Ingest } from './ingest.ts';
import type { Options } from './options.ts';
import { pascalCase } from './pascal-case.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly distribution: Distribution;
  readonly ingest: Ingest | undefined;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
  readonly options: Options;
}

interface Rule {
  readonly metric: IMetric;
  readonly threshold: number;
  /** Alarm below the threshold instead of above it. */
  readonly below?: true;
  readonly periods?: number;
  /** Alarm when data stops. Quiet until the first data: a new stack has none for up to a day. */
  readonly silence?: true;
  /** The meaning in one sentence; the description adds the runbook section. */
  readonly means: string;
  readonly runbook: string;
}

const FIVE_MINUTES = Duration.minutes(5);
const SUM = { period: FIVE_MINUTES, statistic: 'Sum' };
const MAXIMUM = { period: FIVE_MINUTES, statistic: 'Maximum' };
/** In five minutes. A single one may be a task that is being replaced. */
const INGEST_ERRORS = 3;

/** The alarms and their topic, with alarms on AWS metrics. `operations.ts` adds alarms on the service's own metrics. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];

  constructor(
    scope: Construct,
    id: string,
    { api, distribution, ingest, queues, functions, options }: Props,
  ) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      topicName: `${options.stackName}-alarms`,
      displayName: options.stackName,
      enforceSSL: true,
    });
    // A topic policy, such as that of `enforceSSL`, replaces the default one that lets in CloudWatch.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'CloudWatchAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (options.alarmMail) this.topic.addSubscription(new EmailSubscription(options.alarmMail));

    this.#watchQueues(queues);
    this.#watchCalls(api, options);
    this.#watchMail();
    this.#watchJobs(functions);
    if (ingest) this.#watchIngest(ingest);
    this.#watchDistribution(distribution);
  }

  #watchQueues({ deadLetters, byName }: Queues): void {
    for (const queue of deadLetters)
      this.add(queue.node.id, {
        metric: queue.metricApproximateNumberOfMessagesVisible(MAXIMUM),
        threshold: 0,
        means: 'Work was given up and waits for somebody to look at it.',
        runbook: 'dead-letters',
      });
    for (const [name, queue] of Object.entries(byName))
      this.add(`${pascalCase(name)}Waits`, {
        metric: queue.metricApproximateAgeOfOldestMessage(MAXIMUM),
        threshold: Duration.hours(1).toSeconds(),
        means: 'A message has waited for an hour.',
        runbook: 'queues-that-wait',
      });
  }

  #watchCalls(api: RestApi, options: Options): void {
    this.add('ServerErrors', {
      metric: api.metricServerError({ period: FIVE_MINUTES, statistic: 'Average' }),
      threshold: 0.01,
      periods: 2,
      means: 'More than one call in a hundred fails by our fault.',
      runbook: 'server-errors',
    });
    this.add('FirewallBlocks', {
      metric: blockedShare(this, options),
      threshold: 0.5,
      // A scan by a bot is over by then.
      periods: 2,
      means: 'The firewall refuses most calls: perhaps all of them, of everybody.',
      runbook: 'calls-that-the-firewall-refuses',
    });
    this.add('Throttles', {
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...SUM }),
      threshold: 0,
      periods: 2,
      means: 'Functions wait for concurrency, that of the account or of their reservation.',
      runbook: 'throttles',
    });
  }

  #watchMail(): void {
    this.add('MailBounces', {
      metric: mailReputation('BounceRate'),
      threshold: 0.05,
      means: 'Of a hundred mails more than five come back; SES stops an account at ten.',
      runbook: 'mail-reputation',
    });
    this.add('MailComplaints', {
      metric: mailReputation('ComplaintRate'),
      threshold: 0.001,
      means: 'More than one mail in a thousand is reported as unwanted.',
      runbook: 'mail-reputation',
    });
  }

  #watchJobs(functions: ServiceFunctions): void {
    for (const [name, spec] of Object.entries(SCHEDULED)) {
      const job = functions.get(name);
      const often = spec.runs.startsWith('rate');
      this.add(`${pascalCase(name)}NotRun`, {
        metric: job.metricInvocations({
          period: often ? Duration.minutes(1) : Duration.hours(1),
          statistic: 'Sum',
        }),
        threshold: 1,
        below: true,
        periods: often ? 5 : 25,
        silence: true,
        means: `The job ${name} did not run when it should have.`,
        runbook: 'jobs-that-do-not-run',
      });
      this.add(`${pascalCase(name)}Fails`, {
        metric: job.metricErrors(SUM),
        threshold: often ? 2 : 0,
        means: `The job ${name} fails.`,
        runbook: 'jobs-that-fail',
      });
    }
  }

  #watchIngest({ targets, balancer }: Ingest): void {
    const runbook = 'large-uploads';
    this.add('IngestTasks', {
      metric: targets.metrics.healthyHostCount({ period: FIVE_MINUTES, statistic: 'Minimum' }),
      threshold: 1,
      below: true,
      periods: 2,
      silence: true,
      means: 'No task of the ingest runs: documents over about 4 MB are refused.',
      runbook,
    });
    this.add('IngestUnhealthy', {
      metric: targets.metrics.unhealthyHostCount(MAXIMUM),
      threshold: 0,
      periods: 3,
      means: 'A task of the ingest fails its health check.',
      runbook,
    });
    this.add('IngestErrors', {
      metric: targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, SUM),
      threshold: INGEST_ERRORS,
      means: 'The ingest fails calls by our fault.',
      runbook,
    });
    this.add('BalancerErrors', {
      metric: balancer.metrics.httpCodeElb(HttpCodeElb.ELB_5XX_COUNT, SUM),
      threshold: INGEST_ERRORS,
      means: 'The load balancer of the ingest finds no task that answers.',
      runbook,
    });
  }

  /** CloudFront has its metrics in us-east-1 only, and an alarm must be in the region of its metric. */
  #watchDistribution({ distributionId }: Distribution): void {
    const alarm = this.#make('DistributionErrors', {
      metric: new Metric({
        namespace: 'AWS/CloudFront',
        metricName: '5xxErrorRate',
        dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
        period: FIVE_MINUTES,
        statistic: 'Average',
      }),
      // In percent.
      threshold: 1,
      periods: 2,
      means: 'More than one request in a hundred fails at the distribution.',
      runbook: 'distribution-errors',
    });
    (alarm.node.defaultChild as CfnAlarm).cfnOptions.condition = inUsEast1(this);
  }

  add(name: string, rule: Rule): void {
    this.all.push(this.#make(name, rule));
  }

  #make(name: string, rule: Rule): Alarm {
    const alarm = new Alarm(this, name, {
      metric: rule.metric,
      threshold: rule.threshold,
      comparisonOperator: rule.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: rule.periods ?? 1,
      treatMissingData: rule.silence ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${rule.means} See docs/runbook.md#${rule.runbook}.`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    // Without any data an alarm becomes INSUFFICIENT_DATA, the state in which it also begins.
    if (rule.silence) alarm.addInsufficientDataAction(new SnsAction(this.topic));
    return alarm;
  }
}

/** In 15 minutes. Fewer may be one curious visitor. */
const MANY_BLOCKED = 5;

/** The share of calls that the firewall refuses. Neither functions nor gateway count them as errors of the service. */
function blockedShare(scope: Construct, { stackName }: Options): IMetric {
  const calls = (metricName: 'BlockedRequests' | 'AllowedRequests') =>
    new Metric({
      namespace: 'AWS/WAFV2',
      metricName,
      dimensionsMap: { WebACL: stackName, Region: Stack.of(scope).region, Rule: 'ALL' },
      statistic: 'Sum',
    });
  return new MathExpression({
    // A sum takes a metric without data for none.
    expression: `IF(blocked > ${MANY_BLOCKED}, blocked / SUM(METRICS()), 0)`,
    usingMetrics: { blocked: calls('BlockedRequests'), allowed: calls('AllowedRequests') },
    period: Duration.minutes(15),
    label: 'share of calls refused',
  });
}

const mailReputation = (rate: 'BounceRate' | 'ComplaintRate') =>
  new Metric({
    namespace: 'AWS/SES',
    metricName: `Reputation.${rate}`,
    period: Duration.hours(1),
    statistic: 'Maximum',
  });
