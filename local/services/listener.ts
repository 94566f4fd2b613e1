/** Serves every request in the same steps: authenticate, find the operation, authorize, run, answer. */
import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { drain, type LoopbackServer, listen, readBody } from '../listen.ts';
import type { CallRecord, Principal, ServicesOptions } from '../ports.ts';
import type { CallLog } from './call-log.ts';
import { type Faults, injectedError } from './faults.ts';
import { isAllowed, type Permission, refusal } from './iam/authorization.ts';
import { jsonError, targetOperation, unknownOperation } from './json-protocol.ts';
import type { Principals } from './principals.ts';
import { UNSIGNED_CHUNKS } from './s3/body.ts';
import { openPostForm } from './s3/post-form.ts';
import {
  type Answer,
  AuthenticationFailure,
  type Call,
  type RequestHead,
  type Service,
  ServiceError,
} from './service.ts';
import { readSignature, verifySignature } from './signatures.ts';
import { XML_ERRORS } from './xml.ts';

interface ListenerParts {
  options: ServicesOptions;
  services: Map<string, Service>;
  principals: Principals;
  faults: Faults;
  calls: CallLog;
}

/** DynamoDB allows 16 MB, Lambda 6 MB, SES 40 MB in base64, S3 as much as anyone may need here. */
const MAX_BODY_BYTES = 60 * 1024 * 1024;

/** Thrown when a fault kills the caller: the connection is closed without an answer. */
class Killed extends Error {}

export const listenForCalls = (parts: ListenerParts): Promise<LoopbackServer> =>
  listen(
    async (request, response) => {
      response.sendDate = false;
      try {
        await serve(parts, request, response);
      } catch (error) {
        parts.options.log(`Cannot answer ${request.method}: ${describe(error)}`);
        response.destroy();
      }
    },
    parts.options.port,
    { keepAliveTimeout: 0 },
  );

interface Incoming {
  request: IncomingMessage;
  head: RequestHead;
  requestId: string;
}

async function serve(
  parts: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  const head = readHead(request);
  const service = parts.services.get(serviceNameOf(head));
  const answer = service
    ? await answerOf(parts, service, { request, head, requestId })
    : unknownService(head, requestId);
  if (answer === 'killed') {
    request.socket.destroy();
    return;
  }
  const headers: Record<string, string | number> = {
    date: new Date(parts.options.clock.now()).toUTCString(),
    'x-amzn-requestid': requestId,
    ...answer.headers,
    ...service?.crossOriginHeaders?.(head),
  };
  if (!request.complete) {
    await drain(request);
    headers.connection = 'close';
  }
  response.writeHead(answer.status, headers).end(answer.body);
}

async function answerOf(
  parts: ListenerParts,
  service: Service,
  incoming: Incoming,
): Promise<Answer | 'killed'> {
  const { head, requestId } = incoming;
  try {
    if (head.method === 'OPTIONS' && service.preflight) return service.preflight(head);
    return await run(parts, service, await openCall(parts, service, incoming));
  } catch (error) {
    if (error instanceof Killed) return 'killed';
    return service.errorAnswer(asServiceError(parts, service, head, error), requestId);
  }
}

function readHead(request: IncomingMessage): RequestHead {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  return {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query.join('?')),
    headers: request.headers,
  };
}

const TARGETS: Record<string, string> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  TrentService: 'kms',
  secretsmanager: 'secretsmanager',
};

/** Taken from the signature's scope. An unsigned request is identified by its target header, otherwise it is for S3. */
function serviceNameOf(head: RequestHead): string {
  const signedFor = /Credential=([^,\s]+)/.exec(head.headers.authorization ?? '')?.[1]?.split('/')[3];
  if (signedFor) return signedFor;
  const target = head.headers['x-amz-target']?.toString().split('.')[0];
  return target ? (TARGETS[target] ?? target) : 's3';
}

async function openCall(
  parts: ListenerParts,
  service: Service,
  { request, head, requestId }: Incoming,
): Promise<Call> {
  const common = { requestId, consumedCapacity: null };
  const allowing = (principal: Principal) => ({
    principal,
    allows: (permission: Permission) => {
      const allowed = isAllowed(principal, parts.options.account, permission);
      const { action, resources } = permission;
      if (allowed) parts.calls.addUse({ function: principal.name, action, resources });
      return allowed;
    },
  });
  const isForm = service.name === 's3' && head.method === 'POST' && isMultipart(head);
  const signed = isForm ? undefined : readSignature(head);
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body) throw new ServiceError('RequestEntityTooLarge', 'The request body is too large', 413);
  if (!signed) {
    const form = await openPostForm(body, head, parts.principals, parts.options.clock.now());
    return { ...common, ...form, ...allowing(form.principal), operation: 'PostObject' };
  }
  const caller = parts.principals.find(signed.accessKeyId, head.headers['x-amz-security-token']);
  const bodyHash = hash('sha256', body);
  if (service.name === 's3' && signed.payloadHash === undefined)
    throw new ServiceError(
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    );
  verifySignature(head, signed, caller.secretAccessKey, bodyHash, parts.options.clock.now());
  const { payloadHash = bodyHash } = signed;
  if (payloadHash !== bodyHash && !(service.name === 's3' && payloadHash === UNSIGNED_CHUNKS)) {
    throw new AuthenticationFailure('mismatch', 'The SHA-256 of the body does not match the signed one.');
  }
  const operation = service.operationOf(head, body);
  if (!operation)
    throw service.unknownOperation(`The local cloud does not implement ${describeCall(service, head)}`);
  return {
    ...common,
    head,
    operation,
    ...allowing(caller.principal),
    accessKeyId: signed.accessKeyId,
    body,
  };
}

const isMultipart = (head: RequestHead) =>
  head.headers['content-type']?.startsWith('multipart/form-data') ?? false;

const describeCall = (service: Service, head: RequestHead): string =>
  `${service.name} ${targetOperation(head) ?? `${head.method} ${[...head.query.keys()].join('&')}`}`.trim();

/** Logs the call, whatever becomes of it. */
async function run(parts: ListenerParts, service: Service, call: Call): Promise<Answer> {
  const record: CallRecord = {
    at: new Date(parts.options.clock.now()).toISOString(),
    function: call.principal.name,
    service: service.name,
    operation: call.operation,
    request_id: call.requestId,
    consumed_capacity: null,
    started_ms: performance.now(),
    ended_ms: null,
  };
  parts.calls.add(record);
  if (parts.options.verbose)
    parts.options.log(`${record.function} calls ${record.service} ${record.operation}`);
  try {
    return await attempt(parts, service, call);
  } finally {
    record.consumed_capacity = call.consumedCapacity;
    record.ended_ms = performance.now();
  }
}

async function attempt(parts: ListenerParts, service: Service, call: Call): Promise<Answer> {
  // A caller that is still alive when its connection closes would try the call again.
  const kill = async () => {
    await parts.options.kill(call.principal.name, call.accessKeyId);
    throw new Killed();
  };
  const fault = parts.faults.take(service.name, call.operation, call.principal.name);
  if (fault?.effect === 'kill') await kill();
  if (fault?.effect === 'error') throw injectedError(fault.error_code ?? 'InternalServerError');
  if (fault?.effect === 'delay') await wait(fault.ms ?? 0);
  const prepared = service.prepare(call);
  for (const permission of prepared.permissions) {
    if (!call.allows(permission)) {
      throw service.accessDenied(refusal(call.principal, permission));
    }
  }
  const answer = await prepared.run();
  if (fault?.effect === 'kill-after') await kill();
  return answer;
}

function asServiceError(
  parts: ListenerParts,
  service: Service,
  head: RequestHead,
  error: unknown,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof AuthenticationFailure) return service.authenticationError(error);
  parts.options.log(`${service.name} ${head.method} ${head.path} failed: ${describe(error)}`);
  return new ServiceError('InternalFailure', 'The local cloud failed in this call; see its log', 500);
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function unknownService(head: RequestHead, requestId: string): Answer {
  const error = unknownOperation(`The local cloud does not implement ${serviceNameOf(head)}`);
  if (head.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return XML_ERRORS.errorAnswer(error, requestId);
  return jsonError(error, 'application/x-amz-json-1.0', { 'x-amzn-errortype': error.code });
}
