import { BODY_TIME, FUNCTION_TIME } from '../../../functions/ingest/ingest.ts';
import { SECOND } from '../../../shared/runtime/time.ts';
import { list, Match, OPTIONS, only, resources, type Statement, template } from './template.ts';

const prod = template();
const without = template({ largeUploads: 'off' });

interface Container {
  Name: string;
  Image: string;
  User?: string;
  Command: unknown[];
  DependsOn?: { ContainerName: string; Condition: string }[];
  MountPoints: { ContainerPath: string; ReadOnly: boolean }[];
  ReadonlyRootFilesystem: boolean;
}
const task = only<{ ContainerDefinitions: Container[] } & Record<string, unknown>>(
  prod,
  'AWS::ECS::TaskDefinition',
);
const container = (name: string) => task.ContainerDefinitions.find(({ Name }) => Name === name);

const lookedUp = (attribute: string) => ({
  'Fn::GetAtt': [expect.stringMatching(/^IngestEntranceLookUpFound/), attribute],
});
const roleOf = (service: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':iam::',
      { Ref: 'AWS::AccountId' },
      `:role/aws-service-role/${service}`,
    ],
  ],
});
const zonesOf = (from: typeof prod) =>
  Object.values(resources(from, 'AWS::EC2::Subnet')).map(({ Properties }) => Properties.AvailabilityZone);

describe('the ingest', () => {
  it('the ingest exists in stage prod and is left out with largeUploads=off', () => {
    prod.resourceCountIs('AWS::ECS::Service', 1);
    for (const type of ['AWS::ECS::Service', 'AWS::EC2::VPC', 'AWS::CloudFront::VpcOrigin'])
      without.resourceCountIs(type, 0);
    template({ stage: 'dev' }).resourceCountIs('AWS::ECS::Service', 0);
    template({ stage: 'dev', largeUploads: 'on' }).resourceCountIs('AWS::ECS::Service', 1);
  });

  it('the ingest is the smallest ARM task, with public images and with code from an asset of the stack', () => {
    expect(task).toMatchObject({ Cpu: '256', Memory: '512', RuntimePlatform: { CpuArchitecture: 'ARM64' } });
    // By digest, so that a task started next year is the same, and nobody can put another image behind its name.
    for (const { Image } of task.ContainerDefinitions)
      expect(Image).toMatch(/^public\.ecr\.aws\/[\w/-]+@sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(container('copier')?.Command)).toMatch(/s3:\/\/cdk-.+\.mjs.+ \/code\/index\.mjs/);
    expect(container('ingest')?.DependsOn).toEqual([{ ContainerName: 'copier', Condition: 'SUCCESS' }]);
    expect(container('ingest')?.Command).toEqual(['node', '/code/index.mjs']);
  });

  it('the ingest runs without root on a read-only file system, except for the spool folder', () => {
    const server = container('ingest');
    expect(server?.User).toBe('node');
    expect(server?.MountPoints.map(({ ContainerPath, ReadOnly }) => [ContainerPath, ReadOnly])).toEqual([
      ['/code', true],
      ['/spool', false],
    ]);
    for (const { ReadonlyRootFilesystem } of task.ContainerDefinitions)
      expect(ReadonlyRootFilesystem).toBe(true);
  });

  it('the ingest may read its code, look up API keys, stage bodies, and call create-signature', () => {
    const roles = Object.entries(resources(prod, 'AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('IngestTaskTaskRole'),
    );
    const allowed = roles.flatMap(([, { Properties }]) =>
      (Properties.PolicyDocument as { Statement: Statement[] }).Statement.map(
        ({ Action, Resource, Condition }) => [list(Action), JSON.stringify(Resource), Condition],
      ),
    );
    const onlyKeys = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } };
    expect(allowed).toEqual([
      [['s3:GetObject'], expect.stringMatching(/cdk-.+\.mjs/), undefined],
      [['s3:DeleteObject', 's3:PutObject'], expect.stringMatching(/DataStaging.+\/ingest\/\*/), undefined],
      [
        ['lambda:InvokeFunction'],
        expect.stringMatching(/FunctionsCreateSignatureFunction\w+","Arn"\]\}$/),
        undefined,
      ],
      [['dynamodb:GetItem'], expect.stringMatching(/DataTable/), onlyKeys],
    ]);
  });

  it('the ingest scales from one task to four, also over a deployment, which replaces them one by one', () => {
    prod.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 1,
      MaxCapacity: 4,
    });
    prod.hasResourceProperties('AWS::ECS::Service', {
      // With a number, a deployment would end the tasks above it, and the uploads that they receive.
      DesiredCount: Match.absent(),
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
    });
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', { HealthCheckPath: '/health' });
  });

  it('a task that a deployment replaces finishes the slowest upload that it takes, and its call of the function', () => {
    const { TargetGroupAttributes: attributes } = only<{
      TargetGroupAttributes: { Key: string; Value: string }[];
    }>(prod, 'AWS::ElasticLoadBalancingV2::TargetGroup');
    const delay = attributes.find(({ Key }) => Key === 'deregistration_delay.timeout_seconds');
    expect(Number(delay?.Value) * SECOND).toBeGreaterThan(BODY_TIME + FUNCTION_TIME);
  });

  it('the ingest can be reached only through the distribution, and needs no NAT gateway', () => {
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Scheme: 'internal',
      LoadBalancerAttributes: Match.arrayWith([
        { Key: 'idle_timeout.timeout_seconds', Value: '70' },
        { Key: 'routing.http.drop_invalid_header_fields.enabled', Value: 'true' },
      ]),
    });
    prod.hasResourceProperties('AWS::EC2::SecurityGroup', {
      GroupDescription: 'The tasks of the ingest',
      SecurityGroupEgress: [
        { CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443, Description: Match.anyValue() },
      ],
    });
    prod.resourceCountIs('AWS::EC2::NatGateway', 0);
    const open = Object.values(resources(prod, 'AWS::EC2::SecurityGroup')).flatMap(
      ({ Properties }) => (Properties.SecurityGroupIngress ?? []) as unknown[],
    );
    const added = Object.values(resources(prod, 'AWS::EC2::SecurityGroupIngress')).map(
      ({ Properties }) => Properties,
    );
    expect([...open, ...added]).toEqual([
      expect.objectContaining({ SourcePrefixListId: lookedUp('PrefixListId'), FromPort: 80, ToPort: 80 }),
      expect.objectContaining({ SourceSecurityGroupId: expect.anything(), FromPort: 8080 }),
    ]);
    for (const rule of [...open, ...added]) expect(rule).not.toHaveProperty('CidrIp');
  });

  it('the internet gateway is attached before the load balancer is created, and detached after the tasks are deleted', () => {
    const [attachment] = Object.keys(resources(prod, 'AWS::EC2::VPCGatewayAttachment'));
    const routes = Object.entries(resources(prod, 'AWS::EC2::Route'))
      .filter(([, { DependsOn }]) => list(DependsOn ?? []).includes(String(attachment)))
      .map(([id]) => id);
    expect(routes).toHaveLength(2);
    const [balancer] = Object.values(resources(prod, 'AWS::ElasticLoadBalancingV2::LoadBalancer'));
    expect(list(balancer?.DependsOn ?? [])).toEqual(expect.arrayContaining(routes));
  });

  it('the cluster waits for the load balancer, which takes minutes, so that the new role of ECS is usable', () => {
    const waitsFor = (type: string) =>
      Object.values(resources(prod, type)).flatMap(({ DependsOn }) => list(DependsOn ?? []));
    const idsOf = (type: string) => Object.keys(resources(prod, type));
    const balancer = 'AWS::ElasticLoadBalancingV2::LoadBalancer';
    expect(waitsFor('AWS::ECS::Cluster')).toEqual(expect.arrayContaining(idsOf(balancer)));
    expect(waitsFor(balancer)).toEqual(expect.arrayContaining(idsOf('Custom::NetworkLookUp')));
  });

  it('the look-up may create the roles of ECS and of its scaling, and no other', () => {
    const statements = Object.values(resources(prod, 'AWS::IAM::Role'))
      .flatMap(
        ({ Properties }) => (Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[],
      )
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const making = statements.filter(({ Action }) =>
      list(Action).some((action) => action.startsWith('iam:')),
    );
    expect(making).toEqual([
      {
        Effect: 'Allow',
        Action: 'iam:CreateServiceLinkedRole',
        Resource: [
          roleOf('ecs.amazonaws.com/AWSServiceRoleForECS'),
          only<{ RoleARN: unknown }>(prod, 'AWS::ApplicationAutoScaling::ScalableTarget').RoleARN,
        ],
      },
    ]);
  });

  it('the prefix list of CloudFront and suitable zones are looked up at deployment', () => {
    expect(only(prod, 'Custom::NetworkLookUp')).toMatchObject({
      PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing',
      ExcludedZoneIds: expect.arrayContaining(['use1-az3', 'usw1-az2', 'cac1-az3', 'apne1-az3']),
    });
    expect(zonesOf(prod)).toEqual([
      lookedUp('Zone1'),
      lookedUp('Zone2'),
      lookedUp('Zone1'),
      lookedUp('Zone2'),
    ]);
  });

  it('the option availabilityZones replaces the look-up of zones', () => {
    const chosen = template(OPTIONS);
    expect(zonesOf(chosen)).toEqual(['eu-west-1b', 'eu-west-1c', 'eu-west-1b', 'eu-west-1c']);
    expect(only(chosen, 'Custom::NetworkLookUp')).not.toHaveProperty('ExcludedZoneIds');
  });

  it('the ingest is protected by the firewall and gets the origin secret with each call', () => {
    prod.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      ResourceArn: { Ref: Match.stringLikeRegexp('^IngestEntranceBalancer') },
    });
    prod.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Origins: Match.arrayWith([
          Match.objectLike({
            Id: 'ingest',
            VpcOriginConfig: Match.objectLike({ OriginReadTimeout: 60 }),
            OriginCustomHeaders: [Match.objectLike({ HeaderName: 'x-origin-secret' })],
          }),
        ]),
      }),
    });
  });

  it('the VPC origin is unchanged: CloudFront refuses to change one that a distribution uses', () => {
    const origins = Object.entries(resources(prod, 'AWS::CloudFront::VpcOrigin'));
    expect(origins.map(([id, { Properties }]) => ({ id, ...Properties }))).toEqual([
      {
        id: 'EdgeDistributionOrigin3VpcOrigin52A2872F',
        VpcOriginEndpointConfig: {
          Arn: { Ref: 'IngestEntranceBalancer7D718EEA' },
          Name: { 'Fn::Join': ['', ['signature-requests-', { Ref: 'AWS::Region' }, '-ingest']] },
          OriginProtocolPolicy: 'http-only',
          OriginSSLProtocols: ['TLSv1.2'],
        },
      },
    ]);
    // Another scheme would replace the load balancer, and with it the origin.
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Scheme: 'internal',
      Type: 'application',
      Name: Match.absent(),
    });
  });

  it('the edge function waits for the VPC origin, so that it sends no body to an ingest that is still being made', () => {
    const [edgeFunction] = Object.values(resources(prod, 'AWS::CloudFront::Function'));
    expect(list(edgeFunction?.DependsOn ?? [])).toEqual(
      Object.keys(resources(prod, 'AWS::CloudFront::VpcOrigin')),
    );
  });

  it('the edge function knows whether the stack has an ingest', () => {
    const code = (from: typeof prod) =>
      only<{ FunctionCode: string }>(from, 'AWS::CloudFront::Function').FunctionCode;
    expect(code(prod)).toContain('const HAS_INGEST = true;');
    expect(code(without)).toContain('const HAS_INGEST = false;');
  });
});
