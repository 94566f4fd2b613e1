/**
 * The interface between the emulated services and the rest of the local cloud (assembly, gateway, functions, schedules).
 * The services know nothing of templates.
 */

/** The clock of the local cloud, moved by the control port. All timers and functions follow it. */
export interface Clock {
  now(): number;
  offsetMs(): number;
  /** Called after each move. */
  onMove(listener: () => void): void;
}

/** The only region and account. */
export interface Location {
  region: string;
  account: string;
}

export interface PolicyStatement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: string | string[];
  Principal?: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

/** The signer of a call. A function has only the statements of its role; the operator may do everything. */
export interface Principal {
  name: string;
  arn: string;
  statements: PolicyStatement[] | 'everything';
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of a role's credentials. */
  sessionToken?: string;
}

export interface QueueSettings {
  name: string;
  visibilityTimeoutSeconds: number;
  retentionSeconds: number;
  deadLetter?: { queueName: string; maxReceiveCount: number } | undefined;
  policy: PolicyStatement[];
}

export interface BucketSettings {
  name: string;
  versioned: boolean;
  lifecycle: LifecycleRule[];
  policy: PolicyStatement[];
  cors: CorsRule[];
}

interface LifecycleRule {
  expireAfterDays?: number | undefined;
  noncurrentExpireAfterDays?: number | undefined;
}

/** A rule of a bucket for pages of any other origin. */
export interface CorsRule {
  methods: string[];
  maxAgeSeconds: number | undefined;
}

export interface TableSettings {
  name: string;
  /** In CloudFormation's format. */
  attributeDefinitions: { AttributeName: string; AttributeType: string }[];
  keySchema: { AttributeName: string; KeyType: string }[];
  globalSecondaryIndexes: {
    IndexName: string;
    KeySchema: { AttributeName: string; KeyType: string }[];
    Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
  }[];
  ttlAttribute?: string;
}

export interface KeySettings {
  id: string;
  arn: string;
  spec: 'SYMMETRIC_DEFAULT' | 'RSA_2048' | 'RSA_3072' | 'ECC_NIST_P256';
  usage: 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY';
  policy: PolicyStatement[];
}

export interface SecretSettings {
  name: string;
  arn: string;
  /** The value of a new secret. A value set later survives restarts. */
  initialValue: string;
}

/** A distribution as CloudFront's API returns it. */
export interface DistributionSettings {
  id: string;
  domain: string;
  aliases: string[];
  origins: { id: string; domain: string; path: string; headers: Record<string, string> }[];
  defaultBehaviour: { originId: string };
  behaviours: { pattern: string; originId: string }[];
  /** A hash of the distribution in the template. Headers set by a call survive restarts until it changes. */
  template: string;
}

/** A firewall's set of regular expressions. */
interface PatternSetSettings {
  arn: string;
  patterns: string[];
  /** A hash of the set in the template. Patterns set by a call survive restarts until it changes. */
  template: string;
}

/** Events of a mail after it was sent. */
export type ReturnedMail = 'bounce' | 'complaint';

export interface ConfigurationSetSettings {
  name: string;
  /** The topics that SES publishes events to. */
  destinations: { topicArn: string; events: readonly string[] }[];
}

/** A queue that gets what is published to a topic. */
export interface SubscriptionSettings {
  arn: string;
  topicArn: string;
  queueName: string;
}

export interface ReceivedMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  md5OfBody: string;
}

/**
 * Runs a function like Lambda's Invoke, by its name or ARN. Rejects with a ServiceError if Lambda refuses the invocation. An
 * `Event` resolves once the event is queued.
 */
export type InvokeFunction = (
  functionName: string,
  payload: Uint8Array,
  type: 'RequestResponse' | 'Event',
) => Promise<{ payload: Uint8Array; functionError?: string | undefined }>;

export interface StoredMail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  sent_at: string;
}

export interface QueueReport {
  name: string;
  visible: number;
  in_flight: number;
  dead_letters: number;
}

export interface CallRecord {
  at: string;
  function: string;
  service: string;
  operation: string;
  request_id: string;
  consumed_capacity: number | null;
  /** By a clock that never moves; null while the call runs. */
  started_ms: number;
  ended_ms: number | null;
}

export interface InboxQuery {
  /** One of the recipients. */
  to?: string;
  /** The last mail of the page before. */
  before?: string;
  limit?: number;
}

/** A permission that a caller needed and had. */
export interface PermissionUse {
  function: string;
  action: string;
  /** Alternative names of one resource. */
  resources: string[];
}

export interface Fault {
  service: string;
  operation: string;
  function?: string;
  after: number;
  effect: 'kill' | 'error' | 'delay' | 'kill-after';
  error_code?: string;
  ms?: number;
}

/** All emulated services, on one loopback port. */
export interface Services {
  readonly url: string;
  readonly region: string;

  createTable(settings: TableSettings): Promise<void>;
  createBucket(settings: BucketSettings): Promise<void>;
  createQueue(settings: QueueSettings): Promise<void>;
  createKey(settings: KeySettings): Promise<void>;
  createSecret(settings: SecretSettings): Promise<void>;
  createDistribution(settings: DistributionSettings): Promise<void>;
  createPatternSet(settings: PatternSetSettings): Promise<void>;
  createConfigurationSet(settings: ConfigurationSetSettings): Promise<void>;
  createSubscription(settings: SubscriptionSettings): Promise<void>;

  /**
   * Registers a caller and returns its credentials: new ones, unless it has some from an earlier run. Each worker of a function has
   * its own, so that `kill` finds the worker of a call by its access key.
   */
  admit(principal: Principal, credentials?: Credentials): Credentials;
  queueUrl(name: string): string;
  /** Replaces ARNs of the plan by the services' own: another engine chooses some itself. */
  rename(text: string): string;
  /** The current value of a secret by name or ARN, for `{{resolve:secretsmanager:…}}` in the template. */
  secretValue(id: string): Promise<string>;

  /** The custom headers that the distribution sends to the origin with the next request. */
  originHeaders(distributionId: string, originId: string): Record<string, string>;

  /** The patterns that a firewall compares the next request with. */
  patterns(patternSetArn: string): string[];

  /** For failed asynchronous events. */
  send(queueName: string, body: string): Promise<void>;

  /** For event source mappings. Waits up to waitMs for a message; a new message or a clock move ends the wait. */
  receive(queueName: string, max: number, waitMs: number, signal: AbortSignal): Promise<ReceivedMessage[]>;
  deleteMessages(queueName: string, receiptHandles: string[]): Promise<void>;

  /** For CloudFront origins and for the deployment of files. */
  readObject(
    bucket: string,
    key: string,
  ): Promise<{ body: Uint8Array; contentType: string; cacheControl?: string } | undefined>;
  writeObject(
    bucket: string,
    key: string,
    body: Uint8Array,
    headers: { contentType: string; cacheControl?: string },
  ): Promise<void>;

  /** Mails, newest first. */
  inbox(query?: InboxQuery): StoredMail[];
  mail(id: string): StoredMail | undefined;
  /** Bounces a mail or reports it as spam. Returns the number of topics published to; undefined if there is no such mail. */
  returnMail(id: string, type: ReturnedMail): number | undefined;
  queues(): QueueReport[];
  calls(): CallRecord[];
  clearCalls(): void;
  /** Every permission that a caller has used since the start, once each. */
  permissionUses(): PermissionUse[];
  faults(): Fault[];
  addFault(fault: Fault): void;
  clearFaults(): void;

  stop(): Promise<void>;
}

export interface ServicesOptions extends Location {
  dataDir: string;
  port: number;
  clock: Clock;
  invoke: InvokeFunction;
  /** Kills the worker of the calling function, for fault injection. Resolves when it can make no further call. */
  kill(functionName: string, accessKeyId: string): Promise<void>;
  verbose: boolean;
  log(line: string): void;
}
