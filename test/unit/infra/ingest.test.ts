import { Match } from 'aws-cdk-lib/assertions';
import { list, only, resources, type Statement, template } from './template.ts';

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

describe('the ingest', () => {
  it('is there in production and left out where it is not wanted', () => {
    prod.resourceCountIs('AWS::ECS::Service', 1);
    for (const type of ['AWS::ECS::Service', 'AWS::EC2::VPC', 'AWS::CloudFront::VpcOrigin'])
      without.resourceCountIs(type, 0);
    template({ stage: 'dev' }).resourceCountIs('AWS::ECS::Service', 0);
    template({ stage: 'dev', largeUploads: 'on' }).resourceCountIs('AWS::ECS::Service', 1);
  });

  it('is the smallest ARM task, from public images, whose code comes from the stack’s own asset', () => {
    expect(task).toMatchObject({ Cpu: '256', Memory: '512', RuntimePlatform: { CpuArchitecture: 'ARM64' } });
    // Of a version each, so that a task that starts next year starts the same.
    for (const { Image } of task.ContainerDefinitions)
      expect(Image).toMatch(/^public\.ecr\.aws\/[\w/-]+:\d[\w.-]+$/);
    expect(JSON.stringify(container('copier')?.Command)).toMatch(/s3:\/\/cdk-.+\.mjs.+ \/code\/index\.mjs/);
    expect(container('ingest')?.DependsOn).toEqual([{ ContainerName: 'copier', Condition: 'SUCCESS' }]);
    expect(container('ingest')?.Command).toEqual(['node', '/code/index.mjs']);
  });

  it('runs without root, on files that it cannot change, but for the folder where bodies wait', () => {
    const server = container('ingest');
    expect(server?.User).toBe('node');
    expect(server?.MountPoints.map(({ ContainerPath, ReadOnly }) => [ContainerPath, ReadOnly])).toEqual([
      ['/code', true],
      ['/spool', false],
    ]);
    for (const { ReadonlyRootFilesystem } of task.ContainerDefinitions)
      expect(ReadonlyRootFilesystem).toBe(true);
  });

  it('may read its code, stage bodies, and call the one function', () => {
    const roles = Object.entries(resources(prod, 'AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('IngestTaskTaskRole'),
    );
    const allowed = roles.flatMap(([, { Properties }]) =>
      (Properties.PolicyDocument as { Statement: Statement[] }).Statement.map(({ Action, Resource }) => [
        list(Action),
        JSON.stringify(Resource),
      ]),
    );
    expect(allowed).toEqual([
      [['s3:GetObject'], expect.stringMatching(/cdk-.+\.mjs/)],
      [['s3:DeleteObject', 's3:PutObject'], expect.stringMatching(/DataStaging.+\/ingest\/\*/)],
      [['lambda:InvokeFunction'], expect.stringMatching(/FunctionsCreateSignatureFunction\w+","Arn"\]\}$/)],
    ]);
  });

  it('grows from one task to four, and replaces them one by one', () => {
    prod.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 1,
      MaxCapacity: 4,
    });
    prod.hasResourceProperties('AWS::ECS::Service', {
      DesiredCount: 1,
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
    });
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', { HealthCheckPath: '/health' });
  });

  it('cannot be reached but through the distribution, and needs no NAT gateway', () => {
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internal' });
    prod.resourceCountIs('AWS::EC2::NatGateway', 0);
    const open = Object.values(resources(prod, 'AWS::EC2::SecurityGroup')).flatMap(
      ({ Properties }) => (Properties.SecurityGroupIngress ?? []) as { CidrIp: unknown; FromPort: number }[],
    );
    expect(open.map(({ CidrIp, FromPort }) => [CidrIp, FromPort])).toEqual([
      [{ 'Fn::GetAtt': [expect.stringMatching(/Vpc/), 'CidrBlock'] }, 80],
    ]);
    const ingress = only<{ SourceSecurityGroupId: unknown; FromPort: number }>(
      prod,
      'AWS::EC2::SecurityGroupIngress',
    );
    expect(ingress).toMatchObject({ SourceSecurityGroupId: expect.anything(), FromPort: 8080 });
  });

  it('stands behind the firewall and proves nothing by itself: the edge’s secret comes with each call', () => {
    prod.resourceCountIs('AWS::WAFv2::WebACLAssociation', 2);
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

  it('is known to the function at the edge where there is one', () => {
    const code = (from: typeof prod) =>
      only<{ FunctionCode: string }>(from, 'AWS::CloudFront::Function').FunctionCode;
    expect(code(prod)).toContain('const HAS_INGEST = true;');
    expect(code(without)).toContain('const HAS_INGEST = false;');
  });
});
