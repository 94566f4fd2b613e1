/** What a stack asks for, once its template is resolved: the plan that the engine and the services carry out. */
import type {
  BucketSettings,
  KeySettings,
  PolicyStatement,
  QueueSettings,
  SecretSettings,
  TableSettings,
} from '../ports.ts';

export interface Role {
  name: string;
  arn: string;
  statements: PolicyStatement[];
}

export interface InvokePermission {
  principal: string;
  sourceArn: string | undefined;
}

export interface FunctionPlan {
  /** The logical id, by which people may name the function too. */
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
  permissions: InvokePermission[];
  asynchronous: AsynchronousSettings;
}

export interface AsynchronousSettings {
  retries: number;
  maxAgeSeconds: number;
  /** Gets an envelope with the event and the error (an on-failure destination). */
  onFailureQueue: string | undefined;
  /** Gets the bare event. */
  deadLetterQueue: string | undefined;
}

export interface EventSourcePlan {
  functionName: string;
  queueName: string;
  queueArn: string;
  batchSize: number;
  windowSeconds: number;
  reportsItemFailures: boolean;
  maxConcurrency: number | undefined;
}

export interface SchedulePlan {
  name: string;
  arn: string;
  expression: string;
  timeZone: string;
  source: 'events' | 'scheduler';
  functionName: string;
  input: string | undefined;
}

export interface Throttle {
  rate: number;
  burst: number;
}

export interface LambdaIntegration {
  type: 'AWS_PROXY';
  functionName: string;
  streamed: boolean;
  timeoutMs: number;
}

export interface MockIntegration {
  type: 'MOCK';
  requestTemplate: string;
  responses: {
    selectionPattern: string | undefined;
    statusCode: number;
    headers: Record<string, string>;
    templates: Record<string, string>;
  }[];
}

export interface MethodPlan {
  httpMethod: string;
  resourceId: string;
  /** As in the template: `/notes/{id}`. */
  resourcePath: string;
  integration: LambdaIntegration | MockIntegration;
}

export interface GatewayResponsePlan {
  type: string;
  statusCode: number | undefined;
  headers: Record<string, string>;
  templates: Record<string, string>;
}

export interface StagePlan {
  name: string;
  throttle: Throttle | undefined;
  /** Keyed by `METHOD /path` as the template has them; `*` stands for any method. */
  methodThrottles: Map<string, Throttle>;
  variables: Record<string, string>;
}

export interface ApiPlan {
  id: string;
  name: string;
  rootId: string;
  binaryMediaTypes: string[];
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
  cachePolicy: ForwardingPlan;
  originRequestPolicy: ForwardingPlan | undefined;
  responseHeaders: ResponseHeadersPlan | undefined;
  viewerRequest: string | undefined;
  viewerResponse: string | undefined;
}

/** Which parts of a viewer's request reach the origin; a cache policy and an origin request policy each add theirs. */
export interface ForwardingPlan {
  headers: NameSelection;
  cookies: NameSelection;
  queryStrings: NameSelection;
  gzip: boolean;
  brotli: boolean;
}

export interface NameSelection {
  mode: 'none' | 'listed' | 'all' | 'allExcept' | 'allAndListed';
  names: string[];
}

export interface ResponseHeadersPlan {
  set: { name: string; value: string; override: boolean }[];
  remove: string[];
  cors: CorsPlan | undefined;
}

export interface CorsPlan {
  origins: string[];
  methods: string[];
  headers: string[];
  expose: string[];
  credentials: boolean;
  maxAgeSeconds: number | undefined;
  override: boolean;
}

export interface ErrorResponsePlan {
  errorCode: number;
  responseCode: number | undefined;
  pagePath: string | undefined;
}

export interface DistributionPlan {
  id: string;
  domain: string;
  aliases: string[];
  defaultRootObject: string;
  origins: OriginPlan[];
  behaviours: BehaviourPlan[];
  defaultBehaviour: BehaviourPlan;
  errorResponses: ErrorResponsePlan[];
}

export interface FileDeploymentPlan {
  bucketName: string;
  sourceFolders: string[];
  prefix: string;
  include: string[];
  exclude: string[];
  cacheControl: string | undefined;
  contentType: string | undefined;
}

/** A container of the stack that runs here as a plain Node process. */
export interface ContainerPlan {
  id: string;
  name: string;
  file: string;
  args: string[];
  environment: Record<string, string>;
  /** The path of each in the container. */
  volumes: { name: string; path: string }[];
  role: Role;
}

export class Plan {
  readonly tables: TableSettings[] = [];
  readonly buckets = new Map<string, BucketSettings>();
  readonly queues = new Map<string, QueueSettings>();
  readonly keys: KeySettings[] = [];
  readonly secrets: SecretSettings[] = [];
  readonly parameters = new Map<string, string>();
  /** By name. */
  readonly roles = new Map<string, Role>();
  /** By ARN. */
  readonly managedPolicies = new Map<string, PolicyStatement[]>();
  /** By name. */
  readonly functions = new Map<string, FunctionPlan>();
  readonly eventSources: EventSourcePlan[] = [];
  readonly schedules: SchedulePlan[] = [];
  /** By id. */
  readonly apis = new Map<string, ApiPlan>();
  readonly distributions: DistributionPlan[] = [];
  /** The code of each CloudFront function by its ARN. */
  readonly edgeFunctions = new Map<string, string>();
  readonly cachePolicies = new Map<string, ForwardingPlan>();
  readonly originRequestPolicies = new Map<string, ForwardingPlan>();
  readonly responseHeadersPolicies = new Map<string, ResponseHeadersPlan>();
  readonly fileDeployments: FileDeploymentPlan[] = [];
  /** By the ARN of the task and the container's name. */
  readonly containers = new Map<string, ContainerPlan>();
  readonly targetGroups = new Map<string, { port: number; healthCheckPath: string }>();
  /** The key of the container behind each target group's ARN. */
  readonly targets = new Map<string, string>();
  /** The ARN of the target group behind each load balancer's ARN. */
  readonly listeners = new Map<string, string>();
  /** The ARN of the load balancer behind each VPC origin's id. */
  readonly vpcOrigins = new Map<string, string>();
  readonly outputs: Record<string, string> = {};
  /** What was passed over, for `--verbose`. */
  readonly passedOver: { resource: string; reason: string }[] = [];
}

/** The name of a function out of its ARN, with or without a version or alias. */
export function functionNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split(':')[6] ?? nameOrArn) : nameOrArn;
}

/** The last part of a queue's ARN. */
export function queueNameOf(arn: string): string {
  return arn.split(':')[5] ?? arn;
}
