import { readFileSync } from 'node:fs';
import { Match, OPTIONS, only, resources, template } from './template.ts';

const prod = template();
const alarms = Object.values(resources(prod, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

describe('the alarms', () => {
  it('alarms are mailed to the configured address', () => {
    template(OPTIONS).hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: OPTIONS.alarmMail,
    });
    for (const { AlarmActions } of alarms)
      expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/Topic/) }]);
  });

  it('the docs name the alarm topic where they explain its subscription', () => {
    const names = Object.values(resources(prod, 'AWS::SNS::Topic')).map(({ Properties }) =>
      String(Properties.TopicName),
    );
    const name = names.find((one) => one.endsWith('-alarms')) ?? '';
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
      `aws sns confirm-subscription --topic-arn arn:aws:sns:REGION:ACCOUNT:${name} --token TOKEN`,
    );
    const ofAnyStack = `arn:aws:sns:REGION:ACCOUNT:${name.replace('signature-requests', 'NAME')} `;
    expect(readFileSync('docs/runbook.md', 'utf8')).toContain(`aws sns subscribe --topic-arn ${ofAnyStack}`);
  });

  it('alarms describe the problem and name the section of the runbook', () => {
    for (const { AlarmDescription } of alarms)
      expect(AlarmDescription).toMatch(/^[A-Z].+\. See docs\/runbook\.md#[a-z-]+\.$/);
  });

  it('an alarm fires at the first message in any dead-letter queue', () => {
    const queues = Object.entries(resources(prod, 'AWS::SQS::Queue')).filter(([id]) =>
      id.includes('DeadLetters'),
    );
    expect(queues).toHaveLength(7);
    for (const [id] of queues)
      prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
      });
  });

  it('an alarm fires if a job stops running, and is quiet until its first run', () => {
    const notRun = alarms.filter(({ MetricName }) => MetricName === 'Invocations');
    expect(notRun).toHaveLength(6);
    for (const alarm of notRun)
      expect(alarm).toMatchObject({
        // The state of a new alarm is INSUFFICIENT_DATA, so only a job that ran once can enter it.
        TreatMissingData: 'missing',
        InsufficientDataActions: [{ Ref: expect.stringMatching(/Topic/) }],
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
      });
    const silence = notRun.map(({ Period, EvaluationPeriods }) => Number(Period) * Number(EvaluationPeriods));
    expect(silence.sort((a, b) => a - b)).toEqual([5 * 60, ...Array(5).fill(25 * 3600)]);
    for (const { TreatMissingData } of alarms) expect(TreatMissingData).not.toBe('breaching');
  });

  it.each([
    ['AWS/ApiGateway', '5XXError', 'Average', '>', 0.01, 2],
    ['AWS/Lambda', 'Throttles', 'Sum', '>', 0, 2],
    ['AWS/ApplicationELB', 'HealthyHostCount', 'Minimum', '<', 1, 2],
    ['AWS/ApplicationELB', 'UnHealthyHostCount', 'Maximum', '>', 0, 3],
    ['AWS/ApplicationELB', 'HTTPCode_Target_5XX_Count', 'Sum', '>', 3, 1],
    ['AWS/ApplicationELB', 'HTTPCode_ELB_5XX_Count', 'Sum', '>', 3, 1],
    // SES reviews an account at these rates.
    ['AWS/SES', 'Reputation.BounceRate', 'Maximum', '>', 0.05, 1],
    ['AWS/SES', 'Reputation.ComplaintRate', 'Maximum', '>', 0.001, 1],
    // In percent, unlike the others.
    ['AWS/CloudFront', '5xxErrorRate', 'Average', '>', 1, 2],
  ])(
    'an alarm fires at %s %s: %s %s %d, %d times',
    (Namespace, MetricName, Statistic, comparison, Threshold, EvaluationPeriods) => {
      const ComparisonOperator = comparison === '<' ? 'LessThanThreshold' : 'GreaterThanThreshold';
      const alarm = { Namespace, MetricName, Statistic, ComparisonOperator, Threshold, EvaluationPeriods };
      prod.hasResourceProperties('AWS::CloudWatch::Alarm', alarm);
    },
  );

  it('an alarm fires if the firewall refuses most calls, which neither functions nor gateway errors show', () => {
    const acl = only<{ VisibilityConfig: { MetricName: string } }>(prod, 'AWS::WAFv2::WebACL');
    const calls = (Id: string, MetricName: string) => ({
      Id,
      ReturnData: false,
      MetricStat: {
        Metric: {
          Namespace: 'AWS/WAFV2',
          MetricName,
          // The dimensions of a regional web ACL; those of one for distributions have no region.
          Dimensions: [
            { Name: 'Region', Value: { Ref: 'AWS::Region' } },
            { Name: 'Rule', Value: 'ALL' },
            { Name: 'WebACL', Value: acl.VisibilityConfig.MetricName },
          ],
        },
        Period: 900,
        Stat: 'Sum',
      },
    });
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: [
        Match.objectLike({ Expression: 'IF(blocked > 5, blocked / SUM(METRICS()), 0)' }),
        calls('blocked', 'BlockedRequests'),
        calls('allowed', 'AllowedRequests'),
      ],
      Threshold: 0.5,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
  });

  it('an alarm fires at the first failed run of a job, and at the third in five minutes of one that runs each minute', () => {
    const failing = alarms.filter(
      ({ Namespace, MetricName }) => Namespace === 'AWS/Lambda' && MetricName === 'Errors',
    );
    const thresholds = failing.map(({ Dimensions, Threshold }) => [
      /Functions(\w+?)Function/.exec(JSON.stringify(Dimensions))?.[1],
      Threshold,
    ]);
    expect(Object.fromEntries(thresholds)).toEqual({
      Sweep: 2,
      Expire: 0,
      Purge: 0,
      Remind: 0,
      CheckCertificates: 0,
      GatherRevocation: 0,
    });
  });

  it('a stack without the ingest has no alarms on it', () => {
    const without = Object.values(resources(template({ largeUploads: 'off' }), 'AWS::CloudWatch::Alarm'));
    expect(without.filter(({ Properties }) => Properties.Namespace === 'AWS/ApplicationELB')).toEqual([]);
  });

  it('an alarm on the distribution exists only in us-east-1, where CloudFront has its metrics', () => {
    const [found] = Object.values(
      prod.findResources('AWS::CloudWatch::Alarm', {
        Properties: { Namespace: 'AWS/CloudFront', MetricName: '5xxErrorRate' },
      }),
    );
    const condition = prod.toJSON().Conditions[found?.Condition];
    expect(condition).toEqual({ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] });
    // The dashboard may not refer to an alarm that may not exist.
    expect(JSON.stringify(resources(prod, 'AWS::CloudWatch::Dashboard'))).not.toContain('DistributionErrors');
  });

  it('an alarm fires when the oldest message of a queue has waited for an hour', () => {
    const ages = alarms.filter(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage');
    const working = Object.values(resources(prod, 'AWS::SQS::Queue')).filter(
      ({ Properties }) => Properties.RedrivePolicy,
    );
    expect(ages).toHaveLength(working.length);
    for (const { Threshold } of ages) expect(Threshold).toBe(3600);
  });

  it('the alarm on throttles and its section tell of reservations, which throttle while the account has concurrency left', () => {
    const [alarm] = alarms.filter(({ MetricName }) => MetricName === 'Throttles');
    expect(alarm?.AlarmDescription).toContain('reservation');
    const [, section] = readFileSync('docs/runbook.md', 'utf8').split('\n## Throttles\n');
    expect(section?.split('\n## ')[0]).toContain('-c reservedConcurrency');
  });

  it('alarms are sent only over TLS', () => {
    prod.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      }),
    });
  });

  it('CloudWatch may publish to the topic, for alarms of this account only', () => {
    prod.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Resource: { Ref: Match.stringLikeRegexp('Topic') },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      }),
    });
  });

  it('alarms are left out in stage dev', () => {
    template({ stage: 'dev' }).resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });
});
