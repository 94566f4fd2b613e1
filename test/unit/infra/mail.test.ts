import { list, type Resource, resources, type Statement, template } from './template.ts';

const prod = template();
const [topicId = ''] = Object.entries(resources(prod, 'AWS::SNS::Topic'))
  .filter(([, { Properties }]) => Properties.TopicName === 'signature-requests-bounces')
  .map(([id]) => id);

const statementsOf = ({ Properties }: Resource) =>
  (Properties.PolicyDocument as { Statement: Statement[] }).Statement;

describe('bounces and complaints', () => {
  it('SES publishes bounces and complaints, and nothing else, to a topic', () => {
    prod.hasResourceProperties('AWS::SES::ConfigurationSet', { Name: 'signature-requests' });
    prod.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        SnsDestination: { TopicARN: { Ref: topicId } },
      },
    });
  });

  it('only this account’s configuration set may publish to the topic, and only over TLS', () => {
    const statements = Object.values(resources(prod, 'AWS::SNS::TopicPolicy'))
      .filter(({ Properties }) => JSON.stringify(Properties.Topics).includes(topicId))
      .flatMap(statementsOf);
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({
      Principal: { Service: 'ses.amazonaws.com' },
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    expect(JSON.stringify(allowed[0]?.Condition)).toContain(':configuration-set/');
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('the event destination waits for the distribution, so that SES’s test message finds the topic’s policy in effect', () => {
    const [destination] = Object.values(resources(prod, 'AWS::SES::ConfigurationSetEventDestination'));
    const [distribution] = Object.keys(resources(prod, 'AWS::CloudFront::Distribution'));
    expect(list(destination?.DependsOn ?? [])).toEqual(
      expect.arrayContaining([expect.stringMatching(/^MailBouncesPolicy/), distribution]),
    );
  });

  it('the topic sends to the queue, which takes messages from no other sender', () => {
    prod.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'sqs', TopicArn: { Ref: topicId } });
    const allowed = Object.values(resources(prod, 'AWS::SQS::QueuePolicy')).flatMap((policy) =>
      statementsOf(policy).filter(({ Effect }) => Effect === 'Allow'),
    );
    expect(allowed).toEqual([
      expect.objectContaining({
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Condition: { ArnEquals: { 'aws:SourceArn': { Ref: topicId } } },
      }),
    ]);
    expect(JSON.stringify(allowed[0]?.Resource)).toMatch(/"QueuesBounces(?!DeadLetters)\w+","Arn"/);
  });

  it('every function that mails does so in the configuration set', () => {
    const mailing = Object.values(resources(prod, 'AWS::Lambda::Function')).filter(({ Properties }) =>
      JSON.stringify(Properties.Environment ?? {}).includes('"MAIL_FROM"'),
    );
    expect(mailing.length).toBeGreaterThan(4);
    for (const { Properties } of mailing)
      expect(Properties.Environment).toMatchObject({
        Variables: { MAIL_CONFIGURATION_SET: { Ref: expect.stringMatching(/^MailSet/) } },
      });
    const statements = Object.values(resources(prod, 'AWS::IAM::Role')).flatMap(({ Properties }) =>
      ((Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
        ({ PolicyDocument }) => PolicyDocument.Statement,
      ),
    );
    const sends = statements.filter(({ Action }) => list(Action).includes('ses:SendEmail'));
    expect(sends).toHaveLength(mailing.length);
    for (const { Resource } of sends)
      expect(JSON.stringify(Resource)).toContain(':configuration-set/signature-requests"');
  });
});
