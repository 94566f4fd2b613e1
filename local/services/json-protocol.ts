/** AWS JSON 1.0 and 1.1: operation in X-Amz-Target, JSON bodies, error names in `__type`. */
import type * as z from 'zod';
import type { Permission } from './iam/authorization.ts';
import {
  type Answer,
  type AuthenticationFailure,
  type AuthenticationFailureKind,
  type Call,
  type RequestHead,
  type Service,
  ServiceError,
  type ServiceName,
} from './service.ts';

export interface JsonOperation {
  prepare(input: unknown, call: Call): { permissions: Permission[]; run(): unknown };
}

/**
 * Parses an operation's input with its schema before permissions and run. The schema is a strict object: a call with a member that
 * is not implemented must be refused, not done without it.
 */
export function operation<T>(
  schema: z.ZodType<T>,
  permissions: (input: T, call: Call) => Permission[],
  run: (input: T, call: Call) => unknown,
): JsonOperation {
  return {
    prepare: (raw, call) => {
      const input = read(schema, raw);
      return { permissions: permissions(input, call), run: () => run(input, call) };
    },
  };
}

/** The input, or the error that names its first fault. */
export function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join('.') || 'The request';
  throw new ServiceError('ValidationException', `${where}: ${issue?.message ?? 'is not valid'}`);
}

interface JsonServiceParts {
  name: ServiceName;
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  operations: Record<string, JsonOperation>;
  /** The service's own name of a ValidationException. */
  validationCode?: string;
  errorHeaders?(error: ServiceError): Record<string, string>;
}

export function jsonService(parts: JsonServiceParts): Service {
  const { validationCode } = parts;
  const renamed = (error: ServiceError): ServiceError =>
    validationCode !== undefined && error.code === 'ValidationException'
      ? new ServiceError(validationCode, error.message)
      : error;

  return {
    name: parts.name,
    operations: Object.keys(parts.operations),
    operationOf: (head) => {
      const name = targetOperation(head);
      return name !== undefined && Object.hasOwn(parts.operations, name) ? name : undefined;
    },
    prepare: (call) => {
      const found = parts.operations[call.operation];
      if (!found)
        throw unknownOperation(`The local cloud does not implement ${parts.name} ${call.operation}`);
      const prepared = found.prepare(parseBody(call.body), call);
      return {
        permissions: prepared.permissions,
        run: async () => ({
          status: 200,
          headers: { 'content-type': parts.contentType },
          body: JSON.stringify((await prepared.run()) ?? {}),
        }),
      };
    },
    ...JSON_ERRORS,
    errorAnswer: (given) => {
      const error = renamed(given);
      return jsonError(error, parts.contentType, parts.errorHeaders?.(error));
    },
  };
}

export function targetOperation(head: RequestHead): string | undefined {
  return head.headers['x-amz-target']?.toString().split('.')[1];
}

const AUTHENTICATION_CODES: Record<AuthenticationFailureKind, string> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  'unknown-key': 'UnrecognizedClientException',
  mismatch: 'InvalidSignatureException',
  skewed: 'InvalidSignatureException',
};

export const jsonAuthenticationError = ({ kind, message }: AuthenticationFailure, status: number) =>
  new ServiceError(AUTHENTICATION_CODES[kind], message, status);

export const unknownOperation = (message: string) => new ServiceError('UnknownOperationException', message);

export const JSON_ERRORS = {
  authenticationError: (failure) => jsonAuthenticationError(failure, 400),
  accessDenied: (message) => new ServiceError('AccessDeniedException', message),
  unknownOperation,
} satisfies Partial<Service>;

export function jsonError(
  error: ServiceError,
  contentType: string,
  headers: Record<string, string> = {},
): Answer {
  return {
    status: error.status,
    headers: { 'content-type': contentType, ...headers },
    body: JSON.stringify({ __type: error.code, message: error.message, ...error.fields }),
  };
}

export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('SerializationException', 'The request body is not valid JSON');
  }
}
