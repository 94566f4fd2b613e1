import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerDependencyCondition,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  ApplicationTargetGroup,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { accept, acceptControl } from './exceptions.ts';
import type { Options } from './options.ts';
import { logRetention } from './service-functions.ts';

const PORT = 8080;
/** Public images, so that nothing has to be built: `cdk deploy` needs no Docker. */
const COPIER_IMAGE = 'public.ecr.aws/aws-cli/aws-cli:2.31.29';
const NODE_IMAGE = 'public.ecr.aws/docker/library/node:24-slim';

/** The network and the load balancer of the ingest: what the distribution has to know of it. */
export class IngestEntrance extends Construct {
  readonly vpc: IVpc;
  readonly balancer: ApplicationLoadBalancer;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // (The CDK's types are not exact about optional properties, hence each `as`.)
    this.vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      maxAzs: 2,
      // Tasks reach AWS by addresses of their own; a NAT gateway would cost more than all the rest.
      natGateways: 0,
      subnetConfiguration: [
        { name: 'tasks', subnetType: SubnetType.PUBLIC, cidrMask: 27, mapPublicIpOnLaunch: false },
        { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 27 },
      ],
      gatewayEndpoints: { S3: { service: GatewayVpcEndpointAwsService.S3 } },
      restrictDefaultSecurityGroup: false,
    }) as IVpc;
    accept(this.vpc, {
      VPC7: 'One service lives here, behind two security groups; its own log tells of every call.',
    });

    const group = new SecurityGroup(this, 'BalancerGroup', {
      vpc: this.vpc,
      description: 'The load balancer of the ingest',
      allowAllOutbound: false,
    });
    // CloudFront comes in through interfaces of its own inside this network, which holds nothing else.
    group.addIngressRule(Peer.ipv4(this.vpc.vpcCidrBlock), Port.tcp(80), 'CloudFront');
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc: this.vpc,
      internetFacing: false,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      securityGroup: group,
      idleTimeout: Duration.seconds(70),
      dropInvalidHeaderFields: true,
    });
    // CloudFront looks for the gateway of the network when it makes its interfaces, though nothing goes through it.
    this.balancer.node.addDependency(this.vpc.internetConnectivityEstablished);
    accept(group, { EC23: 'The range is this network’s own, which the rule cannot see.' });
    accept(this.balancer, { ELB2: 'Only CloudFront reaches it, and the task behind it logs each call.' });
    acceptControl(this.balancer, {
      elbv2_logging_enabled_check: 'Only CloudFront reaches it, and the task behind it logs each call.',
      elbv2_deletion_protection_enabled_check:
        'It holds nothing; -c largeUploads=off must be able to remove it.',
    });
  }
}

interface Props {
  readonly entrance: IngestEntrance;
  /** The one file of the bundle. */
  readonly bundle: string;
  readonly staging: Bucket;
  readonly createSignature: LambdaFunction;
  readonly options: Options;
}

/** The way in for bodies that the gateway cannot take: one small task that stages them and calls the function. */
export class Ingest extends Construct {
  constructor(scope: Construct, id: string, { entrance, bundle, staging, createSignature, options }: Props) {
    super(scope, id);
    const { vpc, balancer } = entrance;
    const code = new Asset(this, 'Code', { path: join(bundle, 'index.mjs') });

    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: 256,
      memoryLimitMiB: 512,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
      volumes: [{ name: 'code' }, { name: 'spool' }],
    });
    const logging = LogDriver.awsLogs({
      streamPrefix: 'ingest',
      logGroup: new LogGroup(this, 'Log', {
        retention: logRetention(options.stage),
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });

    const copier = task.addContainer('copier', {
      image: ContainerImage.fromRegistry(COPIER_IMAGE),
      // New folders are root's own, and the server is not root.
      entryPoint: ['sh', '-c'],
      command: [`aws s3 cp ${code.s3ObjectUrl} /code/index.mjs && chmod 1777 /spool`],
      essential: false,
      memoryLimitMiB: 192,
      readonlyRootFilesystem: true,
      logging,
    });
    copier.addMountPoints(
      { sourceVolume: 'code', containerPath: '/code', readOnly: false },
      { sourceVolume: 'spool', containerPath: '/spool', readOnly: false },
    );

    const server = task.addContainer('ingest', {
      image: ContainerImage.fromRegistry(NODE_IMAGE),
      command: ['node', '/code/index.mjs'],
      user: 'node',
      memoryLimitMiB: 320,
      readonlyRootFilesystem: true,
      environment: {
        PORT: String(PORT),
        STAGING_BUCKET: staging.bucketName,
        CREATE_FUNCTION_NAME: createSignature.functionName,
        SPOOL_FOLDER: '/spool',
      },
      portMappings: [{ containerPort: PORT }],
      logging,
      stopTimeout: Duration.seconds(60),
    });
    server.addMountPoints(
      { sourceVolume: 'code', containerPath: '/code', readOnly: true },
      { sourceVolume: 'spool', containerPath: '/spool', readOnly: false },
    );
    server.addContainerDependencies({ container: copier, condition: ContainerDependencyCondition.SUCCESS });
    accept(task, {
      ECS2: 'The names of a bucket and a function are no secrets.',
      [`IAM5[Resource::<${Stack.of(this).getLogicalId(staging.node.defaultChild as CfnBucket)}.Arn>/ingest/*]`]:
        'Each body is staged under a name made for it.',
    });
    acceptControl(task, {
      ecs_task_definition_nonroot_user_check:
        'The copier is root for as long as it takes; the server is not.',
    });

    const assets = `arn:${Stack.of(this).partition}:s3:::${code.s3BucketName}/${code.s3ObjectKey}`;
    const allow = (actions: string[], resources: string[]) =>
      task.addToTaskRolePolicy(new PolicyStatement({ actions, resources }));
    allow(['s3:GetObject'], [assets]);
    allow(['s3:PutObject', 's3:DeleteObject'], [staging.arnForObjects('ingest/*')]);
    allow(['lambda:InvokeFunction'], [createSignature.functionArn]);

    const group = new SecurityGroup(this, 'TaskGroup', {
      vpc,
      description: 'The tasks of the ingest',
      allowAllOutbound: false,
    });
    group.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS and the public image registry');

    const cluster = new Cluster(this, 'Cluster', {
      vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    accept(cluster, {
      ECS4: 'Insights cost more than the task; the load balancer’s metrics tell what is needed.',
    });
    acceptControl(cluster, { ecs_container_insights_enabled_check: 'Insights cost more than the task.' });
    const service = new FargateService(this, 'Service', {
      cluster: cluster as ICluster,
      taskDefinition: task,
      desiredCount: 1,
      minHealthyPercent: 100,
      assignPublicIp: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [group],
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.seconds(60),
    });
    acceptControl(service, {
      ecs_service_assign_public_ip_disabled_check:
        'The address is for going out, which spares a NAT gateway; nothing but the load balancer comes in.',
    });
    const scaling = service.autoScaleTaskCount({ minCapacity: 1, maxCapacity: 4 });
    scaling.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });

    const targets = new ApplicationTargetGroup(this, 'Targets', {
      vpc,
      port: PORT,
      protocol: ApplicationProtocol.HTTP,
      targetType: TargetType.IP,
      targets: [service],
      deregistrationDelay: Duration.seconds(60),
      healthCheck: { path: '/health', interval: Duration.seconds(15), healthyThresholdCount: 2 },
    });
    const listener = new ApplicationListener(this, 'Listener', {
      loadBalancer: balancer,
      port: 80,
      protocol: ApplicationProtocol.HTTP,
      open: false,
      defaultTargetGroups: [targets],
    });
    acceptControl(listener, {
      alb_http_to_https_redirection_check:
        'CloudFront comes in over AWS’s own network, and an internal load balancer has no name to certify.',
    });
  }
}
