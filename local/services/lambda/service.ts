/** Lambda: Invoke, passed on to the functions of the local cloud. */
import type { InvokeFunction, Location } from '../../ports.ts';
import { jsonAuthenticationError } from '../json-protocol.ts';
import {
  type Answer,
  type Call,
  type Prepared,
  type RequestHead,
  type Service,
  ServiceError,
} from '../service.ts';

const INVOCATIONS = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export function lambdaService(invoke: InvokeFunction, location: Location): Service {
  return {
    name: 'lambda',
    operations: ['Invoke'],
    operationOf: (head) => (head.method === 'POST' && INVOCATIONS.test(head.path) ? 'Invoke' : undefined),
    prepare: (call) => prepare(call, invoke, location),
    authenticationError: (failure) => jsonAuthenticationError(failure, 403),
    accessDenied: (message) => new ServiceError('AccessDeniedException', message, 403),
    unknownOperation: (message) => new ServiceError('UnknownOperationException', message, 404),
    errorAnswer: (error) => ({
      status: error.status,
      headers: { 'content-type': 'application/json', 'x-amzn-errortype': error.code },
      body: JSON.stringify({ Type: error.status < 500 ? 'User' : 'Service', Message: error.message }),
    }),
  };
}

function prepare(call: Call, invoke: InvokeFunction, { region, account }: Location): Prepared {
  const name = functionName(call.head);
  const resources = [`arn:aws:lambda:${region}:${account}:function:${name}`];
  return {
    permissions: [{ action: 'lambda:InvokeFunction', resources }],
    run: () => run(call, name, invoke),
  };
}

/** From a name or an ARN. A qualifier is ignored: there is one version of each function. */
function functionName(head: RequestHead): string {
  const given = decodeURIComponent(INVOCATIONS.exec(head.path)?.[1] ?? '');
  return (given.startsWith('arn:') ? given.split(':')[6] : given.split(':')[0]) ?? '';
}

async function run(call: Call, name: string, invoke: InvokeFunction): Promise<Answer> {
  const type = call.head.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type !== 'RequestResponse' && type !== 'Event') {
    throw new ServiceError('InvalidParameterValueException', `Unsupported invocation type ${type}`);
  }
  const { payload, functionError } = await invoke(name, call.body, type);
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
