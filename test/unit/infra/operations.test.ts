import { readFileSync } from 'node:fs';
import { problemsOf, type Status } from '../../../functions/admin/status.ts';
import { ROWS } from '../../../infra/functions.ts';
import type { Row } from '../../../infra/permissions.ts';
import { METRICS, NAMESPACE } from '../../../shared/runtime/metrics.ts';
import { list, resources, type Statement, template } from './template.ts';

const job = {
  job: 'sweep',
  started_at: null,
  ended_at: '2026-11-20T00:00:00Z',
  due: 3,
  done: 2,
  failed: 1,
  goes_on: false,
};
/** A status in which all is wrong that can be. */
const ALL_BAD: Status = {
  at: '2026-11-21T00:00:00Z',
  requests: null,
  test_requests: null,
  awaiting_stamp: { count: 1, oldest_since: '2026-11-20T00:00:00Z', oldest_seconds: 86_400 },
  stamp_failed: 1,
  outbox: { backlog: 2, late: 1, late_since: '2026-11-20T00:00:00Z' },
  overdue: { expire: 0, purge: 0, remind: 0 },
  dead_letters: { seal: 1 },
  queues: [{ queue: 'seal', waiting: 0, in_flight: 0, dead_letters: 1 }],
  jobs: [job],
  certificates: [
    { certificate: 'seal', expires_at: '2026-12-01T00:00:00Z', fault: null, days_left: 10 },
    { certificate: 'timestamp', expires_at: null, fault: 'bad', days_left: null },
  ],
  next_certificate_expiry: '2026-12-01T00:00:00Z',
};

const prod = template();
const alarms = Object.values(resources(prod, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties as { AlarmDescription: string; Namespace?: string; MetricName?: string },
);

describe('the alarms on what the service says of itself', () => {
  it('ask for numbers that are written', () => {
    const own = alarms.filter(({ Namespace }) => Namespace === NAMESPACE);
    expect(own.map(({ MetricName }) => MetricName)).toEqual(
      expect.arrayContaining(['SealFailures', 'OldestAwaitingStamp', 'JobFailed', 'CertificateDaysLeft']),
    );
    for (const { MetricName = '' } of own) expect(Object.keys(METRICS)).toContain(MetricName);
  });

  it('tell of a certificate thirty days before its end, and of a seal from the first failure on', () => {
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'CertificateDaysLeft',
      Threshold: 30,
      ComparisonOperator: 'LessThanThreshold',
    });
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'SealFailures',
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
    });
  });
});

describe('the runbook', () => {
  const sections = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const linked = (text: string) => [...text.matchAll(/docs\/runbook\.md#([a-z-]+)/g)].map(([, name]) => name);

  it('has the section that each alarm names', () => {
    for (const { AlarmDescription } of alarms) expect(sections).toContain(linked(AlarmDescription)[0]);
  });

  it('has the section that each problem of the status names', () => {
    const problems = problemsOf(ALL_BAD);
    expect(problems).toHaveLength(8);
    for (const problem of problems) expect(sections).toContain(linked(problem)[0]);
  });
});

describe('the dashboard', () => {
  it('is one, and shows the alarms first', () => {
    prod.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const body = JSON.stringify(Object.values(resources(prod, 'AWS::CloudWatch::Dashboard')));
    expect(body).toContain('docs/runbook.md');
    expect(body.indexOf('\\"alarm\\"')).toBeLessThan(body.indexOf('\\"metric\\"'));
  });
});

describe('the jobs that start themselves again', () => {
  const functions = Object.values(resources(prod, 'AWS::Lambda::Function')).map(
    ({ Properties }) => Properties,
  );
  const roles = resources(prod, 'AWS::IAM::Role');

  it.each(Object.entries<Row>(ROWS).filter(([, { goesOn }]) => goesOn))(
    'may start %s and nothing else',
    (name) => {
      const made = functions.find(({ FunctionName }) => FunctionName === `signature-requests-${name}`);
      if (!made) throw new Error(`There is no function ${name}.`);
      const role = (made.Role as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];
      const policies = roles[role]?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
      const starting = policies
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Action }) => list(Action).includes('lambda:InvokeFunction'));
      expect(starting).toHaveLength(1);
      expect(JSON.stringify(starting[0]?.Resource)).toMatch(
        new RegExp(`:function:signature-requests-${name}"`),
      );
      expect(JSON.stringify(starting[0]?.Resource)).not.toContain('*');
      // Else Lambda stops it after sixteen rounds.
      expect(made.RecursiveLoop).toBe('Allow');
    },
  );
});
