/** ECS services behind internal load balancers, which CloudFront reaches as VPC origins. Each runs as a Node process. */
import * as z from 'zod';
import type { ContainerPlan, Plan } from '../plan.ts';
import {
  arn,
  ignored,
  number,
  optional,
  type Place,
  physicalName,
  type ResourceType,
  resourceType,
  shortHash,
  text,
} from '../resource-type.ts';
import { StackError } from '../template.ts';
import { roleOf } from './security.ts';

const container = z.strictObject({
  Name: z.string(),
  EntryPoint: optional(z.array(text)),
  Command: optional(z.array(text)),
  Environment: optional(z.array(z.strictObject({ Name: z.string(), Value: text }))),
  MountPoints: optional(
    z.array(
      z.strictObject({
        ContainerPath: z.string(),
        SourceVolume: z.string(),
        ReadOnly: z.boolean().default(false),
      }),
    ),
  ),
  ReadonlyRootFilesystem: z.boolean().default(false),
  ...ignored(
    'DependsOn',
    'Essential',
    'Image',
    'LogConfiguration',
    'Memory',
    'PortMappings',
    'StopTimeout',
    'User',
  ),
});
type Container = z.output<typeof container>;

const task = z.strictObject({
  ContainerDefinitions: z.array(container),
  TaskRoleArn: z.string({ error: 'a task needs a role to sign its calls' }),
  Volumes: optional(
    z.array(z.strictObject({ Name: z.string() }, { error: 'only plain volumes are implemented' })),
  ),
  ...ignored(
    'Cpu',
    'ExecutionRoleArn',
    'Family',
    'Memory',
    'NetworkMode',
    'RequiresCompatibilities',
    'RuntimePlatform',
  ),
});

const planTask = resourceType(task, (properties, place) => {
  const taskArn = arn('ecs', `task-definition/${physicalName(place)}:1`, place);
  const role = roleOf(properties.TaskRoleArn, `the task ${place.id}`, place.plan);
  const copied = copiedAssets(properties.ContainerDefinitions, place);
  const mayRun = properties.ContainerDefinitions.filter(({ Command }) => Command?.[0] === 'node');
  for (const one of mayRun) {
    place.plan.containers.set(
      containerKey(taskArn, one.Name),
      planContainer(one, role, physicalName(place), copied),
    );
  }
  return { ref: taskArn };
});

function planContainer(
  one: Container,
  role: ContainerPlan['role'],
  taskName: string,
  copied: ReadonlyMap<string, string>,
): ContainerPlan {
  const [, path = '', ...args] = one.Command ?? [];
  const file = copied.get(path);
  if (file === undefined) {
    throw new StackError(
      `The container ${one.Name} runs ${path}, which no other container copies from an asset.`,
    );
  }
  return {
    id: one.Name,
    name: `${taskName}-${one.Name}`,
    file,
    args,
    environment: Object.fromEntries((one.Environment ?? []).map(({ Name, Value }) => [Name, Value])),
    volumes: (one.MountPoints ?? []).map(({ ContainerPath, SourceVolume, ReadOnly }) => ({
      path: ContainerPath,
      name: SourceVolume,
      isReadOnly: ReadOnly,
    })),
    hasReadOnlyRoot: one.ReadonlyRootFilesystem,
    role,
  };
}

/** The asset files that init containers copy by `aws s3 cp`, by their path in the container. */
function copiedAssets(containers: Container[], place: Place): Map<string, string> {
  const commands = containers.flatMap(({ EntryPoint = [], Command = [] }) =>
    [...EntryPoint, ...Command].join(' '),
  );
  const copies = commands.flatMap((command) => [
    ...command.matchAll(/(?:aws )?s3 cp s3:\/\/[^/\s]+\/(\S+) (\S+)/g),
  ]);
  return new Map(copies.map(([, key = '', path = '']) => [path, place.asset(key)]));
}

const planService = resourceType(
  z.strictObject({
    TaskDefinition: z.string(),
    LoadBalancers: optional(
      z.array(
        z.strictObject({ ContainerName: z.string(), ContainerPort: number, TargetGroupArn: z.string() }),
      ),
    ),
    ...ignored(
      'Cluster',
      'DeploymentConfiguration',
      'EnableECSManagedTags',
      'HealthCheckGracePeriodSeconds',
      'LaunchType',
      'NetworkConfiguration',
    ),
  }),
  (properties, place) => {
    for (const target of properties.LoadBalancers ?? []) {
      const key = containerKey(properties.TaskDefinition, target.ContainerName);
      if (!place.plan.containers.has(key))
        throw new StackError(`The container ${target.ContainerName} does not run a Node.js file.`);
      place.plan.targets.set(target.TargetGroupArn, key);
    }
    const name = physicalName(place);
    return { ref: arn('ecs', `service/${name}`, place), Name: name };
  },
);

const planBalancer = resourceType(
  z.strictObject({
    Scheme: z.literal('internal', { error: 'only internal load balancers are implemented' }),
    Type: optional(z.literal('application')),
    SecurityGroups: optional(z.array(z.string())),
    ...ignored('LoadBalancerAttributes', 'Subnets'),
  }),
  (properties, place) => {
    const name = physicalName(place, 32);
    const suffix = `app/${name}/${shortHash(place).slice(0, 16)}`;
    const balancerArn = arn('elasticloadbalancing', `loadbalancer/${suffix}`, place);
    place.plan.balancers.set(balancerArn, properties.SecurityGroups ?? []);
    return {
      ref: balancerArn,
      LoadBalancerFullName: suffix,
      DNSName: `internal-${name}.${place.region}.elb.amazonaws.com`,
    };
  },
);

const planTargetGroup = resourceType(
  z.strictObject({
    HealthCheckPath: optional(z.string()),
    Port: number,
    Protocol: z.literal('HTTP', { error: 'only HTTP targets are implemented' }),
    TargetType: z.literal('ip'),
    ...ignored('HealthCheckIntervalSeconds', 'HealthyThresholdCount', 'TargetGroupAttributes', 'VpcId'),
  }),
  (properties, place) => {
    const suffix = `targetgroup/${physicalName(place, 32)}/${shortHash(place).slice(0, 16)}`;
    const groupArn = arn('elasticloadbalancing', suffix, place);
    place.plan.targetGroups.set(groupArn, properties.HealthCheckPath ?? '/');
    return { ref: groupArn, TargetGroupFullName: suffix };
  },
);

const planListener = resourceType(
  z.strictObject({
    LoadBalancerArn: z.string(),
    DefaultActions: z.tuple([z.strictObject({ Type: z.literal('forward'), TargetGroupArn: z.string() })], {
      error: 'only one action of type forward is implemented',
    }),
    Port: number,
    ...ignored('Protocol'),
  }),
  (properties, place) => {
    place.plan.listeners.set(properties.LoadBalancerArn, properties.DefaultActions[0].TargetGroupArn);
    // As in AWS, the ARN holds the full name of the load balancer: metrics take it from there.
    const prefix = properties.LoadBalancerArn.replace(':loadbalancer/', ':listener/');
    return { ref: `${prefix}/${shortHash(place).slice(0, 16)}` };
  },
);

const planVpcOrigin = resourceType(
  z.strictObject({
    VpcOriginEndpointConfig: z.strictObject({
      Arn: z.string(),
      HTTPPort: optional(number),
      OriginProtocolPolicy: z.literal('http-only', {
        error: 'only HTTP to the load balancer is implemented',
      }),
      ...ignored('Name', 'OriginSSLProtocols'),
    }),
  }),
  (properties, place) => {
    const id = `vo_${shortHash(place).slice(0, 22)}`;
    const { Arn: balancerArn, HTTPPort: port = 80 } = properties.VpcOriginEndpointConfig;
    place.plan.vpcOrigins.set(id, { balancerArn, port });
    return { ref: id, Id: id };
  },
);

const containerKey = (taskArn: string, name: string): string => `${taskArn}/${name}`;

export interface Target {
  container: ContainerPlan;
  balancerArn: string;
  healthCheckPath: string;
}

/** The container behind a VPC origin, found through its load balancer and target group. */
export function targetOf(vpcOriginId: string, plan: Plan): Target | undefined {
  const balancerArn = plan.vpcOrigins.get(vpcOriginId)?.balancerArn ?? '';
  const groupArn = plan.listeners.get(balancerArn) ?? '';
  const healthCheckPath = plan.targetGroups.get(groupArn);
  const container = plan.containers.get(plan.targets.get(groupArn) ?? '');
  return container && healthCheckPath !== undefined ? { container, balancerArn, healthCheckPath } : undefined;
}

export const CONTAINER_TYPES: Record<string, ResourceType> = {
  'AWS::CloudFront::VpcOrigin': planVpcOrigin,
  'AWS::ECS::Service': planService,
  'AWS::ECS::TaskDefinition': planTask,
  'AWS::ElasticLoadBalancingV2::Listener': planListener,
  'AWS::ElasticLoadBalancingV2::LoadBalancer': planBalancer,
  'AWS::ElasticLoadBalancingV2::TargetGroup': planTargetGroup,
};
