/**
 * Where the engine (assembly, gateway, functions, schedules) and the emulated services meet.
 * The engine reads a template and asks for these things; the services know nothing of templates.
 */

/** The one clock of the local cloud. Moved by the control port; every timer of the engine and every function follows it. */
export interface Clock {
  now(): number;
  offsetMs(): number;
  /** Called after each move, so that whatever waits for a time looks at it again. */
  onMove(listener: () => void): void;
}

export interface PolicyStatement {
  Effect: 'Allow' | 'Deny';
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Principal?: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

/** Who signs a call. A function's role has just the statements of the template; the operator may do all. */
export interface Principal {
  name: string;
  arn: string;
  statements: PolicyStatement[] | 'everything';
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface QueueSettings {
  name: string;
  visibilityTimeoutSeconds: number;
  delaySeconds: number;
  retentionSeconds: number;
  deadLetter?: { queueName: string; maxReceiveCount: number };
}

export interface BucketSettings {
  name: string;
  versioned: boolean;
  lifecycle: { prefix?: string; expireAfterDays?: number; noncurrentExpireAfterDays?: number }[];
  /** The bucket's own policy: denies in it (insecure transport, foreign principals) are honoured. */
  policy: PolicyStatement[];
  cors: { allowedOrigins: string[]; allowedMethods: string[]; allowedHeaders: string[] }[];
}

export interface TableSettings {
  name: string;
  /** As CloudFormation spells them: AttributeDefinitions, KeySchema, GlobalSecondaryIndexes with their Projection. */
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
  spec: 'SYMMETRIC_DEFAULT' | 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'ECC_NIST_P256' | 'HMAC_256';
  usage: 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY' | 'GENERATE_VERIFY_MAC';
  policy: PolicyStatement[];
  aliases: string[];
}

export interface SecretSettings {
  name: string;
  arn: string;
  /** Written when the secret does not exist yet; a value set later survives restarts. */
  initialValue: string;
}

/** What CloudFront's own API shows of a distribution. */
export interface DistributionSettings {
  id: string;
  domain: string;
  aliases: string[];
  defaultRootObject: string;
  origins: { id: string; domain: string; path: string; headers: Record<string, string> }[];
  defaultBehaviour: { originId: string };
  behaviours: { pattern: string; originId: string }[];
  /** Of what the template says. While it is the same, headers that were set by a call survive restarts. */
  template: string;
}

export interface ReceivedMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, unknown>;
  md5OfBody: string;
}

/**
 * Runs a function as `Invoke` would; the engine hands this in. The name may be a name or an ARN. What Lambda refuses
 * rejects with an Error whose `name` is the AWS code (ResourceNotFoundException, TooManyRequestsException,
 * RequestTooLargeException). An `Event` resolves as soon as the event is queued.
 */
export type InvokeFunction = (
  functionName: string,
  payload: Uint8Array,
  type: 'RequestResponse' | 'Event',
) => Promise<{ payload: Uint8Array; functionError?: string }>;

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
}

/** Something that a function needed to be allowed, and was. */
export interface PermissionUse {
  function: string;
  action: string;
  /** More than one name for the same thing. */
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

/** All emulated services behind one loopback address. */
export interface Services {
  readonly url: string;
  readonly region: string;
  readonly account: string;

  createTable(settings: TableSettings): Promise<void>;
  createBucket(settings: BucketSettings): Promise<void>;
  createQueue(settings: QueueSettings): Promise<void>;
  createKey(settings: KeySettings): Promise<void>;
  createSecret(settings: SecretSettings): Promise<void>;
  createDistribution(settings: DistributionSettings): Promise<void>;

  /**
   * Registers who may call and gives the credentials to sign with. Each call gives new credentials: the engine admits each
   * worker of a function on its own, so that `kill` finds the worker of a call by its access key.
   */
  admit(principal: Principal): Credentials;
  queueUrl(name: string): string;
  /** The current value of a secret, for `{{resolve:secretsmanager:…}}` in the template. Name or ARN. */
  secretValue(id: string): Promise<string>;

  /** The headers of its own that a distribution sends one more request to an origin with. */
  originHeaders(distributionId: string, originId: string): Record<string, string>;

  /** For the engine's own messages: the dead letters of asynchronous invocations and schedules. */
  send(queueName: string, body: string): Promise<void>;

  /** For event source mappings: waits up to waitMs, wakes at once when a message comes or the clock moves. */
  receive(queueName: string, max: number, waitMs: number, signal: AbortSignal): Promise<ReceivedMessage[]>;
  deleteMessages(queueName: string, receiptHandles: string[]): Promise<void>;
  changeVisibility(queueName: string, receiptHandles: string[], seconds: number): Promise<void>;

  /** For the edge, which reads its bucket as CloudFront does, and for deployments of files into a bucket. */
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

  inbox(): StoredMail[];
  queues(): QueueReport[];
  calls(): CallRecord[];
  clearCalls(): void;
  /** Each permission that each caller has used since the start, once. */
  permissionUses(): PermissionUse[];
  faults(): Fault[];
  addFault(fault: Fault): void;
  clearFaults(): void;

  stop(): Promise<void>;
}

export interface ServicesOptions {
  dataDir: string;
  port: number;
  clock: Clock;
  region: string;
  account: string;
  invoke: InvokeFunction;
  /** Ends the calling function's worker at once, for fault injection. */
  kill(functionName: string, accessKeyId: string): void;
  verbose: boolean;
  log(line: string): void;
}
