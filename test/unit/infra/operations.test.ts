import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { problemsOf, type Status } from '../../../admin/status.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { FUNCTIONS } from '../../../infra/functions.ts';
import { pascalCase } from '../../../infra/pascal-case.ts';
import { METRICS, NAMESPACE } from '../../../shared/runtime/metrics.ts';
import { list, OPTIONS, resources, type Statement, template } from './template.ts';

const JOB: Status['jobs'][number] = {
  job: 'sweep',
  started_at: null,
  ended_at: '2026-11-20T00:00:00Z',
  due: 3,
  done: 2,
  failed: 1,
  goes_on: false,
};
/** A status with every possible problem. */
const ALL_BAD: Status = {
  at: '2026-11-21T00:00:00Z',
  requests: null,
  test_requests: null,
  awaiting_stamp: { count: 1, oldest_since: '2026-11-20T00:00:00Z', oldest_seconds: 86_400 },
  seal_faults: [],
  stamp_failed: 1,
  outbox: { backlog: 2, late: 1, late_since: '2026-11-20T00:00:00Z' },
  overdue: { expire: 0, purge: 0, remind: 0 },
  renewals: {
    due: 1,
    oldest: [
      {
        request_id: 'request-5',
        holds_until: '2027-01-01T00:00:00Z',
        due_at: '2026-07-01T00:00:00Z',
        overdue: true,
        failures: 3,
        fault: 'timestamp_unavailable: refused',
        next_attempt_at: null,
        renewals: 0,
        renewed_at: null,
      },
    ],
  },
  dead_letters: { seal: 1 },
  queues: [{ queue: 'seal', waiting: 0, in_flight: 0, dead_letters: 1, dead_letter_ids: ['request-3'] }],
  jobs: [JOB],
  certificates: [
    { certificate: 'seal', expires_at: '2026-12-01T00:00:00Z', fault: null, days_left: 10 },
    { certificate: 'timestamp', expires_at: null, fault: 'bad', days_left: null },
  ],
  next_certificate_expiry: '2026-12-01T00:00:00Z',
  ids: {
    awaiting_stamp: ['request-1'],
    stamp_failed: ['request-2'],
    outbox_late: ['request-4'],
    expire: [],
    purge: [],
    remind: [],
  },
};

const prod = template();
interface AlarmProperties {
  AlarmDescription: string;
  Namespace?: string;
  MetricName?: string;
  Threshold: number;
  Dimensions?: { Name: string; Value: unknown }[];
}
const alarms = Object.values(resources(prod, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties as unknown as AlarmProperties,
);

describe('the alarms on the service’s own metrics', () => {
  it('alarms use only metrics that the service writes', () => {
    const own = alarms.filter(({ Namespace }) => Namespace === NAMESPACE);
    expect(own.map(({ MetricName }) => MetricName)).toEqual(
      expect.arrayContaining(['SealFailures', 'OldestAwaitingStamp', 'JobFailed', 'CertificateDaysLeft']),
    );
    for (const { MetricName = '' } of own) expect(Object.keys(METRICS)).toContain(MetricName);
  });

  it('alarms fire thirty days before any certificate expires', () => {
    const ends = alarms.filter(({ MetricName }) => MetricName === 'CertificateDaysLeft');
    const watched = ends.map(
      ({ Dimensions = [] }) => Dimensions.find(({ Name }) => Name === 'Certificate')?.Value,
    );
    expect(watched.toSorted()).toEqual(['seal', 'test_seal', 'timestamp']);
    for (const alarm of ends)
      expect(alarm).toMatchObject({
        Threshold: 30,
        ComparisonOperator: 'LessThanThreshold',
        Statistic: 'Minimum',
      });
  });

  it('the certificate of a custom domain is checked, and has an alarm with a section of the runbook', () => {
    const custom = template(OPTIONS);
    custom.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.stringLikeRegexp('runbook.md#certificate-of-the-domain'),
      MetricName: 'CertificateDaysLeft',
      Dimensions: Match.arrayWith([{ Name: 'Certificate', Value: 'domain' }]),
      Threshold: 30,
      ComparisonOperator: 'LessThanThreshold',
    });
    custom.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'signature-requests-check-certificates',
      Environment: { Variables: Match.objectLike({ CUSTOM_DOMAIN: OPTIONS.domain }) },
    });
    expect(readFileSync('docs/runbook.md', 'utf8')).toContain('\n## Certificate of the domain\n');
  });

  it('a stack without a custom domain has no alarm on its certificate, and its job connects to nothing', () => {
    expect(JSON.stringify(prod.toJSON())).not.toMatch(/CUSTOM_DOMAIN|certificate-of-the-domain/);
  });

  it.each([
    ['SealFailures', 'Sum', 300, 0],
    ['OldestAwaitingStamp', 'Maximum', 300, 30 * 60],
    ['ProofsRunningOut', 'Maximum', 3600, 0],
    ['RenewalsOverdue', 'Sum', 24 * 3600, 0],
  ])('an alarm fires where %s (%s in %d s) is more than %d', (MetricName, Statistic, Period, Threshold) => {
    const alarm = { MetricName, Statistic, Period, Threshold, ComparisonOperator: 'GreaterThanThreshold' };
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', alarm);
  });

  it('an alarm fires at the first item that a job cannot do, and at the eleventh in an hour of the sweep, which retries', () => {
    const leaving = alarms.filter(({ MetricName }) => MetricName === 'JobFailed');
    const thresholds = leaving.map(({ Dimensions, Threshold }) => [
      /Functions(\w+?)Function/.exec(JSON.stringify(Dimensions))?.[1],
      Threshold,
    ]);
    expect(Object.fromEntries(thresholds)).toEqual({
      Sweep: 10,
      Expire: 0,
      Purge: 0,
      Remind: 0,
      GatherRevocation: 0,
    });
  });
});

it.each([
  ['signers', 'VerifyCode'],
  ['users of the dashboard', 'AppSignIn'],
])('an alarm fires at more than a hundred wrong codes of %s in five minutes', (_whose, name) => {
  prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'WrongCodes',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: Match.stringLikeRegexp(name) } }],
    Statistic: 'Sum',
    Period: 300,
    Threshold: 100,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

it('an alarm fires if SES refuses mails of any function for a reason other than the address', () => {
  const mailing = Object.entries<FunctionSpec>(FUNCTIONS).filter(([, { mails }]) => mails);
  prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmDescription: Match.stringLikeRegexp('runbook.md#mails-that-fail'),
    ComparisonOperator: 'GreaterThanThreshold',
    Metrics: [
      Match.objectLike({ Expression: 'SUM(METRICS())' }),
      ...mailing.map(([name]) =>
        Match.objectLike({
          ReturnData: false,
          MetricStat: Match.objectLike({
            Stat: 'Sum',
            Metric: Match.objectLike({
              Namespace: NAMESPACE,
              MetricName: 'MailFailures',
              Dimensions: [
                {
                  Name: 'FunctionName',
                  Value: { Ref: Match.stringLikeRegexp(`Functions${pascalCase(name)}`) },
                },
              ],
            }),
          }),
        }),
      ),
    ],
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

  it('the runbook has the section named by each alarm', () => {
    for (const { AlarmDescription } of alarms) expect(sections).toContain(linked(AlarmDescription)[0]);
  });

  it('the runbook has the section named by each problem of the status', () => {
    const problems = problemsOf(ALL_BAD);
    expect(problems).toHaveLength(9);
    for (const { runbook, ids } of problems) {
      expect(sections).toContain(linked(runbook)[0]);
      expect(ids).not.toEqual([]);
    }
  });
});

describe('the dashboard', () => {
  it('there is one dashboard, which shows the alarms first', () => {
    prod.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const body = JSON.stringify(Object.values(resources(prod, 'AWS::CloudWatch::Dashboard')));
    expect(body).toContain('docs/runbook.md');
    expect(body.indexOf('\\"alarm\\"')).toBeLessThan(body.indexOf('\\"metric\\"'));
  });
});

describe('a job that invokes itself again', () => {
  const functions = Object.values(resources(prod, 'AWS::Lambda::Function')).map(
    ({ Properties }) => Properties,
  );
  const roles = resources(prod, 'AWS::IAM::Role');

  it.each(Object.entries<FunctionSpec>(FUNCTIONS).filter(([, { reinvokesItself }]) => reinvokesItself))(
    'the job %s may invoke only itself',
    (name) => {
      const made = functions.find(({ FunctionName }) => FunctionName === `signature-requests-${name}`);
      if (!made) throw new Error(`There is no function ${name}.`);
      const role = (made.Role as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];
      const policies = roles[role]?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
      const invoking = policies
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Action }) => list(Action).includes('lambda:InvokeFunction'));
      expect(invoking).toHaveLength(1);
      expect(JSON.stringify(invoking[0]?.Resource)).toMatch(
        new RegExp(`:function:signature-requests-${name}"`),
      );
      expect(JSON.stringify(invoking[0]?.Resource)).not.toContain('*');
      // Otherwise Lambda stops it after sixteen rounds.
      expect(made.RecursiveLoop).toBe('Allow');
    },
  );
});
