import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type MetricName, NAMESPACE } from '../shared/runtime/metrics.ts';
import type { Alarms } from './alarms.ts';
import { JOBS } from './functions.ts';
import type { Row } from './permissions.ts';
import { pascal, type Queues } from './queues.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
  readonly alarms: Alarms;
  readonly stackName: string;
}

const FIVE_MINUTES = Duration.minutes(5);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);

/** Time to get and install a new certificate. */
const CERTIFICATE_DAYS = 30;
const SEAL_LATE = Duration.minutes(30);

const EVENTS = [
  'signature_request.created',
  'signature_request.sent',
  'signature_request.opened',
  'signer.signed',
  'signature_request.completed',
  'signature_request.declined',
  'signature_request.cancelled',
  'signature_request.expired',
];
const OUTCOMES = ['delivered', 'failed', 'unknown'];
const CERTIFICATES = ['seal', 'test_seal', 'timestamp'];

/** What the service says of itself: alarms on it, and the page to look at when one rings. */
export class Operations extends Construct {
  readonly #functions: ServiceFunctions;

  constructor(scope: Construct, id: string, { api, queues, functions, alarms, stackName }: Props) {
    super(scope, id);
    this.#functions = functions;
    this.#watch(alarms);
    new Dashboard(this, 'Dashboard', {
      dashboardName: stackName,
      start: '-P1D',
      widgets: this.#rows(api, queues, alarms, stackName),
    });
  }

  /** A number that a function writes with `measure`. */
  #own(
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

  #watch(alarms: Alarms): void {
    alarms.when('StampFailures', {
      metric: this.#own('seal', 'SealFailures', { statistic: 'Sum' }),
      threshold: 0,
      means: 'A seal was given up: a signed request waits for an operator.',
      runbook: 'stamp-failures',
    });
    alarms.when('OldestAwaitingStamp', {
      metric: this.#own('sweep', 'OldestAwaitingStamp', { statistic: 'Maximum' }),
      threshold: SEAL_LATE.toSeconds(),
      means: 'A signed request has waited for its seal for half an hour.',
      runbook: 'seals-that-wait',
    });
    for (const name of scheduled())
      if (name !== 'check-certificates')
        alarms.when(`${pascal(name)}LeavesItems`, {
          metric: this.#own(name, 'JobFailed', { statistic: 'Sum', period: HOUR }),
          // The sweep tries again each minute; of the others a failed item waits for the next day.
          threshold: name === 'sweep' ? 10 : 0,
          means: `The job ${name} ran, and could not do all that was due.`,
          runbook: 'items-that-fail',
        });
    for (const certificate of CERTIFICATES)
      alarms.when(`CertificateEnds-${certificate}`, {
        metric: this.#own(
          'check-certificates',
          'CertificateDaysLeft',
          { statistic: 'Minimum', period: DAY },
          { Certificate: certificate },
        ),
        threshold: CERTIFICATE_DAYS,
        below: true,
        means: `The ${certificate} certificate ends in less than ${CERTIFICATE_DAYS} days.`,
        runbook: 'certificates',
      });
  }

  #rows(api: RestApi, queues: Queues, alarms: Alarms, stackName: string): IWidget[][] {
    const sum = (label: string) => ({ statistic: 'Sum', period: HOUR, label });
    const jobs = scheduled();
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
            this.#own('publish-event', 'Events', sum(Type.replace(/^.*\./, '')), { Type, Mode: 'live' }),
          ),
        ),
        graph('Seals by hour', [
          this.#own('seal', 'Sealed', sum('sealed')),
          this.#own('seal', 'SealFailures', sum('given up')),
        ]),
      ],
      [
        graph('From the last signature to the seal, ms', [
          this.#own('seal', 'TimeToSeal', { statistic: 'p50', label: 'p50' }),
          this.#own('seal', 'TimeToSeal', { statistic: 'p99', label: 'p99' }),
        ]),
        graph('Oldest seal that waits, s', [
          this.#own('sweep', 'OldestAwaitingStamp', { statistic: 'Maximum', label: 'age' }),
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
          ...OUTCOMES.map((Outcome) => this.#own('deliver-webhook', 'Deliveries', sum(Outcome), { Outcome })),
          this.#own('sweep', 'Deliveries', sum('found lost'), { Outcome: 'unknown' }),
        ]),
        graph(
          'What the jobs did, by hour',
          jobs
            .filter((name) => name !== 'check-certificates')
            .flatMap((name) => [
              this.#own(name, 'JobDone', sum(`${name} done`)),
              this.#own(name, 'JobFailed', sum(`${name} failed`)),
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
          CERTIFICATES.map((Certificate) =>
            this.#own(
              'check-certificates',
              'CertificateDaysLeft',
              { statistic: 'Minimum', period: DAY, label: Certificate },
              { Certificate },
            ),
          ),
        ),
      ],
    ];
  }
}

const scheduled = (): string[] =>
  Object.entries<Row>(JOBS)
    .filter(([, { runs }]) => runs)
    .map(([name]) => name);

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left, width: 12, height: 6 });
