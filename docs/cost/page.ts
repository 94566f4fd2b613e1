import { readFileSync } from 'node:fs';
import { API, JOBS, ROWS, SIGNING } from '../../infra/functions.ts';
import type { Tally } from '../../test/bench/support/calls.ts';
import type { Life } from '../../test/bench/support/life.ts';
import { markdownTable } from '../../test/bench/support/report.ts';

/**
 * What the service costs, from what a request was measured to ask of AWS (`npm run bench:api`), a table of prices and
 * a few assumptions about what cannot be measured without AWS.
 */

interface Measured {
  measured_at: string;
  life: Life;
  /** A run of each scheduled job that finds nothing to do. */
  idle: Record<string, Tally>;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T;
const measured = read<Measured>('measured.json');
const { prices: price, ...priceTable } = read<{
  region: string;
  date: string;
  note: string;
  sources: string[];
  prices: Record<string, number>;
}>('prices.json');
const assumed = read<{
  hours_a_month: number;
  milliseconds_of_an_aws_call: Record<string, number>;
  milliseconds_of_own_work: number;
  milliseconds_of_own_work_by_function: Record<string, number>;
  log_bytes_an_invocation: number;
  log_bytes_a_gateway_call: number;
  page_files_a_signer: number;
  page_bytes_a_signer: number;
  document_days: number;
  polls_a_minute_and_queue: number;
  gateway_metrics_a_method: number;
}>('assumptions.json');

/** How many of each paid thing a stack has; test/unit/cost holds it against the stack itself. */
export const PARTS = {
  secrets: 5,
  queuesThatAreRead: 4,
  /** In prod only. */
  alarms: 32,
  firewallRules: 3,
};

const GB = 1e9;
export const { life } = measured;

function p(name: string): number {
  const value = price[name];
  if (value === undefined) throw new Error(`docs/cost/prices.json has no price ${name}.`);
  return value;
}

type Lines = Record<string, number>;
const total = (lines: Lines) => Object.values(lines).reduce((sum, value) => sum + value, 0);
const plus = (...all: Lines[]): Lines => {
  const sum: Lines = {};
  for (const lines of all)
    for (const [name, value] of Object.entries(lines)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};
const times = (lines: Lines, factor: number): Lines =>
  Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, value * factor]));

/** What calls of AWS cost by themselves. */
function callLines({ readUnits, writeUnits, operations }: Tally): Lines {
  const count = (matches: (name: string) => boolean) =>
    Object.entries(operations).reduce((sum, [name, each]) => sum + (matches(name) ? each : 0), 0);
  return {
    DynamoDB: readUnits * p('dynamodb_read_unit') + writeUnits * p('dynamodb_write_unit'),
    S3:
      count((name) => /^s3\.(Put|List)/.test(name)) * p('s3_put') +
      count((name) => /^s3\.Get/.test(name)) * p('s3_get'),
    SES: count((name) => name.startsWith('ses.')) * p('ses_mail'),
    // A message is also received and deleted.
    SQS: 3 * count((name) => name.startsWith('sqs.Send')) * p('sqs_call'),
    'KMS and secrets':
      count((name) => name.startsWith('kms.')) * p('kms_call') +
      count((name) => name.startsWith('secretsmanager.')) * p('secret_call'),
  };
}

/** How long a run takes, as if its calls of AWS came one after the other. */
export function seconds(name: string, { operations }: Tally): number {
  const waiting = Object.entries(operations).reduce((sum, [operation, count]) => {
    const [service = ''] = operation.split('.');
    return sum + count * (assumed.milliseconds_of_an_aws_call[service] ?? 0);
  }, 0);
  const own = assumed.milliseconds_of_own_work_by_function[name] ?? assumed.milliseconds_of_own_work;
  return (waiting + own) / 1_000;
}

/** `cost` is that of one run. */
function runLines(name: string, cost: Tally): Lines {
  const memory = ROWS[name]?.memory;
  if (memory === undefined) throw new Error(`There is no function ${name}.`);
  return plus(callLines(cost), {
    Lambda: p('lambda_request') + seconds(name, cost) * (memory / 1_024) * p('lambda_gb_second_arm'),
    CloudWatch: (assumed.log_bytes_an_invocation / GB) * p('logs_gb'),
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

/** One request from its creation to its sealed document. */
export function requestLines(): Lines {
  const runs = Object.entries(life.functions).map(([name, { invocations, cost }]) =>
    times(runLines(name, share(cost, invocations)), invocations),
  );
  const pageCalls = life.signers * assumed.page_files_a_signer;
  const inBytes = (life.documentBytes * 4) / 3;
  const outBytes = life.signers * (life.documentBytes + assumed.page_bytes_a_signer) + life.sealedBytes;
  const monthOfDocuments = assumed.document_days / (assumed.hours_a_month / 24);
  return plus(...runs, {
    'API Gateway': httpCalls * p('gateway_rest_call'),
    CloudFront:
      (httpCalls + pageCalls) * (p('cloudfront_request') + p('cloudfront_function_call')) +
      (outBytes / GB) * p('cloudfront_out_gb') +
      (inBytes / GB) * p('cloudfront_to_origin_gb'),
    DynamoDB: (life.storedBytes / GB) * (p('dynamodb_gb_month') + p('dynamodb_backup_gb_month')),
    S3: ((life.documentBytes + life.sealedBytes) / GB) * p('s3_gb_month') * monthOfDocuments,
    CloudWatch: ((httpCalls * assumed.log_bytes_a_gateway_call) / GB) * p('logs_gb'),
    WAF: httpCalls * p('waf_request'),
  });
}

const MINUTES = assumed.hours_a_month * 60;
const DAYS = assumed.hours_a_month / 24;

/** What every stack costs, whatever it does. */
export function baseLines(): Lines {
  const scheduled = Object.entries(JOBS).flatMap(([name, row]) =>
    'runs' in row ? [[name, row.runs.startsWith('rate') ? MINUTES : DAYS] as const] : [],
  );
  const jobs = scheduled.map(([name, runs]) => {
    const cost = measured.idle[name];
    if (!cost) throw new Error(`docs/cost/measured.json has no run of ${name}.`);
    return plus(times(runLines(name, cost), runs), {
      'KMS and secrets': 0,
      Lambda: runs * p('scheduler_run'),
    });
  });
  const polls = PARTS.queuesThatAreRead * assumed.polls_a_minute_and_queue * MINUTES;
  return plus(...jobs, {
    SQS: polls * p('sqs_call'),
    'KMS and secrets': PARTS.secrets * p('secret_month') + p('kms_key_month'),
    // The sweep's numbers; the others come too seldom to count.
    CloudWatch: 4 * p('metric_month'),
  });
}

export const prodLines = (): Lines => ({
  WAF: p('waf_acl_month') + PARTS.firewallRules * p('waf_rule_month'),
  CloudWatch: PARTS.alarms * p('alarm_month') + p('dashboard_month'),
});

export const largeUploadLines = (): Lines => ({
  'Large uploads':
    times(
      {
        hour:
          0.25 * p('fargate_vcpu_hour_arm') +
          0.5 * p('fargate_gb_hour_arm') +
          p('load_balancer_hour') +
          p('public_address_hour'),
      },
      assumed.hours_a_month,
    ).hour ?? 0,
});

const sealKeyLines = (): Lines => ({ 'KMS and secrets': p('kms_key_month') });

/** Metrics that come into being with use, paid for each hour in which they are written. */
function usedMetrics(requests: number): Lines {
  const methods = Object.keys(life.functions).filter(isHttp).length;
  const own = 7 + 3 + 1;
  const usedHours = Math.min(1, requests / assumed.hours_a_month);
  return {
    CloudWatch: (methods * assumed.gateway_metrics_a_method + own) * p('metric_month') * usedHours,
  };
}

const dollars = (value: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const VOLUMES = [100, 10_000, 1_000_000];

function volumeTable(): string {
  const months = VOLUMES.map((requests) =>
    plus(
      baseLines(),
      prodLines(),
      largeUploadLines(),
      times(requestLines(), requests),
      usedMetrics(requests),
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
      ['**all**', ...months.map((lines) => `**${dollars(total(lines))}**`)],
      ['a request', ...months.map((lines, at) => (total(lines) / (VOLUMES[at] ?? 1)).toFixed(4))],
    ],
  );
}

function idleTable(): string {
  const base = baseLines();
  const prod = plus(base, prodLines());
  return markdownTable(
    ['stack', 'US$ a month'],
    [
      ['`-c stage=dev`', dollars(total(base))],
      ['`-c stage=prod -c largeUploads=off`', dollars(total(prod))],
      ['`-c stage=prod`, large uploads on', dollars(total(plus(prod, largeUploadLines())))],
      ['with `-c sealKey=rsa` or `ec`, more', dollars(total(sealKeyLines()))],
      [
        'with `-c largeUploads=on`, more (its load balancer, task and address)',
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
    ((life.storedBytes * 1_000_000) / GB) * (p('dynamodb_gb_month') + p('dynamodb_backup_gb_month'));
  const archived = (((life.documentBytes + life.sealedBytes) * 1_000_000) / GB) * p('s3_gb_month');
  return `# Cost

Made by \`npm run cost\` from what a request was measured to ask of AWS (\`docs/cost/measured.json\`, ${measured.measured_at}, written by
\`npm run bench:api\`), the prices in \`docs/cost/prices.json\` (${priceTable.region}, ${priceTable.date}) and the assumptions in
\`docs/cost/assumptions.json\`. ${priceTable.note}

## By volume

A stack as deployed by default (prod, large uploads on, seal key in a secret). Each request has ${life.signers} signers and a document
of ${(life.documentBytes / 1_048_576).toFixed(0)} MB, is opened, read and signed by each, sealed, and told to one webhook endpoint in ${life.events} events; its sender gets
it twice and fetches the sealed document. That is ${httpCalls} calls of the API and ${life.mails} mails.

${volumeTable()}

Without the fixed part a request costs ${total(perRequest).toFixed(4)} US$: ${largest
    .slice(0, 4)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join(', ')}.

## Idle

What a stack costs in a month in which nobody uses it.

${idleTable()}

## What it leaves out

- **The timestamp authority.** Its price is a contract’s; each live seal takes one timestamp.
- **What stays.** Items stay in the table when documents are purged: ${stored} KB a request, ${dollars(storedMonthly)} US$ a month for
  each million. An owner with the archive keeps documents too: ${dollars(archived)} US$ a month for each million.
- **Free tiers**, which cover most of the first column.
- **What is small**: reminders, list calls, repeated deliveries, webhook bodies on their way out, stored logs, requests to the
  database’s own KMS key, cold starts (secrets read once for each).
- **A seal key in KMS**: ${dollars(1_000_000 * p('kms_sign_call'))} US$ more for a million seals.

Lambda’s time is not measured, for there is no Lambda on one machine: it is taken as the sum of a run’s calls of AWS and of its own
work, at the times that \`assumptions.json\` names.
`;
}
