import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Principal } from '../ports.ts';
import type { Permission } from './iam/authorization.ts';
import type { AuthenticationFailure } from './signatures.ts';

export type ServiceName =
  | 'dynamodb'
  | 's3'
  | 'sqs'
  | 'ses'
  | 'kms'
  | 'secretsmanager'
  | 'lambda'
  | 'cloudfront';

/** What is known of a request before its body is read. */
export interface RequestHead {
  method: string;
  /** As it came, still percent-encoded: signatures are over this form. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** One call whose signature has been verified. */
export interface Call {
  head: RequestHead;
  requestId: string;
  operation: string;
  principal: Principal;
  accessKeyId: string;
  /** The whole body; empty for a service that streams. */
  body: Buffer;
  /** Where a service that streams reads its body from. */
  incoming: AsyncIterable<Buffer>;
  /** For answers that depend on what else the caller may do. */
  allows(permission: Permission): boolean;
  /** Aborted when the caller has hung up. */
  gone: AbortSignal;
  /** Of a streamed body: what the signature says its SHA-256 is. */
  signedHash: string;
  /** Set by DynamoDB for the call log. */
  consumedCapacity: number | null;
}

export interface Answer {
  status: number;
  headers?: Record<string, string | number>;
  body?: string | Uint8Array | Readable;
}

/** An error as the service itself would give it: `code` is the exception's name in the SDK. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: Record<string, unknown>;

  constructor(code: string, message: string, status = 400, fields: Record<string, unknown> = {}) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

export interface Prepared {
  /** All that IAM must allow before `run` is called. */
  permissions: Permission[];
  run(): Promise<Answer>;
}

export interface Service {
  readonly name: ServiceName;
  /** True where bodies are too large to hold: the service reads `incoming` itself. */
  readonly streams: boolean;
  /** The SDK's command without `Command`; undefined for what this service does not implement. */
  operationOf(head: RequestHead, body: Buffer): string | undefined;
  /** Reads the call; changes nothing yet. */
  prepare(call: Call): Prepared | Promise<Prepared>;
  /** The same error in the words of this service's protocol. */
  authenticationError(failure: AuthenticationFailure): ServiceError;
  accessDenied(message: string): ServiceError;
  unknownOperation(message: string): ServiceError;
  errorAnswer(error: ServiceError, requestId: string, head: RequestHead): Answer;
}
