/** The resolved stacks: everything that the local cloud has to create and run. */
import type {
  BucketSettings,
  ConfigurationSetSettings,
  KeySettings,
  PolicyStatement,
  QueueSettings,
  SecretSettings,
  SubscriptionSettings,
  TableSettings,
} from '../ports.ts';

export interface Role {
  name: string;
  arn: string;
  /** The statements about who may assume the role. */
  trust: PolicyStatement[];
  statements: PolicyStatement[];
}

export interface FunctionPlan {
  /** The logical id. */
  id: string;
  name: string;
  arn: string;
  codeFolder: string;
  handler: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMb: number;
  reservedConcurrency: number | undefined;
  role: Role;
  /** Receives asynchronous events that failed. */
  deadLetterQueue: string | undefined;
}

export interface EventSourcePlan {
  functionName: string;
  queueName: string;
  queueArn: string;
  batchSize: number;
  reportsItemFailures: boolean;
  maxConcurrency: number | undefined;
}

export interface SchedulePlan {
  name: string;
  arn: string;
  expression: string;
  timeZone: string;
  functionName: string;
  /** With it the scheduler calls the function. */
  role: Role;
  input: string | undefined;
  /** Receives events that cannot reach the function: none here. */
  deadLetterQueue: string | undefined;
}

export interface Throttle {
  rate: number;
  burst: number;
}

export interface LambdaIntegration {
  type: 'AWS_PROXY';
  functionName: string;
  /** With it the gateway calls the function. */
  role: Role;
  streamed: boolean;
  timeoutMs: number;
}

export interface MockIntegration {
  type: 'MOCK';
  /** Media types. */
  takes: string[];
  statusCode: number;
  headers: Record<string, string>;
  templates: Record<string, string>;
}

export interface MethodPlan {
  httpMethod: string;
  resourceId: string;
  /** For example `/notes/{id}`. */
  resourcePath: string;
  integration: LambdaIntegration | MockIntegration;
}

export interface GatewayResponsePlan {
  statusCode: number | undefined;
  headers: Record<string, string>;
  templates: Record<string, string>;
}

export interface StagePlan {
  name: string;
  throttle: Throttle | undefined;
  /** By `METHOD /path`; `*` is any method. */
  methodThrottles: Map<string, Throttle>;
}

export interface ApiPlan {
  id: string;
  /** The path of each resource by its id. */
  resourcePaths: Map<string, string>;
  methods: MethodPlan[];
  gatewayResponses: Map<string, GatewayResponsePlan>;
  stages: Map<string, StagePlan>;
}

export interface OriginPlan {
  id: string;
  domain: string;
  path: string;
  headers: Record<string, string>;
  readTimeoutMs: number;
  usesAccessControl: boolean;
  vpcOriginId: string | undefined;
}

export interface BehaviourPlan {
  pattern: string;
  originId: string;
  allowedMethods: string[];
  compress: boolean;
  /** All of the viewer's request but its host goes to the origin; else only the path. */
  forwardsViewer: boolean;
  responseHeaders: ResponseHeadersPlan | undefined;
  viewerRequest: string | undefined;
}

export interface ResponseHeadersPlan {
  set: { name: string; value: string; override: boolean }[];
  remove: string[];
}

export interface DistributionPlan {
  id: string;
  domain: string;
  aliases: string[];
  origins: OriginPlan[];
  behaviours: BehaviourPlan[];
  defaultBehaviour: BehaviourPlan;
}

export interface FileDeploymentPlan {
  bucketName: string;
  sourceFolders: string[];
  include: string[];
  exclude: string[];
  cacheControl: string;
}

/** Whether a header matches one of a set's regular expressions, or none of them if negated. */
export interface FirewallStatement {
  header: string;
  /** The set's ARN. */
  patternSet: string;
  negated: boolean;
}

/** A container that runs as a Node process. */
export interface ContainerPlan {
  id: string;
  name: string;
  file: string;
  args: string[];
  environment: Record<string, string>;
  /** `path` is the path in the container. */
  volumes: { name: string; path: string; isReadOnly: boolean }[];
  /** Whether it can write only to volumes. */
  hasReadOnlyRoot: boolean;
  role: Role;
}

export interface IngressRule {
  protocol: string;
  fromPort: number;
  toPort: number;
  prefixListId: string | undefined;
  /** True for `0.0.0.0/0`. */
  fromAnywhere: boolean;
}

interface AlarmPlan {
  name: string;
  arn: string;
  /** The topics of its actions, by ARN. */
  topics: string[];
}

export class Plan {
  readonly tables: TableSettings[] = [];
  readonly buckets = new Map<string, BucketSettings>();
  readonly queues = new Map<string, QueueSettings>();
  readonly keys: KeySettings[] = [];
  readonly secrets: SecretSettings[] = [];
  /** By name. */
  readonly roles = new Map<string, Role>();
  /** By name. */
  readonly functions = new Map<string, FunctionPlan>();
  readonly eventSources: EventSourcePlan[] = [];
  readonly schedules: SchedulePlan[] = [];
  /** By id. */
  readonly apis = new Map<string, ApiPlan>();
  readonly distributions: DistributionPlan[] = [];
  /** The code of CloudFront functions by ARN. */
  readonly edgeFunctions = new Map<string, string>();
  readonly responseHeadersPolicies = new Map<string, ResponseHeadersPlan>();
  readonly fileDeployments: FileDeploymentPlan[] = [];
  /** By task ARN and container name. */
  readonly containers = new Map<string, ContainerPlan>();
  /** Target group ARN to the path of its health check. */
  readonly targetGroups = new Map<string, string>();
  /** Target group ARN to key in `containers`. */
  readonly targets = new Map<string, string>();
  /** Load balancer ARN to the ARN of its target group. */
  readonly listeners = new Map<string, string>();
  /** Load balancer ARN to the ids of its security groups. */
  readonly balancers = new Map<string, string[]>();
  /** By id. */
  readonly vpcOrigins = new Map<string, { balancerArn: string; port: number }>();
  /** Security group id to what it lets in. */
  readonly securityGroups = new Map<string, IngressRule[]>();
  /** Topic ARN to the statements of its policy. A topic without one has AWS's default policy. */
  readonly topicPolicies = new Map<string, PolicyStatement[]>();
  readonly alarms: AlarmPlan[] = [];
  readonly subscriptions: SubscriptionSettings[] = [];
  /** By name. */
  readonly configurationSets = new Map<string, ConfigurationSetSettings>();
  readonly patternSets: { arn: string; patterns: string[] }[] = [];
  /** The statements of the rules that block, by the ARN of the web ACL. */
  readonly webAcls = new Map<string, FirewallStatement[]>();
  /** ARN of an API's stage or of a load balancer to the ARN of its web ACL. */
  readonly protectedBy = new Map<string, string>();
  readonly outputs: Record<string, string> = {};
  /** The ignored resources, for `--verbose`. */
  readonly ignored: { resource: string; reason: string }[] = [];
}

/** The function name in an ARN, with or without version or alias. */
export function functionNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split(':')[6] ?? nameOrArn) : nameOrArn;
}

export function queueNameOf(arn: string): string {
  return arn.split(':')[5] ?? arn;
}
