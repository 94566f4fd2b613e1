import { makePlan } from '../../../local/assembly/makePlan.ts';
import { targetOf } from '../../../local/assembly/resources/containers.ts';
import { type Json, StackError, type Template } from '../../../local/assembly/template.ts';

const surroundings = {
  region: 'eu-north-1',
  account: '111122223333',
  queueUrl: (name: string) => `http://localhost/q/${name}`,
};

function plan(template: Partial<Template>, ...others: Partial<Template>[]) {
  const stacks = [...others, template].map((one, index) => ({
    name: `Stack${index}`,
    region: undefined,
    account: undefined,
    template: { Resources: {}, ...one },
    assets: new Map([['code.zip', '/assets/code']]),
  }));
  return makePlan(stacks, surroundings);
}

/** What an expression resolves to, seen through an output. */
function value(expression: Json, more: Partial<Template> = {}) {
  return plan({ ...more, Outputs: { Value: { Value: expression } } }).outputs.Value;
}

const queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } };

describe('a template’s expressions', () => {
  const parameters: Partial<Template> = {
    Parameters: { Size: { Type: 'Number', Default: 3 }, Open: { Type: 'String' } },
    Mappings: { Sizes: { small: { cpu: 256 } } },
    Conditions: {
      IsSmall: { 'Fn::Equals': [{ Ref: 'Size' }, 3] },
      IsLarge: { 'Fn::Not': [{ Condition: 'IsSmall' }] },
      Both: { 'Fn::And': [{ Condition: 'IsSmall' }, { Condition: 'IsLarge' }] },
      One: { 'Fn::Or': [{ Condition: 'IsSmall' }, { Condition: 'IsLarge' }] },
    },
    Resources: { Jobs: queue },
  };

  it.each([
    [{ Ref: 'AWS::Region' }, 'eu-north-1'],
    [{ Ref: 'AWS::AccountId' }, '111122223333'],
    [{ Ref: 'AWS::StackName' }, 'Stack0'],
    [{ Ref: 'Size' }, '3'],
    [{ Ref: 'Jobs' }, 'http://localhost/q/jobs'],
    [{ 'Fn::GetAtt': ['Jobs', 'Arn'] }, 'arn:aws:sqs:eu-north-1:111122223333:jobs'],
    [{ 'Fn::GetAtt': 'Jobs.QueueName' }, 'jobs'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Size' }, 'b']] }, 'a-3-b'],
    [{ 'Fn::Join': ['', ['a', { Ref: 'AWS::NoValue' }]] }, 'a'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it.
    [{ 'Fn::Sub': 'x-${Size}-${Jobs.QueueName}-${!Literal}' }, 'x-3-jobs-${Literal}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it.
    [{ 'Fn::Sub': ['${Own}/${AWS::Region}', { Own: { Ref: 'Size' } }] }, '3/eu-north-1'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [{ 'Fn::FindInMap': ['Sizes', 'small', 'cpu'] }, '256'],
    [{ 'Fn::Base64': 'abc' }, 'YWJj'],
    [{ 'Fn::If': ['IsSmall', 'small', 'large'] }, 'small'],
    [{ 'Fn::If': ['IsLarge', 'large', 'small'] }, 'small'],
    [{ 'Fn::If': ['Both', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['One', 'yes', 'no'] }, 'yes'],
    [{ 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }, 'eu-north-1a'],
  ])('resolves %j', (expression, expected) => {
    expect(value(expression, parameters)).toBe(expected);
  });

  it.each([
    [{ Ref: 'Nobody' }, /Nobody is not part of the template/],
    [{ Ref: 'Open' }, /The parameter Open has no default/],
    [{ 'Fn::GetAtt': ['Jobs', 'Nonsense'] }, /The attribute Nonsense of Jobs .* is not implemented/],
    [{ 'Fn::Transform': {} }, /Fn::Transform is not implemented/],
    [{ 'Fn::ImportValue': 'nobody' }, /No stack of the app exports nobody/],
    [{ 'Fn::Select': [5, ['a']] }, /Fn::Select has no item 5/],
    [{ 'Fn::If': ['Unknown', 'a', 'b'] }, /The condition Unknown is not part/],
    [{ 'Fn::FindInMap': ['Sizes', 'big', 'cpu'] }, /finds nothing at Sizes\.big\.cpu/],
    [{ 'Fn::Join': ['-', 'no list'] }, /A list was expected/],
  ])('refuses %j with a sentence', (expression, sentence) => {
    expect(() => value(expression, parameters)).toThrow(StackError);
    expect(() => value(expression, parameters)).toThrow(sentence);
  });

  it('imports what another stack of the app exports', () => {
    const exporting: Partial<Template> = {
      Outputs: { Out: { Value: 'shared', Export: { Name: 'the-name' } } },
    };
    const importing: Partial<Template> = { Outputs: { In: { Value: { 'Fn::ImportValue': 'the-name' } } } };
    expect(plan(importing, exporting).outputs.In).toBe('shared');
  });
});

describe('a plan', () => {
  it('makes a resource after those that it refers to, however they are ordered', () => {
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

  it('leaves out what a condition leaves out', () => {
    const made = plan({
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Jobs: { ...queue, Condition: 'Never' } },
    });
    expect(made.queues.size).toBe(0);
  });

  it('gives the same names every time', () => {
    const unnamed = { Resources: { Jobs: { Type: 'AWS::SQS::Queue' } } };
    expect([...plan(unnamed).queues.keys()]).toEqual([...plan(unnamed).queues.keys()]);
  });

  it('passes over what changes nothing, and says so', () => {
    const { passedOver } = plan({ Resources: { Bell: { Type: 'AWS::CloudWatch::Alarm' } } });
    expect(passedOver).toEqual([
      { resource: 'Bell (AWS::CloudWatch::Alarm)', reason: 'nothing is watched or alarmed on one machine' },
    ]);
  });

  it.each([
    [
      'a type it does not know',
      { Type: 'AWS::Neptune::DBCluster' },
      'resources of this type are not implemented',
    ],
    [
      'a property it does not know',
      { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
      'the property FifoQueue is not implemented',
    ],
  ])('refuses %s, naming the construct', (_what, resource, sentence) => {
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
      'takes X-Frame-Options by its own setting',
    ],
  ])('refuses a policy that CloudFront would refuse: %j', (config, sentence) => {
    const Properties = { ResponseHeadersPolicyConfig: { Name: 'headers', ...config } };
    const Resources = { One: { Type: 'AWS::CloudFront::ResponseHeadersPolicy', Properties } };
    expect(() => plan({ Resources })).toThrow(sentence);
  });

  it('says everything that is wrong at once', () => {
    const Resources = { A: { Type: 'AWS::One::A' }, B: { Type: 'AWS::Two::B' } };
    expect(() => plan({ Resources })).toThrow(/^A .*\nB .*$/);
  });

  it('refuses resources that refer to each other in a circle', () => {
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
      Properties: { VpcOriginEndpointConfig: { Arn: { Ref: 'Balancer' }, Name: 'x' } },
    },
    Balancer: { Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer', Properties: { Scheme: 'internal' } },
    Group: {
      Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
      Properties: { Port: 8080, Protocol: 'HTTP', TargetType: 'ip', HealthCheckPath: '/well' },
    },
    Listener: {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: { Ref: 'Balancer' },
        DefaultActions: [{ Type: 'forward', TargetGroupArn: { Ref: 'Group' } }],
      },
    },
    Role: { Type: 'AWS::IAM::Role' },
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

  it('is found from its VPC origin, with the file that another container copies for it', () => {
    const made = plan({ Resources });
    const [originId = ''] = made.vpcOrigins.keys();
    expect(targetOf(originId, made)).toMatchObject({
      port: 8080,
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

  it('is refused where nothing copies its file', () => {
    const { Task, ...others } = Resources;
    const definitions = Task?.Properties?.ContainerDefinitions;
    const [, server = {}] = Array.isArray(definitions) ? definitions : [];
    const alone = {
      ...Task,
      Type: 'AWS::ECS::TaskDefinition',
      Properties: { ...Task?.Properties, ContainerDefinitions: [server] },
    };
    expect(() => plan({ Resources: { ...others, Task: alone } })).toThrow(
      'runs /code/run.mjs, which no other container copies there',
    );
  });
});
