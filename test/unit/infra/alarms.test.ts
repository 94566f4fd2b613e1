import { Match } from 'aws-cdk-lib/assertions';
import { resources, template } from './template.ts';

const prod = template({ alarmMail: 'ops@example.org' });
const alarms = Object.values(resources(prod, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

describe('the alarms', () => {
  it('reach the address that was given', () => {
    prod.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
    for (const { AlarmActions } of alarms)
      expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/Topic/) }]);
  });

  it('say what is wrong and where the runbook tells more', () => {
    for (const { AlarmDescription } of alarms)
      expect(AlarmDescription).toMatch(/^[A-Z].+\. See docs\/runbook\.md#[a-z-]+\.$/);
  });

  it('watch every queue of failures from the first message on', () => {
    const queues = Object.entries(resources(prod, 'AWS::SQS::Queue')).filter(([id]) =>
      id.includes('DeadLetters'),
    );
    expect(queues).toHaveLength(5);
    for (const [id] of queues)
      prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
      });
  });

  it('tell of a job that did not run, from silence', () => {
    const silent = alarms.filter(({ MetricName }) => MetricName === 'Invocations');
    expect(silent).toHaveLength(5);
    for (const alarm of silent)
      expect(alarm).toMatchObject({
        TreatMissingData: 'breaching',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
      });
  });

  it('are sent over TLS alone', () => {
    prod.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      }),
    });
  });

  it('are left out of a stack for trying', () => {
    template({ stage: 'dev' }).resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });
});
