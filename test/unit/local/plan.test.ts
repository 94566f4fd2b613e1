import { makePlan } from '../../../local/assembly/make-plan.ts';
import { targetOf } from '../../../local/assembly/resources/containers.ts';
import {
  type Json,
  StackError,
  type Template,
  type TemplateResource,
} from '../../../local/assembly/template.ts';

const ENVIRONMENT = {
  region: 'eu-north-1',
  account: '111122223333',
  queueUrl: (name: string) => `http://localhost/q/${name}`,
};

const plan = (template: Partial<Template>) =>
  makePlan(
    {
      name: 'Stack',
      template: { Resources: {}, ...template },
      assets: new Map([['code.zip', '/assets/code']]),
    },
    ENVIRONMENT,
  );

/** Evaluates an expression through an output. */
function value(expression: Json, more: Partial<Template> = {}) {
  return plan({ ...more, Outputs: { Value: { Value: expression } } }).outputs.Value;
}

/** A role that an AWS service may assume. */
const trusting = (service: string, ...Statement: Json[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service: `${service}.amazonaws.com` },
        },
      ],
    },
    Policies: [{ PolicyName: 'own', PolicyDocument: { Statement } }],
  },
});

const QUEUE = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } };

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

describe('a container behind a load balancer', () => {
  const Resources: Template['Resources'] = {
    Origin: {
      Type: 'AWS::CloudFront::VpcOrigin',
      Properties: {
        VpcOriginEndpointConfig: {
          Arn: { Ref: 'Balancer' },
          Name: 'x',
          HTTPPort: 80,
          OriginProtocolPolicy: 'http-only',
        },
      },
    },
    Balancer: {
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      Properties: { Scheme: 'internal', SecurityGroups: [{ 'Fn::GetAtt': ['Firewall', 'GroupId'] }] },
    },
    Firewall: { Type: 'AWS::EC2::SecurityGroup', Properties: { GroupDescription: 'x' } },
    LookUp: {
      Type: 'Custom::NetworkLookUp',
      Properties: { PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing' },
    },
    Ingress: {
      Type: 'AWS::EC2::SecurityGroupIngress',
      Properties: {
        GroupId: { 'Fn::GetAtt': ['Firewall', 'GroupId'] },
        IpProtocol: 'tcp',
        FromPort: 80,
        ToPort: 80,
        SourcePrefixListId: { 'Fn::GetAtt': ['LookUp', 'PrefixListId'] },
      },
    },
    Group: {
      Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
      Properties: { Port: 8080, Protocol: 'HTTP', TargetType: 'ip', HealthCheckPath: '/well' },
    },
    Listener: {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: { Ref: 'Balancer' },
        Port: 80,
        DefaultActions: [{ Type: 'forward', TargetGroupArn: { Ref: 'Group' } }],
      },
    },
    Role: trusting('ecs-tasks'),
    Task: {
      Type: 'AWS::ECS::TaskDefinition',
      Properties: {
        TaskRoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Volumes: [{ Name: 'code' }],
        ContainerDefinitions: [
          {
            Name: 'copier',
            EntryPoint: ['sh', '-c'],
            Command: ['aws s3 cp s3://assets/code.zip /code/run.mjs'],
          },
          {
            Name: 'server',
            Command: ['node', '/code/run.mjs', '--fast'],
            Environment: [{ Name: 'SIZE', Value: '1' }],
            MountPoints: [{ ContainerPath: '/code', SourceVolume: 'code', ReadOnly: true }],
          },
        ],
      },
    },
    Service: {
      Type: 'AWS::ECS::Service',
      Properties: {
        TaskDefinition: { Ref: 'Task' },
        LoadBalancers: [{ ContainerName: 'server', ContainerPort: 8080, TargetGroupArn: { Ref: 'Group' } }],
      },
    },
  };

  it('a container is found by its VPC origin, with the file that an init container copies', () => {
    const made = plan({ Resources });
    const [originId = ''] = made.vpcOrigins.keys();
    expect(targetOf(originId, made)).toMatchObject({
      healthCheckPath: '/well',
      container: {
        id: 'server',
        file: '/assets/code',
        args: ['--fast'],
        environment: { SIZE: '1' },
        volumes: [{ name: 'code', path: '/code' }],
      },
    });
    expect(targetOf('another', made)).toBeUndefined();
  });

  it('a container whose role does not trust ECS is refused', () => {
    expect(() => plan({ Resources: { ...Resources, Role: trusting('lambda') } })).toThrow(
      /The task .+ has a role that ecs-tasks.amazonaws.com may not assume/,
    );
  });

  it('a container whose file is not copied by an init container is refused', () => {
    const { Task, ...others } = Resources;
    const definitions = Task?.Properties?.ContainerDefinitions;
    const [, server = {}] = Array.isArray(definitions) ? definitions : [];
    const alone = {
      ...Task,
      Type: 'AWS::ECS::TaskDefinition',
      Properties: { ...Task?.Properties, ContainerDefinitions: [server] },
    };
    expect(() => plan({ Resources: { ...others, Task: alone } })).toThrow(
      'runs /code/run.mjs, which no other container copies from an asset',
    );
  });

  it.each([
    ['the VPC’s own range', { CidrIp: '10.0.0.0/24' }],
    ['another prefix list', { SourcePrefixListId: 'pl-s3' }],
    ['another port', { FromPort: 443, ToPort: 443 }],
  ])('a VPC origin whose security group lets in only %s is refused', (_what, change) => {
    const { SourcePrefixListId, ...rest } = Resources.Ingress?.Properties ?? {};
    const source = 'FromPort' in change ? { SourcePrefixListId: SourcePrefixListId ?? '' } : {};
    const Ingress = {
      Type: 'AWS::EC2::SecurityGroupIngress',
      Properties: { ...rest, ...source, ...change },
    };
    expect(() => plan({ Resources: { ...Resources, Ingress } })).toThrow(
      /CloudFront cannot reach arn:aws:elasticloadbalancing:.+: no security group of it lets in the prefix list/,
    );
  });

  /** @behaviour cloudfront.function-language */
  it.each([
    'const { uri } = event.request;',
    'const answer = { uri };',
    'const uri = event.request?.uri;',
    'const uri = event.uri ?? "/";',
    'for (const one of event.headers) log(one);',
    'const log = (text = "") => text;',
    'class Answer {}',
  ])('an edge function in a language that CloudFront does not run is refused: %s', (line) => {
    const edgeFunction = (body: string) => ({
      Resources: {
        Edge: {
          Type: 'AWS::CloudFront::Function',
          Properties: {
            Name: 'edge',
            FunctionCode: `import cf from 'cloudfront';\nfunction handler(event) { ${body} }`,
            FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
          },
        },
      },
    });
    expect(() => plan(edgeFunction(line))).toThrow(/function\/edge is not written in the language/);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the edge function fills it.
    const known = 'let uri = `/${event.uri}`; const log = async (...rest) => { await rest[0](2 ** 3); };';
    expect(() => plan(edgeFunction(known))).not.toThrow();
  });

  /** @behaviour cloudfront.vpc-origin */
  it('a VPC origin without a security group for CloudFront is refused', () => {
    const { Ingress: _removed, ...closed } = Resources;
    expect(() => plan({ Resources: closed })).toThrow('no security group of it lets in the prefix list');
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

describe('who calls a function', () => {
  const FUNCTION_ARN = { 'Fn::GetAtt': ['Function', 'Arn'] };
  const CALLER_ARN = { 'Fn::GetAtt': ['Caller', 'Arn'] };
  const mayCall = (Resource: Json) => ({ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource });

  const called = (Caller: TemplateResource, Own: TemplateResource = trusting('lambda')) => ({
    Own,
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'notes',
        Code: { S3Key: 'code.zip' },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        Role: { 'Fn::GetAtt': ['Own', 'Arn'] },
      },
    },
    Caller,
  });

  const route = (Caller: TemplateResource, integration: Record<string, Json> = {}) => ({
    ...called(Caller),
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'api' } },
    Route: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
        HttpMethod: 'GET',
        Integration: {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          Credentials: CALLER_ARN,
          Uri: {
            'Fn::Join': ['', ['arn:aws:apigateway:x:lambda:path/functions/', FUNCTION_ARN, '/invocations']],
          },
          ...integration,
        },
      },
    },
  });

  const schedule = (Caller: TemplateResource) => ({
    ...called(Caller),
    Hourly: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'hourly',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: FUNCTION_ARN, RoleArn: CALLER_ARN },
      },
    },
  });

  it.each([
    ['The route GET /', 'apigateway', route],
    ['The schedule hourly', 'scheduler', schedule],
  ])('%s is refused unless its role may call the function and trusts %s', (what, service, resources) => {
    const made = (Caller: TemplateResource) => () => plan({ Resources: resources(Caller) });
    expect(made(trusting(service, mayCall(FUNCTION_ARN)))().functions.size).toBe(1);
    for (const statements of [[], [mayCall('arn:aws:lambda:eu-north-1:111122223333:function:other')]])
      expect(made(trusting(service, ...statements))).toThrow(
        new RegExp(`${what} has a role that does not allow lambda:InvokeFunction on .+:notes: `),
      );
    expect(made(trusting('lambda', mayCall(FUNCTION_ARN)))).toThrow(
      new RegExp(`${what} has a role that ${service}.amazonaws.com may not assume: `),
    );
  });

  it('a schedule is refused if its role may not send to its dead-letter queue', () => {
    const JOBS_ARN = { 'Fn::GetAtt': ['Jobs', 'Arn'] };
    const made = (Action: string) => () => {
      const Caller = trusting('scheduler', mayCall(FUNCTION_ARN), {
        Effect: 'Allow',
        Action,
        Resource: JOBS_ARN,
      });
      const resources = schedule(Caller);
      const { Hourly } = resources;
      const Target = { ...Hourly.Properties.Target, DeadLetterConfig: { Arn: JOBS_ARN } };
      const withDeadLetters = { ...Hourly, Properties: { ...Hourly.Properties, Target } };
      return plan({ Resources: { ...resources, Hourly: withDeadLetters, Jobs: QUEUE } });
    };
    expect(made('sqs:SendMessage')().schedules).toHaveLength(1);
    expect(made('sqs:ReceiveMessage')).toThrow(
      /The schedule hourly has a role that does not allow sqs:SendMessage on .+:jobs: /,
    );
  });

  const STREAM = {
    ResponseTransferMode: 'STREAM',
    Uri: {
      'Fn::Join': [
        '',
        [
          'arn:aws:apigateway:x:lambda:path/2021-11-15/functions/',
          FUNCTION_ARN,
          '/response-streaming-invocations',
        ],
      ],
    },
  };

  /** @behaviour api-gateway.stream-integration */
  it.each([
    ['a time-out of more than 29 seconds', { TimeoutInMillis: 29_001 }, 'the time-out must be'],
    ['one of more than 15 minutes', { ...STREAM, TimeoutInMillis: 900_001 }, 'the time-out must be'],
    ['a stream of an invocation without one', { ResponseTransferMode: 'STREAM' }, 'the URI must be'],
    ['a buffer for an invocation with a stream', { Uri: STREAM.Uri }, 'the URI must be'],
  ])('%s is refused, as API Gateway does', (_what, integration, sentence) => {
    const Caller = trusting('apigateway', mayCall(FUNCTION_ARN));
    expect(() => plan({ Resources: route(Caller, integration) })).toThrow(sentence);
    expect(plan({ Resources: route(Caller, { ...STREAM, TimeoutInMillis: 900_000 }) }).apis.size).toBe(1);
  });

  it.each(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'])(
    'a function that a queue calls is refused if its role lacks %s',
    (action) => {
      const JOBS_ARN = { 'Fn::GetAtt': ['Jobs', 'Arn'] };
      const made = (Action: string[]) => () =>
        plan({
          Resources: {
            ...called(
              trusting('lambda'),
              trusting('lambda', { Effect: 'Allow', Action, Resource: JOBS_ARN }),
            ),
            Jobs: QUEUE,
            Mapping: {
              Type: 'AWS::Lambda::EventSourceMapping',
              Properties: { EventSourceArn: JOBS_ARN, FunctionName: { Ref: 'Function' } },
            },
          },
        });
      const needed = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
      expect(made(needed)().eventSources).toHaveLength(1);
      expect(made(needed.filter((each) => each !== action))).toThrow(
        new RegExp(`The function notes has a role that does not allow ${action} on .+:jobs: `),
      );
    },
  );

  it('a function is refused if its role may not send to its dead-letter queue', () => {
    const JOBS_ARN = { 'Fn::GetAtt': ['Jobs', 'Arn'] };
    const made = (Action: string) => () => {
      const resources = called(
        trusting('lambda'),
        trusting('lambda', { Effect: 'Allow', Action, Resource: JOBS_ARN }),
      );
      const { Function: notes } = resources;
      const DeadLetterConfig = { TargetArn: JOBS_ARN };
      const own = { ...notes, Properties: { ...notes.Properties, DeadLetterConfig } };
      return plan({ Resources: { ...resources, Function: own, Jobs: QUEUE } });
    };
    expect(made('sqs:SendMessage')().functions.get('notes')?.deadLetterQueue).toBe('jobs');
    expect(made('sqs:ReceiveMessage')).toThrow(
      /The function notes has a role that does not allow sqs:SendMessage on .+:jobs: /,
    );
  });

  it('a function whose role does not trust Lambda is refused', () => {
    expect(() => plan({ Resources: called(trusting('lambda'), trusting('scheduler')) })).toThrow(
      /The function notes has a role that lambda.amazonaws.com may not assume/,
    );
  });
});
