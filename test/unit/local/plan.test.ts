import { type Json, StackError, type Template } from '../../../local/assembly/template.ts';
import { plan, QUEUE, value } from './planned.ts';

describe('a template’s expressions', () => {
  const parts: Partial<Template> = {
    Mappings: { Sizes: { small: { cpu: 256 } } },
    Resources: { Jobs: QUEUE },
  };

  it.each([
    [{ Ref: 'AWS::Region' }, 'eu-north-1'],
    [{ Ref: 'AWS::AccountId' }, '111122223333'],
    [{ Ref: 'Jobs' }, 'http://localhost/q/jobs'],
    [{ 'Fn::GetAtt': ['Jobs', 'Arn'] }, 'arn:aws:sqs:eu-north-1:111122223333:jobs'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, 3]] }, 'a-aws-3'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it.
    [{ 'Fn::Sub': 'x-${AWS::Region}-${Jobs}' }, 'x-eu-north-1-http://localhost/q/jobs'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [{ 'Fn::FindInMap': ['Sizes', 'small', 'cpu'] }, '256'],
  ])('the expression %j is evaluated', (expression, expected) => {
    expect(value(expression, parts)).toBe(expected);
  });

  it.each([
    [{ Ref: 'Nobody' }, /Nobody is not part of the template/],
    [{ 'Fn::GetAtt': ['Jobs', 'Nonsense'] }, /The attribute Nonsense of Jobs .* is not implemented/],
    [{ 'Fn::Transform': {} }, /Fn::Transform is not implemented/],
    [{ 'Fn::Select': [5, ['a']] }, /Fn::Select has no item 5/],
    [{ 'Fn::FindInMap': ['Sizes', 'big', 'cpu'] }, /finds nothing at Sizes\.big\.cpu/],
    [{ 'Fn::Join': ['-', 'no list'] }, /instead of a list/],
  ])('the expression %j is refused with its reason', (expression, sentence) => {
    expect(() => value(expression, parts)).toThrow(StackError);
    expect(() => value(expression, parts)).toThrow(sentence);
  });
});

describe('a plan', () => {
  it('a resource is created after those it refers to, in any order of the template', () => {
    const made = plan({
      Resources: {
        Jobs: {
          Type: 'AWS::SQS::Queue',
          Properties: {
            QueueName: 'jobs',
            RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
          },
        },
        Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
      },
    });
    expect(made.queues.get('jobs')?.deadLetter).toEqual({ queueName: 'dead', maxReceiveCount: 3 });
  });

  it('a resource whose condition is false is omitted', () => {
    const made = plan({
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Jobs: { ...QUEUE, Condition: 'Never' } },
    });
    expect(made.queues.size).toBe(0);
  });

  it('generated names are the same in every run', () => {
    const unnamed = { Resources: { Jobs: { Type: 'AWS::SQS::Queue' } } };
    expect([...plan(unnamed).queues.keys()]).toEqual([...plan(unnamed).queues.keys()]);
  });

  it('a resource without effect is ignored and reported', () => {
    const { ignored } = plan({ Resources: { View: { Type: 'AWS::CloudWatch::Dashboard' } } });
    expect(ignored).toEqual([
      { resource: 'View (AWS::CloudWatch::Dashboard)', reason: 'there is no monitoring here' },
    ]);
  });

  it.each([
    ['an unknown type', { Type: 'AWS::Neptune::DBCluster' }, 'resources of this type are not implemented'],
    [
      'an unknown property',
      { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
      'the property FifoQueue is not implemented',
    ],
  ])('%s is refused with the path of its construct', (_what, resource, sentence) => {
    const Metadata = { 'aws:cdk:path': 'App/The/Resource' };
    expect(() => plan({ Resources: { One: { ...resource, Metadata } } })).toThrow(
      new RegExp(`^App/The \\(${resource.Type}\\): ${sentence}`),
    );
  });

  it.each([
    [
      { RemoveHeadersConfig: { Items: [{ Header: 'X-Amzn-RequestId' }] } },
      'remove the header X-Amzn-RequestId',
    ],
    [
      { CustomHeadersConfig: { Items: [{ Header: 'X-Frame-Options', Value: 'DENY', Override: true }] } },
      'X-Frame-Options must be set by its own setting',
    ],
  ])('a response headers policy that CloudFront refuses is refused: %j', (config, sentence) => {
    const Properties = { ResponseHeadersPolicyConfig: { Name: 'headers', ...config } };
    const Resources = { One: { Type: 'AWS::CloudFront::ResponseHeadersPolicy', Properties } };
    expect(() => plan({ Resources })).toThrow(sentence);
  });

  /** @behaviour cloudfront.function-size */
  it('an edge function may have at most 10 KB', () => {
    const edgeFunction = (FunctionCode: string) => () => {
      const Properties = { Name: 'edge', FunctionCode, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } };
      return plan({ Resources: { One: { Type: 'AWS::CloudFront::Function', Properties } } });
    };
    const code = `// ${'x'.repeat(10 * 1024 - 3)}`;
    expect(edgeFunction(code)().edgeFunctions.size).toBe(1);
    expect(edgeFunction(`${code}x`)).toThrow('larger than 10 KB');
  });

  /** @behaviour dynamodb.index-attributes */
  it('an index may project at most 20 named attributes', () => {
    const key = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }];
    const table = (attributes: number) => () => {
      const NonKeyAttributes = Array.from({ length: attributes }, (_, n) => `a${n}`);
      const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes };
      const Properties = {
        AttributeDefinitions: [key('pk')],
        KeySchema,
        GlobalSecondaryIndexes: [{ IndexName: 'by', KeySchema, Projection }],
      };
      return plan({ Resources: { One: { Type: 'AWS::DynamoDB::GlobalTable', Properties } } });
    };
    expect(table(20)().tables).toHaveLength(1);
    expect(table(21)).toThrow('at most 20');
  });

  it('all problems of a stack are reported at once', () => {
    const Resources = { A: { Type: 'AWS::One::A' }, B: { Type: 'AWS::Two::B' } };
    expect(() => plan({ Resources })).toThrow(/^A .*\nB .*$/);
  });

  it('resources with circular references are refused', () => {
    const Resources = {
      A: { Type: 'AWS::SQS::Queue', DependsOn: 'B' },
      B: { Type: 'AWS::SQS::Queue', DependsOn: 'A' },
    };
    expect(() => plan({ Resources })).toThrow('A → B → A');
  });
});

describe('an alarm', () => {
  const topic = (...Statement: Json[]): Template['Resources'] => ({
    Topic: { Type: 'AWS::SNS::Topic' },
    Policy: {
      Type: 'AWS::SNS::TopicPolicy',
      Properties: { Topics: [{ Ref: 'Topic' }], PolicyDocument: { Statement } },
    },
    Bell: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: [{ Ref: 'Topic' }] } },
  });
  const denyPlain = {
    Effect: 'Deny',
    Principal: '*',
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  };
  const allow = (more: Record<string, Json> = {}) => ({
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    ...more,
  });

  /** @behaviour sns.publish-permission */
  it('an alarm whose topic has a policy that does not let CloudWatch publish is refused', () => {
    const sentence = /The alarm .+ reaches nobody: the policy of .+ does not let cloudwatch/;
    expect(() => plan({ Resources: topic(denyPlain) })).toThrow(sentence);
    expect(() =>
      plan({ Resources: topic(denyPlain, allow({ Principal: { Service: 'ses.amazonaws.com' } })) }),
    ).toThrow(sentence);
    const ofAnotherAccount = { Condition: { StringEquals: { 'aws:SourceAccount': '999988887777' } } };
    expect(() => plan({ Resources: topic(denyPlain, allow(ofAnotherAccount)) })).toThrow(sentence);
  });

  it('an alarm may publish to a topic whose policy allows it, or that has none', () => {
    const ofThisAccount = { Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } };
    expect(() => plan({ Resources: topic(denyPlain, allow(ofThisAccount)) })).not.toThrow();
    const { Policy: _removed, ...others } = topic();
    expect(() => plan({ Resources: others })).not.toThrow();
  });
});

describe('a configuration set', () => {
  const publishing = (events: string[], Statement: Json[]): Template['Resources'] => ({
    Set: { Type: 'AWS::SES::ConfigurationSet', Properties: { Name: 'mails' } },
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'returned' } },
    Policy: {
      Type: 'AWS::SNS::TopicPolicy',
      Properties: { Topics: [{ Ref: 'Topic' }], PolicyDocument: { Statement } },
    },
    Destination: {
      Type: 'AWS::SES::ConfigurationSetEventDestination',
      Properties: {
        ConfigurationSetName: { Ref: 'Set' },
        EventDestination: {
          MatchingEventTypes: events,
          SnsDestination: { TopicARN: { Ref: 'Topic' } },
        },
      },
    },
  });
  const letsIn = (SourceArn: string) => ({
    Effect: 'Allow',
    Principal: { Service: 'ses.amazonaws.com' },
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    Condition: { StringEquals: { 'aws:SourceArn': SourceArn, 'aws:SourceAccount': '111122223333' } },
  });
  const OWN = letsIn('arn:aws:ses:eu-north-1:111122223333:configuration-set/mails');

  it('a configuration set publishes its events to a topic', () => {
    const { configurationSets } = plan({ Resources: publishing(['BOUNCE', 'complaint'], [OWN]) });
    const topicArn = 'arn:aws:sns:eu-north-1:111122223333:returned';
    expect([...configurationSets.values()]).toEqual([
      { name: 'mails', destinations: [{ topicArn, events: ['bounce', 'complaint'] }] },
    ]);
  });

  const queueOf = (Statement: Json[]): Template['Resources'] => ({
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'returned' } },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'returns' } },
    QueuePolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: { Statement } },
    },
    Subscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: {
        Protocol: 'sqs',
        TopicArn: { Ref: 'Topic' },
        Endpoint: { 'Fn::GetAtt': ['Queue', 'Arn'] },
      },
    },
  });
  const letsSend = (SourceArn: Json) => ({
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
    Condition: { ArnEquals: { 'aws:SourceArn': SourceArn } },
  });

  /** @behaviour sns.queue-permission */
  it('a topic sends to a queue, whose policy must let it in', () => {
    const { subscriptions } = plan({ Resources: queueOf([letsSend({ Ref: 'Topic' })]) });
    expect(subscriptions).toMatchObject([{ queueName: 'returns' }]);
    for (const statements of [[], [letsSend('arn:aws:sns:eu-north-1:111122223333:other')]])
      expect(() => plan({ Resources: queueOf(statements) })).toThrow(
        /The topic .+:returned cannot send to returns: no policy of the queue lets sns.amazonaws.com send for it/,
      );
  });

  /** @behaviour sns.ses-publish */
  it('a configuration set whose topic does not let SES publish is refused', () => {
    const sentence =
      /The configuration set mails reaches nobody: no policy of .+ lets ses.amazonaws.com publish/;
    const other = letsIn('arn:aws:ses:eu-north-1:111122223333:configuration-set/other');
    expect(() => plan({ Resources: publishing(['bounce'], [other]) })).toThrow(sentence);
    const { Policy: _removed, ...without } = publishing(['bounce'], []);
    expect(() => plan({ Resources: without })).toThrow(sentence);
  });

  it('an event that SES never publishes here is refused', () => {
    expect(() => plan({ Resources: publishing(['delivery'], [OWN]) })).toThrow(
      /only the events bounce and complaint are implemented/,
    );
  });
});
