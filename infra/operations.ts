import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { EVENT_TYPES } from '../shared/contract/events.ts';
import { DELIVERY_OUTCOMES } from '../shared/contract/webhook-endpoints.ts';
import { type MetricName, NAMESPACE } from '../shared/runtime/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { FunctionSpec } from './function-spec.ts';
import { FUNCTIONS, SCHEDULED } from './functions.ts';
import type { Options } from './options.ts';
import { pascalCase } from './pascal-case.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
  readonly alarms: Alarms;
  readonly stackName: string;
  readonly domain?: Options['domain'];
}

const FIVE_MINUTES = Duration.minutes(5);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);

/** Enough time to get and install a new certificate. */
const CERTIFICATE_DAYS = 30;
/** A signer's link takes at most twenty wrong codes in all, an attempt to sign in to the dashboard five. */
const WRONG_CODES_IN_FIVE_MINUTES = 100;
const SEAL_LATE = Duration.minutes(30);
/** In an hour. A single one may be a moment in which SES did not answer. */
const MAIL_FAILURES = 2;

// Left out: `signature_request.signed`, whose label would repeat that of `signer.signed`; seals have their own graph.
const EVENTS = EVENT_TYPES.filter((type) => type !== 'signature_request.signed');
const SEAL_CERTIFICATES = ['seal', 'test_seal', 'timestamp'];
const DOMAIN_CERTIFICATE = 'domain';

/** Alarms on the service's own metrics, and the dashboard to look at when an alarm fires. */
export class Operations extends Construct {
  readonly #functions: ServiceFunctions;
  readonly #hasDomain: boolean;

  constructor(scope: Construct, id: string, { api, queues, functions, alarms, stackName, domain }: Props) {
    super(scope, id);
    this.#functions = functions;
    this.#hasDomain = domain !== undefined;
    this.#addAlarms(alarms);
    new Dashboard(this, 'Dashboard', {
      // Dashboards have one namespace for all regions of an account.
      dashboardName: `${stackName}-${Stack.of(this).region}`,
      start: '-P1D',
      widgets: this.#widgets(api, queues, alarms, stackName),
    });
  }

  /** A metric that a function writes with `measure`. */
  #metric(
    functionName: string,
    metricName: MetricName,
    { period = FIVE_MINUTES, ...rest }: { statistic: string; period?: Duration; label?: string },
    dimensions: Record<string, string> = {},
  ): Metric {
    return new Metric({
      namespace: NAMESPACE,
      metricName,
      dimensionsMap: { FunctionName: this.#functions.get(functionName).functionName, ...dimensions },
      period,
      ...rest,
    });
  }

  #addAlarms(alarms: Alarms): void {
    alarms.add('StampFailures', {
      metric: this.#metric('seal', 'SealFailures', { statistic: 'Sum' }),
      threshold: 0,
      means: 'A seal was given up: a signed request waits for an operator.',
      runbook: 'stamp-failures',
    });
    alarms.add('OldestAwaitingStamp', {
      metric: this.#metric('sweep', 'OldestAwaitingStamp', { statistic: 'Maximum' }),
      threshold: SEAL_LATE.toSeconds(),
      means: 'A signed request has waited for its seal for half an hour.',
      runbook: 'seals-that-wait',
    });
    alarms.add('GuessedCodes', {
      metric: this.#metric('verify-code', 'WrongCodes', { statistic: 'Sum' }),
      threshold: WRONG_CODES_IN_FIVE_MINUTES,
      means: 'So many wrong codes in five minutes are no typing errors: somebody guesses across requests.',
      runbook: 'guessed-codes',
    });
    alarms.add('GuessedSignInCodes', {
      metric: this.#metric('app-sign-in', 'WrongCodes', { statistic: 'Sum' }),
      threshold: WRONG_CODES_IN_FIVE_MINUTES,
      means:
        'So many wrong codes in five minutes are no typing errors: somebody guesses those of the dashboard.',
      runbook: 'guessed-codes',
    });
    alarms.add('MailFailures', {
      metric: this.#mailFailures(),
      threshold: MAIL_FAILURES,
      means: 'SES does not take mails, whoever they are for: invitations and codes reach nobody.',
      runbook: 'mails-that-fail',
    });
    for (const name of JOBS_WITH_ITEMS)
      alarms.add(`${pascalCase(name)}LeavesItems`, {
        metric: this.#metric(name, 'JobFailed', { statistic: 'Sum', period: HOUR }),
        // The sweep retries every minute; after other jobs a failed item waits for the next day.
        threshold: name === 'sweep' ? 10 : 0,
        means: `The job ${name} ran, and could not do all that was due.`,
        runbook: 'items-that-fail',
      });
    alarms.add('ProofsRunOut', {
      metric: this.#metric('gather-revocation', 'ProofsRunningOut', { statistic: 'Maximum', period: HOUR }),
      threshold: 0,
      periods: 2,
      means: 'Proofs that a certificate was not revoked cannot be renewed; seals above B-T will wait.',
      runbook: 'proofs-that-run-out',
    });
    alarms.add('RenewalsOverdue', {
      metric: this.#metric('gather-revocation', 'RenewalsOverdue', { statistic: 'Sum', period: DAY }),
      threshold: 0,
      means:
        'Archived files are not renewed, and the certificate of their timestamp ends in three months or less.',
      runbook: 'renewals-that-are-overdue',
    });
    for (const certificate of SEAL_CERTIFICATES)
      alarms.add(`CertificateEnds-${certificate}`, {
        metric: this.#daysLeft(certificate),
        threshold: CERTIFICATE_DAYS,
        below: true,
        means: `The ${certificate} certificate ends in less than ${CERTIFICATE_DAYS} days.`,
        runbook: 'certificates',
      });
    if (this.#hasDomain)
      alarms.add('DomainCertificateEnds', {
        metric: this.#daysLeft(DOMAIN_CERTIFICATE),
        threshold: CERTIFICATE_DAYS,
        below: true,
        means: `The certificate of the domain ends in less than ${CERTIFICATE_DAYS} days, or browsers refuse it.`,
        runbook: 'certificate-of-the-domain',
      });
  }

  #daysLeft(Certificate: string, label?: string): Metric {
    const shown = { statistic: 'Minimum', period: DAY, ...(label && { label }) };
    return this.#metric('check-certificates', 'CertificateDaysLeft', shown, { Certificate });
  }

  #mailFailures(): IMetric {
    const mailing = Object.entries<FunctionSpec>(FUNCTIONS).filter(([, { mails }]) => mails);
    const metrics = mailing.map(([name]) =>
      this.#metric(name, 'MailFailures', { statistic: 'Sum', period: HOUR }),
    );
    return new MathExpression({
      expression: 'SUM(METRICS())',
      usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
      period: HOUR,
      label: 'mails not taken',
    });
  }

  #widgets(api: RestApi, queues: Queues, alarms: Alarms, stackName: string): IWidget[][] {
    const sum = (label: string) => ({ statistic: 'Sum', period: HOUR, label });
    return [
      [
        new TextWidget({
          markdown: `# ${stackName}\nRed below: its description names the section of \`docs/runbook.md\`. First \`npm run admin -- status --stack ${stackName}\`.`,
          width: 24,
          height: 2,
        }),
      ],
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24, height: 6 })],
      [
        graph(
          'What happens to requests, by hour',
          EVENTS.map((Type) =>
            this.#metric('publish-event', 'Events', sum(Type.replace(/^.*\./, '')), { Type, Mode: 'live' }),
          ),
        ),
        graph('Seals by hour', [
          this.#metric('seal', 'Sealed', sum('sealed')),
          this.#metric('seal', 'SealFailures', sum('given up')),
        ]),
      ],
      [
        graph('From the last signature to the seal, ms', [
          this.#metric('seal', 'TimeToSeal', { statistic: 'p50', label: 'p50' }),
          this.#metric('seal', 'TimeToSeal', { statistic: 'p99', label: 'p99' }),
        ]),
        graph('Oldest seal that waits, s', [
          this.#metric('sweep', 'OldestAwaitingStamp', { statistic: 'Maximum', label: 'age' }),
        ]),
      ],
      [
        graph('Calls', [
          api.metricCount({ label: 'all' }),
          api.metricClientError({ label: '4xx' }),
          api.metricServerError({ label: '5xx' }),
        ]),
        graph('Latency, ms', [
          api.metricLatency({ statistic: 'p50', label: 'p50' }),
          api.metricLatency({ statistic: 'p99', label: 'p99' }),
        ]),
      ],
      [
        graph(
          'Waiting messages',
          Object.entries(queues.byName).map(([label, queue]) =>
            queue.metricApproximateNumberOfMessagesVisible({ label }),
          ),
        ),
        graph(
          'Dead letters',
          queues.deadLetters.map((queue) =>
            queue.metricApproximateNumberOfMessagesVisible({ label: queue.node.id }),
          ),
        ),
      ],
      [
        graph('Webhook deliveries by hour', [
          ...DELIVERY_OUTCOMES.map((Outcome) =>
            this.#metric('deliver-webhook', 'Deliveries', sum(Outcome), { Outcome }),
          ),
          this.#metric('sweep', 'Deliveries', sum('found lost'), { Outcome: 'unknown' }),
        ]),
        graph(
          'What the jobs did, by hour',
          JOBS_WITH_ITEMS.flatMap((name) => [
            this.#metric(name, 'JobDone', sum(`${name} done`)),
            this.#metric(name, 'JobFailed', sum(`${name} failed`)),
          ]),
        ),
      ],
      [
        graph(
          'Failures by function',
          [...this.#functions.all].map(([label, each]) => each.metricErrors({ label })),
        ),
        graph(
          'Days that certificates have left',
          [...SEAL_CERTIFICATES, ...(this.#hasDomain ? [DOMAIN_CERTIFICATE] : [])].map((certificate) =>
            this.#daysLeft(certificate, certificate),
          ),
        ),
      ],
    ];
  }
}

/** The scheduled jobs that work through due items. */
const JOBS_WITH_ITEMS = Object.entries<FunctionSpec>(SCHEDULED)
  .filter(([, { indexes }]) => indexes?.includes('byDue'))
  .map(([name]) => name);

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left, width: 12, height: 6 });
