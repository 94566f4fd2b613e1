import { API, FUNCTIONS, JOBS, SIGNING } from '../../infra/functions.ts';
import assumed from './assumptions.json' with { type: 'json' };
import { markdownTable } from './markdown-table.ts';
import measuredCalls from './measured.json' with { type: 'json' };
import type { Measured, Tally } from './measured.ts';
import priceList from './prices.json' with { type: 'json' };

/**
 * Computes the cost of the service from the measured AWS calls of one request (`npm run bench:api`), a table of prices and
 * assumptions about what cannot be measured without AWS.
 */

const measured: Measured = measuredCalls;
const { prices: price, ...priceTable } = priceList;
const callMilliseconds: Record<string, number> = assumed.milliseconds_of_an_aws_call;
const ownMilliseconds: Record<string, number> = assumed.milliseconds_of_own_work_by_function;

/** Number of billed resources of a stack; test/unit/cost compares this with the template. */
export const RESOURCE_COUNTS = {
  secrets: 5,
  polledQueues: 6,
  /** Those that alarms watch, each at the price of an alarm; in prod only. */
  alarmMetrics: 56,
  firewallRules: 4,
  /** Those that start and stop tasks of the ingest. AWS makes them with the scaling policy. */
  scalingAlarms: 2,
};

const GB = 1e9;
export const { life } = measured;

type Lines = Record<string, number>;
const total = (lines: Lines) => Object.values(lines).reduce((sum, value) => sum + value, 0);
const add = (...all: Lines[]): Lines => {
  const sum: Lines = {};
  for (const lines of all)
    for (const [name, value] of Object.entries(lines)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};
const scale = (lines: Lines, factor: number): Lines =>
  Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, value * factor]));

/** The cost of AWS calls, without the function that makes them. */
function callLines({ readUnits, writeUnits, operations }: Tally): Lines {
  const count = (matches: (name: string) => boolean) =>
    Object.entries(operations).reduce((sum, [name, each]) => sum + (matches(name) ? each : 0), 0);
  return {
    DynamoDB: readUnits * price.dynamodb_read_unit + writeUnits * price.dynamodb_write_unit,
    S3:
      count((name) => /^s3\.(Put|List)/.test(name)) * price.s3_put +
      count((name) => /^s3\.Get/.test(name)) * price.s3_get,
    SES: count((name) => name.startsWith('ses.')) * price.ses_mail,
    // Each message is sent, received and deleted.
    SQS: 3 * count((name) => name.startsWith('sqs.Send')) * price.sqs_call,
    'KMS and secrets':
      count((name) => name.startsWith('kms.')) * price.kms_call +
      count((name) => name.startsWith('secretsmanager.')) * price.secret_call,
  };
}

/** The estimated duration of an invocation, with its AWS calls in sequence. */
export function seconds(name: string, { operations }: Tally): number {
  const waiting = Object.entries(operations).reduce((sum, [operation, count]) => {
    const [service = ''] = operation.split('.');
    return sum + count * (callMilliseconds[service] ?? 0);
  }, 0);
  const own = ownMilliseconds[name] ?? assumed.milliseconds_of_own_work;
  return (waiting + own) / 1_000;
}

/** `cost` is that of one invocation. */
function invocationLines(name: string, cost: Tally): Lines {
  const memory = FUNCTIONS[name]?.memory;
  if (memory === undefined) throw new Error(`There is no function ${name}.`);
  return add(callLines(cost), {
    Lambda: price.lambda_request + seconds(name, cost) * (memory / 1_024) * price.lambda_gb_second_arm,
    CloudWatch: (assumed.log_bytes_an_invocation / GB) * price.logs_gb,
  });
}

export const share = (cost: Tally, count: number): Tally => ({
  roundTrips: cost.roundTrips / count,
  readUnits: cost.readUnits / count,
  writeUnits: cost.writeUnits / count,
  operations: Object.fromEntries(Object.entries(cost.operations).map(([name, each]) => [name, each / count])),
});

const isHttp = (name: string) => name in API || name in SIGNING;
export const httpCalls = Object.entries(life.functions)
  .filter(([name]) => isHttp(name))
  .reduce((sum, [, { invocations }]) => sum + invocations, 0);

/** The calls to the distribution in the life of one request: those of the API, and files of the page. */
const distributionCalls = httpCalls + life.signers * assumed.page_files_a_signer;

/** Of one request, in a stack in us-east-1. */
export const distributionLogCost = (): number =>
  ((distributionCalls * assumed.log_bytes_a_distribution_call) / GB) * price.logs_gb;

/** The cost of one request, from creation to the download of the sealed document. */
export function requestLines(): Lines {
  const runs = Object.entries(life.functions).map(([name, { invocations, cost }]) =>
    scale(invocationLines(name, share(cost, invocations)), invocations),
  );
  const inBytes = (life.documentBytes * 4) / 3;
  const outBytes = life.signers * (life.documentBytes + assumed.page_bytes_a_signer) + life.sealedBytes;
  const monthOfDocuments = assumed.document_days / (assumed.hours_a_month / 24);
  return add(...runs, {
    'API Gateway': httpCalls * price.gateway_rest_call,
    CloudFront:
      distributionCalls * (price.cloudfront_request + price.cloudfront_function_call) +
      (outBytes / GB) * price.cloudfront_out_gb +
      (inBytes / GB) * price.cloudfront_to_origin_gb,
    DynamoDB: (life.storedBytes / GB) * (price.dynamodb_gb_month + price.dynamodb_backup_gb_month),
    S3: ((life.documentBytes + life.sealedBytes) / GB) * price.s3_gb_month * monthOfDocuments,
    CloudWatch: ((httpCalls * assumed.log_bytes_a_gateway_call) / GB) * price.logs_gb + distributionLogCost(),
    WAF: httpCalls * price.waf_request,
  });
}

const MINUTES = assumed.hours_a_month * 60;

/** Runs a month of a schedule. The jobs run every minute, every hour or every day. */
export function runsAMonth(schedule: string): number {
  if (schedule === 'rate(1 minute)') return MINUTES;
  if (/^cron\(\d+ \* \* \* \? \*\)$/.test(schedule)) return assumed.hours_a_month;
  if (/^cron\(\d+ \d+ \* \* \? \*\)$/.test(schedule)) return assumed.hours_a_month / 24;
  throw new Error(`The runs of ${schedule} are not counted.`);
}

/** Metrics that are written in every hour. A daily job's are billed for one hour a day, too little to matter. */
const HOURLY_METRICS = { sweep: 4, 'gather-revocation': 3 };

/** The monthly cost of an idle stack. */
export function baseLines(): Lines {
  const scheduled = Object.entries(JOBS).flatMap(([name, spec]) =>
    'runs' in spec ? [[name, runsAMonth(spec.runs)] as const] : [],
  );
  const jobs = scheduled.map(([name, runs]) => {
    const cost = measured.idle[name];
    if (!cost) throw new Error(`docs/cost/measured.json has no idle run of ${name}.`);
    return add(scale(invocationLines(name, cost), runs), {
      Lambda: runs * price.scheduler_run,
    });
  });
  const polls = RESOURCE_COUNTS.polledQueues * assumed.polls_a_minute_and_queue * MINUTES;
  return add(...jobs, {
    SQS: polls * price.sqs_call,
    'KMS and secrets': RESOURCE_COUNTS.secrets * price.secret_month + price.kms_key_month,
    CloudWatch: total(HOURLY_METRICS) * price.metric_month,
  });
}

const prodLines = (): Lines => ({
  WAF: price.waf_acl_month + RESOURCE_COUNTS.firewallRules * price.waf_rule_month,
  CloudWatch: RESOURCE_COUNTS.alarmMetrics * price.alarm_month + price.dashboard_month,
});

const largeUploadLines = (): Lines => ({
  'Large uploads':
    assumed.hours_a_month *
      (0.25 * price.fargate_vcpu_hour_arm +
        0.5 * price.fargate_gb_hour_arm +
        price.load_balancer_hour +
        price.public_address_hour) +
    RESOURCE_COUNTS.scalingAlarms * price.alarm_month,
});

const sealKeyLines = (): Lines => ({ 'KMS and secrets': price.kms_key_month });

/** Metrics that exist only with traffic, billed for each hour in which they are written. */
function trafficMetrics(requests: number): Lines {
  const methods = Object.keys(life.functions).filter(isHttp).length;
  const own = 7 + 3 + 1;
  const usedHours = Math.min(1, requests / assumed.hours_a_month);
  return {
    CloudWatch: (methods * assumed.gateway_metrics_a_method + own) * price.metric_month * usedHours,
  };
}

const dollars = (value: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const VOLUMES = [100, 10_000, 1_000_000];

function volumeTable(): string {
  const months = VOLUMES.map((requests) =>
    add(
      baseLines(),
      prodLines(),
      largeUploadLines(),
      scale(requestLines(), requests),
      trafficMetrics(requests),
    ),
  );
  const names = Object.keys(months.at(-1) ?? {}).sort(
    (a, b) => (months.at(-1)?.[b] ?? 0) - (months.at(-1)?.[a] ?? 0),
  );
  const count = (value: number) => value.toLocaleString('en-US');
  return markdownTable(
    ['US$ a month', ...VOLUMES.map((requests) => `${count(requests)} requests`)],
    [
      ...names.map((name) => [name, ...months.map((lines) => dollars(lines[name] ?? 0))]),
      ['**total**', ...months.map((lines) => `**${dollars(total(lines))}**`)],
      ['per request', ...months.map((lines, at) => (total(lines) / (VOLUMES[at] ?? 1)).toFixed(4))],
    ],
  );
}

/** The monthly cost of idle stacks: in dev, in prod without large uploads, and with them. */
export function idleCosts(): { dev: number; withoutUploads: number; prod: number } {
  const base = baseLines();
  const prod = add(base, prodLines());
  return { dev: total(base), withoutUploads: total(prod), prod: total(add(prod, largeUploadLines())) };
}

function idleTable(): string {
  const { dev, withoutUploads, prod } = idleCosts();
  return markdownTable(
    ['stack', 'US$ a month'],
    [
      ['`-c stage=dev`', dollars(dev)],
      ['`-c stage=prod -c largeUploads=off`', dollars(withoutUploads)],
      ['`-c stage=prod`, large uploads on', dollars(prod)],
      ['additional cost of `-c sealKey=rsa` or `ec`', dollars(total(sealKeyLines()))],
      [
        'additional cost of `-c largeUploads=on` (load balancer, task, address and alarms)',
        dollars(total(largeUploadLines())),
      ],
    ],
  );
}

/** docs/cost.md. */
export function costPage(): string {
  const perRequest = requestLines();
  const largest = Object.entries(perRequest).sort(([, a], [, b]) => b - a);
  const stored = (life.storedBytes / 1_000).toFixed(1);
  const storedMonthly =
    ((life.storedBytes * 1_000_000) / GB) * (price.dynamodb_gb_month + price.dynamodb_backup_gb_month);
  const archived = (((life.documentBytes + life.sealedBytes) * 1_000_000) / GB) * price.s3_gb_month;
  return `# Cost

Generated by \`npm run cost\` from the measured AWS calls of one request (\`docs/cost/measured.json\`, ${measured.measured_at}, written by
\`npm run bench:api\`), the prices in \`docs/cost/prices.json\` (${priceTable.region}, ${priceTable.date}) and the assumptions in
\`docs/cost/assumptions.json\`. ${priceTable.note}

## By volume

For a stack with default options (prod, large uploads on, seal key in a secret). Each request has ${life.signers} signers and a document
of ${(life.documentBytes / 1_048_576).toFixed(0)} MB, is opened, read and signed by each of them, sealed, and reported to one webhook endpoint in ${life.events} events. The client gets the
request twice and downloads the sealed document. That is ${httpCalls} API calls and ${life.mails} mails. A stack in another region than us-east-1
saves the distribution’s log, ${dollars(1_000_000 * distributionLogCost())} US$ per million requests.

${volumeTable()}

Without the fixed cost, a request costs ${total(perRequest).toFixed(4)} US$: ${largest
    .slice(0, 4)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join(', ')}.

## Idle

The cost of a stack in a month without use.

${idleTable()}

## Not included

- **The timestamp authority.** Its price depends on the contract; each live seal needs one timestamp.
- **Stored data.** Items stay in the table after their documents are purged: ${stored} KB per request, ${dollars(storedMonthly)} US$ a month
  per million. With the archive on, documents stay too: ${dollars(archived)} US$ a month per million.
- **Free tiers**, which cover most of the first column.
- **Small items**: reminders, list calls, SQS redeliveries, outgoing webhook bodies, log storage, requests to the KMS key of the
  database, cold starts (each reads the secrets once).
- **A seal key in KMS**: ${dollars(1_000_000 * price.kms_sign_call)} US$ in addition per million seals.
- **Rotated keys**: after its first year the webhook key costs ${dollars(price.kms_key_month)} US$ a month more, and after its second ${dollars(2 * price.kms_key_month)}. Later
  rotations are free.

Lambda durations are estimates, since there is no Lambda on one machine: the sum of the AWS calls of an invocation and its own
work, with the durations in \`assumptions.json\`. One that streams a file runs until its reader has all of it.
`;
}
