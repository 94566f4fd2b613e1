/** S3 with path-style addresses. */
import {
  type Answer,
  type AuthenticationFailureKind,
  type Call,
  type Prepared,
  type RequestHead,
  type Service,
  ServiceError,
} from '../service.ts';
import { xmlDocument } from '../xml.ts';
import { notImplemented } from './body.ts';
import type { Buckets } from './buckets.ts';
import { crossOriginHeaders, preflightAnswer } from './cors.ts';
import { listVersions } from './list-versions.ts';
import { deleteObject, deleteObjects, getObject, postObject, putObject } from './object-calls.ts';
import { operationOf, type S3Operation, targetOf } from './routes.ts';

/** Headers that change what a call does, except those that are imitated. */
const HEADER = /^(x-amz-.*|content-(disposition|language|md5)|cache-control|expires|if-match)$/;
const IMITATED =
  /^x-amz-(checksum-(crc32|mode)|content-sha256|date|decoded-content-length|sdk-checksum-algorithm|security-token|trailer|user-agent)$/;

function assertImplemented({ headers }: RequestHead): void {
  const found = Object.keys(headers).find((name) => HEADER.test(name) && !IMITATED.test(name));
  if (found !== undefined) throw notImplemented(found);
}

type S3Call = (call: Call, buckets: Buckets) => Prepared;

const CALLS: Readonly<Record<string, S3Call>> = {
  GetObject: getObject,
  PutObject: putObject,
  PostObject: postObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
  ListObjectVersions: listVersions,
} satisfies Record<S3Operation, S3Call>;

const AUTHENTICATION_ERRORS: Record<AuthenticationFailureKind, [code: string, status: number]> = {
  missing: ['AccessDenied', 403],
  malformed: ['AuthorizationHeaderMalformed', 400],
  'unknown-key': ['InvalidAccessKeyId', 403],
  mismatch: ['SignatureDoesNotMatch', 403],
  skewed: ['RequestTimeTooSkewed', 403],
};

export function s3Service(buckets: Buckets): Service {
  return {
    name: 's3',
    operations: Object.keys(CALLS),
    operationOf,
    prepare: (call) => {
      const run = CALLS[call.operation];
      if (!run) throw notImplemented(`s3 ${call.operation}`);
      assertImplemented(call.head);
      return run(call, buckets);
    },
    authenticationError: ({ kind, message }) =>
      new ServiceError(AUTHENTICATION_ERRORS[kind][0], message, AUTHENTICATION_ERRORS[kind][1]),
    accessDenied: (message) => new ServiceError('AccessDenied', message, 403),
    unknownOperation: (message) => new ServiceError('NotImplemented', message, 501),
    errorAnswer,
    preflight: (head) => preflightAnswer(head, buckets.corsRules(targetOf(head).bucket)),
    crossOriginHeaders: (head) => crossOriginHeaders(head, buckets.corsRules(targetOf(head).bucket)),
  };
}

function errorAnswer(error: ServiceError, requestId: string): Answer {
  const { headers, ...fields } = error.fields;
  const common = { 'x-amz-request-id': requestId, 'x-amz-id-2': requestId, ...(headers as object) };
  return {
    status: error.status,
    headers: { ...common, 'content-type': 'application/xml' },
    body: xmlDocument({
      Error: {
        Code: error.code,
        Message: error.message,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
        RequestId: requestId,
        HostId: requestId,
      },
    }),
  };
}
