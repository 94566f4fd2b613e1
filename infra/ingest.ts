import { join } from 'node:path';
import { Duration, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
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
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { accept, acceptControl } from './exceptions.ts';
import { NetworkLookUp } from './network-look-up.ts';
import type { Options } from './options.ts';
import { newLogGroup } from './service-functions.ts';

const PORT = 8080;
// Public images, so that `cdk deploy` needs no Docker; by digest, since a tag can be moved to another image.
// docs/dependencies.md says how to renew them.
/** aws-cli 2.37.0, for all processors. */
const COPIER_IMAGE =
  'public.ecr.aws/aws-cli/aws-cli@sha256:337494c2047176fe9abcf45a5d1eaf1c2c62cae40953284fb1143b5c6170f065';
/** node 24.21.0-slim, for all processors. */
const NODE_IMAGE =
  'public.ecr.aws/docker/library/node@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6';

/** The network and the load balancer of the ingest, which the distribution depends on. */
export class IngestEntrance extends Construct {
  readonly vpc: IVpc;
  readonly balancer: ApplicationLoadBalancer;

  constructor(
    scope: Construct,
    id: string,
    options: Pick<Options, 'availabilityZones' | 'stackName' | 'stage'>,
  ) {
    super(scope, id);
    const found = new NetworkLookUp(this, 'LookUp', options);
    // (The `as` is needed because the CDK's types are not exact about optional properties.)
    this.vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      availabilityZones: [...found.availabilityZones],
      // Tasks reach AWS through their own public addresses; a NAT gateway would cost more than all the rest.
      natGateways: 0,
      subnetConfiguration: [
        { name: 'tasks', subnetType: SubnetType.PUBLIC, cidrMask: 27, mapPublicIpOnLaunch: false },
        { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 27 },
      ],
      gatewayEndpoints: { S3: { service: GatewayVpcEndpointAwsService.S3 } },
      restrictDefaultSecurityGroup: false,
    }) as IVpc;
    accept(this.vpc, {
      VPC7: 'Only one service runs here, behind two security groups, and it logs every call.',
    });

    const group = new SecurityGroup(this, 'BalancerGroup', {
      vpc: this.vpc,
      description: 'The load balancer of the ingest',
      allowAllOutbound: false,
    });
    // CloudFront's packets keep its own source addresses, though they arrive through interfaces inside this network.
    group.addIngressRule(Peer.prefixList(found.cloudFrontPrefixList), Port.tcp(80), 'CloudFront');
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc: this.vpc,
      internetFacing: false,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      securityGroup: group,
      idleTimeout: Duration.seconds(70),
      dropInvalidHeaderFields: true,
    });
    // CloudFront requires an attached internet gateway when it creates its interfaces, though no traffic uses it. It cannot be
    // detached while tasks have public addresses; tasks are deleted before the load balancer. (The VPC's own
    // `internetConnectivityEstablished` is the gateway without its attachment.)
    const { internetConnectivityEstablished } = this.vpc.selectSubnets({ subnetType: SubnetType.PUBLIC });
    this.balancer.node.addDependency(internetConnectivityEstablished, found);
    accept(this.balancer, { ELB2: 'Only CloudFront can reach it, and the task behind it logs every call.' });
    acceptControl(this.balancer, {
      elbv2_logging_enabled_check: 'Only CloudFront can reach it, and the task behind it logs every call.',
      elbv2_deletion_protection_enabled_check:
        'It has no state, and -c largeUploads=off must be able to remove it.',
    });
  }
}

interface Props {
  readonly entrance: IngestEntrance;
  /** The folder of the bundle. */
  readonly bundle: string;
  readonly staging: Bucket;
  /** Holds the API keys. */
  readonly table: Pick<ITableV2, 'tableArn' | 'tableName'>;
  readonly createSignature: LambdaFunction;
  readonly baseUrl: string;
  readonly options: Options;
}

/** The entrance for bodies that are too large for the gateway: a small task stages them and calls the function. */
export class Ingest extends Construct {
  readonly balancer: ApplicationLoadBalancer;
  readonly targets: ApplicationTargetGroup;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { vpc, balancer } = props.entrance;
    this.balancer = balancer;
    const code = new Asset(this, 'Code', { path: join(props.bundle, 'index.mjs') });
    const task = this.#makeTask(code, props);
    this.#allow(task, code, props);
    const service = this.#makeService(task, props.entrance);

    this.targets = new ApplicationTargetGroup(this, 'Targets', {
      vpc,
      port: PORT,
      protocol: ApplicationProtocol.HTTP,
      targetType: TargetType.IP,
      targets: [service],
      // Longer than the slowest upload and its call of the function: a task that is replaced finishes both.
      deregistrationDelay: Duration.seconds(180),
      healthCheck: { path: '/health', interval: Duration.seconds(15), healthyThresholdCount: 2 },
    });
    const listener = new ApplicationListener(this, 'Listener', {
      loadBalancer: balancer,
      port: 80,
      protocol: ApplicationProtocol.HTTP,
      open: false,
      defaultTargetGroups: [this.targets],
    });
    acceptControl(listener, {
      alb_http_to_https_redirection_check:
        'CloudFront connects over AWS’s network, and an internal load balancer has no name for a certificate.',
    });
  }

  #makeTask(
    code: Asset,
    { staging, table, createSignature, baseUrl, options }: Props,
  ): FargateTaskDefinition {
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
      logGroup: newLogGroup(this, 'Log', options.stage),
    });

    const copier = task.addContainer('copier', {
      image: ContainerImage.fromRegistry(COPIER_IMAGE),
      // New folders belong to root, but the server does not run as root.
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
        TABLE_NAME: table.tableName,
        BASE_URL: baseUrl,
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
      ECS2: 'The names of a bucket, a table and a function and the address of the service are not secret.',
      [`IAM5[Resource::<${Stack.of(this).getLogicalId(staging.node.defaultChild as CfnBucket)}.Arn>/ingest/*]`]:
        'The name of each staged body is generated.',
    });
    acceptControl(task, {
      ecs_task_definition_nonroot_user_check:
        'Only the short-lived copier runs as root; the server does not.',
    });
    return task;
  }

  #allow(task: FargateTaskDefinition, code: Asset, { staging, table, createSignature }: Props): void {
    const assets = `arn:${Stack.of(this).partition}:s3:::${code.s3BucketName}/${code.s3ObjectKey}`;
    const allow = (actions: string[], resources: string[]) =>
      task.addToTaskRolePolicy(new PolicyStatement({ actions, resources }));
    allow(['s3:GetObject'], [assets]);
    allow(['s3:PutObject', 's3:DeleteObject'], [staging.arnForObjects('ingest/*')]);
    allow(['lambda:InvokeFunction'], [createSignature.functionArn]);
    task.addToTaskRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:GetItem'],
        resources: [table.tableArn],
        // The partitions of API keys, as in `shared/store/keys.ts`.
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } },
      }),
    );
  }

  #makeService(task: FargateTaskDefinition, { vpc, balancer }: IngestEntrance): FargateService {
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
    // ECS's role, which the look-up creates, takes seconds to become usable. The load balancer takes minutes.
    cluster.node.addDependency(balancer);
    accept(cluster, {
      ECS4: 'Insights cost more than the task; the load balancer’s metrics are enough.',
    });
    acceptControl(cluster, { ecs_container_insights_enabled_check: 'Insights cost more than the task.' });
    const service = new FargateService(this, 'Service', {
      cluster: cluster as ICluster,
      taskDefinition: task,
      minHealthyPercent: 100,
      assignPublicIp: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [group],
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.seconds(60),
    });
    acceptControl(service, {
      ecs_service_assign_public_ip_disabled_check:
        'The address is for outbound calls, which saves a NAT gateway; only the load balancer can connect.',
    });
    const scaling = service.autoScaleTaskCount({ minCapacity: 1, maxCapacity: 4 });
    scaling.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });
    return service;
  }
}
