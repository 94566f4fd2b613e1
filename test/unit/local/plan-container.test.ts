import { targetOf } from '../../../local/assembly/resources/containers.ts';
import type { Template } from '../../../local/assembly/template.ts';
import { plan, trusting } from './planned.ts';

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
            ReadonlyRootFilesystem: true,
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
        volumes: [{ name: 'code', path: '/code', isReadOnly: true }],
        hasReadOnlyRoot: true,
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
