import { readFileSync } from 'node:fs';
import assumptions from '../../../docs/cost/assumptions.json' with { type: 'json' };
import { OWN_LIMITS, withCapacity } from '../../../docs/cost/capacity.ts';
import { withLoadTable } from '../../../docs/cost/load.ts';
import measured from '../../../docs/cost/measured.json' with { type: 'json' };
import {
  baseLines,
  costPage,
  distributionLogCost,
  httpCalls,
  idleCosts,
  life,
  RESOURCE_COUNTS,
  requestLines,
  runsAMonth,
} from '../../../docs/cost/page.ts';
import { API, JOBS, SIGNING } from '../../../infra/functions.ts';
import { parseExpression } from '../../../local/schedules/expression.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { DUE_SHARDS } from '../../../shared/store/keys.ts';
import { only, template } from '../infra/template.ts';

const count = (type: string, options: Record<string, string> = {}) =>
  Object.keys(template(options).findResources(type)).length;

describe('the cost page', () => {
  it('docs/cost.md is what npm run cost generates', () => {
    expect(readFileSync('docs/cost.md', 'utf8')).toBe(costPage());
  });

  it('docs/deploy.md quotes its idle costs', () => {
    const { dev, withoutUploads, prod } = idleCosts();
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
      `about ${prod.toFixed()} idle; ${withoutUploads.toFixed()} with \`-c largeUploads=off\`; ${dev.toFixed()} with \`-c stage=dev\``,
    );
  });

  it('loads, capacity and limits in docs/scale.md are what npm run cost generates', () => {
    const page = readFileSync('docs/scale.md', 'utf8');
    expect(withCapacity(withLoadTable(page))).toBe(page);
    // None of the parts is missing.
    for (const heading of ['Load by', 'What the defaults carry', 'Limits in the order'])
      expect(page).toContain(`\n## ${heading}`);
  });

  it('docs/scale.md counts with the limits that the service sets', () => {
    const prod = template();
    const stages = Object.values(prod.findResources('AWS::ApiGateway::Stage'));
    const all = stages.flatMap(({ Properties }) => Properties.MethodSettings);
    expect(all.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)).toEqual([OWN_LIMITS.callsASecond]);
    const [acl] = Object.values(prod.findResources('AWS::WAFv2::WebACL'));
    expect(JSON.stringify(acl?.Properties.Rules)).toContain(`"Limit":${OWN_LIMITS.callsAMinuteAndAddress}}`);
    expect(DUE_SHARDS).toBe(OWN_LIMITS.dueShards);
  });

  it('docs/scale.md counts the gateway’s rate for each route, as the gateway does', () => {
    const routes = Object.entries(life.functions).filter(([name]) => name in { ...API, ...SIGNING });
    const busiest = Math.max(...routes.map(([, { invocations }]) => invocations));
    const page = readFileSync('docs/scale.md', 'utf8');
    const { callsASecond } = OWN_LIMITS;
    expect(page).toContain(
      `| ${callsASecond} calls a second of each route (\`infra/gateway.ts\`) | ${Math.floor(callsASecond / busiest)} |`,
    );
    // A signer opens, verifies, reads and signs once.
    expect(page).toContain(
      `| signatures (a signer opens, reads, signs) | ${callsASecond} | the gateway’s rate |`,
    );
  });

  it('docs/scale.md says how many queries a sweep makes', () => {
    const queries = measured.idle.sweep.operations['dynamodb.Query'];
    expect(readFileSync('docs/scale.md', 'utf8')).toContain(`The sweep makes ${queries} queries a minute`);
  });

  it('the cost page counts the same resources as the stack has', () => {
    const prod = template();
    const number = (type: string) => Object.keys(prod.findResources(type)).length;
    const [acl] = Object.values(prod.findResources('AWS::WAFv2::WebACL'));
    expect({
      secrets: number('AWS::SecretsManager::Secret'),
      polledQueues: number('AWS::Lambda::EventSourceMapping'),
      alarmMetrics: Object.values(prod.findResources('AWS::CloudWatch::Alarm')).reduce(
        (sum, { Properties }) => sum + (JSON.stringify(Properties).match(/"MetricName":/g) ?? []).length,
        0,
      ),
      firewallRules: acl?.Properties.Rules.length,
      // One that starts tasks, and one that stops them.
      scalingAlarms: 2 * number('AWS::ApplicationAutoScaling::ScalingPolicy'),
    }).toEqual(RESOURCE_COUNTS);
    expect(number('AWS::CloudWatch::Dashboard')).toBe(1);
    expect(number('AWS::KMS::Key')).toBe(1);
    expect(number('AWS::ElasticLoadBalancingV2::LoadBalancer')).toBe(1);
    expect(number('AWS::EC2::NatGateway')).toBe(0);
  });

  it('a request costs what its lines in the distribution’s log cost, which hold the fields of the template', () => {
    const line = {
      'timestamp(ms)': '1764400000000',
      'x-edge-request-id': 'QnmmNkPtyxfQfPmGzVkgqxEmNbQkn1yYQfSmd0oDCm8Zt6b1Xj0abc==',
      'x-edge-location': 'FRA56-P12',
      'cs-method': 'POST',
      'cache-behavior-path-pattern': '/api/*',
      'cs-protocol-version': 'HTTP/2.0',
      'ssl-protocol': 'TLSv1.3',
      'sc-status': '200',
      'sc-bytes': '1523',
      'cs-bytes': '812',
      'time-taken': '0.123',
      'time-to-first-byte': '0.123',
      'x-edge-detailed-result-type': 'Miss',
      'c-country': 'DE',
    };
    const { RecordFields } = only<{ RecordFields: string[] }>(template(), 'AWS::Logs::Delivery');
    expect(Object.keys(line)).toEqual(RecordFields);
    // CloudWatch counts 26 bytes more for each line.
    const bytes = JSON.stringify(line).length + 26;
    expect(Math.abs(assumptions.log_bytes_a_distribution_call - bytes)).toBeLessThan(25);
    const calls = httpCalls + life.signers * assumptions.page_files_a_signer;
    const perMillion = 1_000_000 * distributionLogCost();
    expect(perMillion).toBeCloseTo((calls * assumptions.log_bytes_a_distribution_call * 0.5) / 1_000);
    expect(costPage()).toContain(
      `saves the distribution’s log, ${perMillion.toFixed(2)} US$ per million requests`,
    );
  });

  it('the cost page names what a key costs in addition once it was rotated', () => {
    const rotated = { Properties: { EnableKeyRotation: true } };
    expect(Object.values(template().findResources('AWS::KMS::Key', rotated))).toHaveLength(1);
    expect(costPage()).toContain('the webhook key costs 1.00 US$ a month more, and after its second 2.00');
  });

  it('a stack in stage dev has no firewall, alarms or load balancer', () => {
    const types = [
      'AWS::WAFv2::WebACL',
      'AWS::CloudWatch::Alarm',
      'AWS::ElasticLoadBalancingV2::LoadBalancer',
    ];
    expect(types.map((type) => count(type, { stage: 'dev' }))).toEqual([0, 0, 0]);
  });

  it('every scheduled job has a measured run, and every cost is a number', () => {
    expect(Object.values(JOBS).filter((job) => 'runs' in job)).toHaveLength(6);
    for (const lines of [baseLines(), requestLines()])
      for (const value of Object.values(lines)) expect(value).toBeGreaterThanOrEqual(0);
  });

  it.each(Object.entries(JOBS).flatMap(([name, job]) => ('runs' in job ? [[name, job.runs] as const] : [])))(
    '%s costs as many runs as its schedule %s has',
    (_name, schedule) => {
      const { after } = parseExpression(schedule, 'UTC');
      const day = Date.UTC(2026, 0, 1);
      let runs = 0;
      for (let at = after(day - 1); at !== undefined && at < day + DAY; at = after(at)) runs++;
      expect(runsAMonth(schedule) / 730).toBeCloseTo(runs / 24);
    },
  );

  it.each(Object.entries(JOBS).flatMap(([name, job]) => ('runs' in job ? [[name, job.runs] as const] : [])))(
    'docs/architecture.md says when %s runs: %s',
    (name, schedule) => {
      const [, minute = '', hour = ''] = /^cron\((\d+) (\d+) /.exec(schedule) ?? [];
      const [row = ''] =
        readFileSync('docs/architecture.md', 'utf8').match(
          new RegExp(`^\\| \`functions/jobs/${name}.ts.*$`, 'm'),
        ) ?? [];
      expect(row).toContain(hour ? `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : 'each');
    },
  );
});
