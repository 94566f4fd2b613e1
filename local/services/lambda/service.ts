import type { InvokeFunction } from '../../ports.ts';
import {
  type Answer,
  type Call,
  type Prepared,
  type RequestHead,
  type Service,
  ServiceError,
} from '../service.ts';
import type { AuthenticationFailureKind } from '../signatures.ts';

/** Lambda's Invoke, handed to the engine that runs the functions. */

const invocations = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const maxSynchronous = 6 * 1024 * 1024;
const maxAsynchronous = 1024 * 1024;

const authenticationCodes: Record<AuthenticationFailureKind, string> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  'unknown-key': 'UnrecognizedClientException',
  mismatch: 'InvalidSignatureException',
  skewed: 'InvalidSignatureException',
  expired: 'InvalidSignatureException',
};

/** Errors that the engine may throw by these names, as they stand in Lambda's own answers. */
const engineErrors: Record<string, number> = {
  ResourceNotFoundException: 404,
  TooManyRequestsException: 429,
};

export interface LambdaNaming {
  region: string;
  account: string;
}

export function lambdaService(invoke: InvokeFunction, naming: LambdaNaming): Service {
  return {
    name: 'lambda',
    streams: false,
    operationOf: (head) => (head.method === 'POST' && invocations.test(head.path) ? 'Invoke' : undefined),
    prepare: (call) => prepare(call, invoke, naming),
    authenticationError: ({ kind, message }) => new ServiceError(authenticationCodes[kind], message, 403),
    accessDenied: (message) => new ServiceError('AccessDeniedException', message, 403),
    unknownOperation: (message) => new ServiceError('UnknownOperationException', message, 404),
    errorAnswer: (error) => ({
      status: error.status,
      headers: { 'content-type': 'application/json', 'x-amzn-errortype': error.code },
      body: JSON.stringify({ Type: error.status < 500 ? 'User' : 'Service', Message: error.message }),
    }),
  };
}

function prepare(call: Call, invoke: InvokeFunction, { region, account }: LambdaNaming): Prepared {
  const name = functionName(call.head);
  const resources = [`arn:aws:lambda:${region}:${account}:function:${name}`];
  return {
    permissions: [
      {
        action: 'lambda:InvokeFunction',
        resources,
        context: { values: { 'lambda:FunctionArn': resources } },
      },
    ],
    run: () => run(call, name, invoke),
  };
}

/** A name, or an ARN that ends in it; a qualifier is passed over, since there is but one version. */
function functionName(head: RequestHead): string {
  const given = decodeURIComponent(invocations.exec(head.path)?.[1] ?? '');
  return (given.startsWith('arn:') ? given.split(':')[6] : given.split(':')[0]) ?? '';
}

async function run(call: Call, name: string, invoke: InvokeFunction): Promise<Answer> {
  const type = call.head.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type === 'DryRun') return { status: 204 };
  if (type !== 'RequestResponse' && type !== 'Event') {
    throw new ServiceError('InvalidParameterValueException', `Unsupported invocation type ${type}`);
  }
  const limit = type === 'Event' ? maxAsynchronous : maxSynchronous;
  if (call.body.length > limit) {
    throw new ServiceError(
      'RequestTooLargeException',
      `Request must be smaller than ${limit} bytes for the InvokeFunction operation`,
      413,
    );
  }
  const { payload, functionError } = await invoke(name, call.body, type).catch((error) => {
    const status = error instanceof Error ? engineErrors[error.name] : undefined;
    throw status === undefined ? error : new ServiceError(error.name, error.message, status);
  });
  if (type === 'Event') return { status: 202 };
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-amz-executed-version': '$LATEST',
      ...(functionError !== undefined && { 'x-amz-function-error': functionError }),
    },
    body: payload,
  };
}
