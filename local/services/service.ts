import type { IncomingHttpHeaders } from 'node:http';
import { CannotStart } from '../cannot-start.ts';
import type { Principal } from '../ports.ts';
import type { Permission } from './iam/authorization.ts';

export type ServiceName =
  | 'dynamodb'
  | 's3'
  | 'sqs'
  | 'ses'
  | 'kms'
  | 'secretsmanager'
  | 'lambda'
  | 'cloudfront'
  | 'wafv2';

/** A request without its body. */
export interface RequestHead {
  method: string;
  /** Percent-encoded as received: signatures cover this form. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** A call with a verified signature. */
export interface Call {
  head: RequestHead;
  requestId: string;
  operation: string;
  principal: Principal;
  accessKeyId: string;
  /** As received; of a form upload only the file. */
  body: Buffer;
  /** For answers that depend on other permissions of the caller. */
  allows(permission: Permission): boolean;
  /** Set by DynamoDB, for the call log. */
  consumedCapacity: number | null;
}

export interface Answer {
  status: number;
  headers?: Record<string, string | number>;
  body?: string | Uint8Array;
}

/** An error answer. Of a service, `code` is the exception's name in the SDK. */
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

/** A start with data of another stack. */
export class ResourceChanged extends CannotStart {
  override name = 'ResourceChanged';

  constructor(what: string) {
    super(
      `${what} in the data folder differs from the stack's. As on AWS, it cannot change. Start with --fresh.`,
    );
  }
}

export type AuthenticationFailureKind = 'missing' | 'malformed' | 'unknown-key' | 'mismatch' | 'skewed';

export class AuthenticationFailure extends Error {
  readonly kind: AuthenticationFailureKind;

  constructor(kind: AuthenticationFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Prepared {
  /** IAM must allow all of them before `run` is called. */
  permissions: Permission[];
  run(): Promise<Answer>;
}

export interface Service {
  readonly name: ServiceName;
  /** The SDK's commands without `Command`. */
  readonly operations: readonly string[];
  /** One of them; undefined if it is not implemented. */
  operationOf(head: RequestHead, body: Buffer): string | undefined;
  /** Reads the call without changing anything. */
  prepare(call: Call): Prepared;
  /** The error in this service's own terms. */
  authenticationError(failure: AuthenticationFailure): ServiceError;
  accessDenied(message: string): ServiceError;
  unknownOperation(message: string): ServiceError;
  errorAnswer(error: ServiceError, requestId: string): Answer;
  /** The answer to a browser's preflight, which is not signed. */
  preflight?(head: RequestHead): Answer;
  /** Headers that let a page of another origin read an answer. */
  crossOriginHeaders?(head: RequestHead): Record<string, string>;
}
