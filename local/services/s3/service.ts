import { type Answer, type Call, type Prepared, type Service, ServiceError } from '../service.ts';
import type { AuthenticationFailureKind } from '../signatures.ts';
import { toXml } from '../xml.ts';
import type { Buckets } from './buckets.ts';
import { listObjects, listVersions } from './listing.ts';
import { abortUpload, completeUpload, createUpload, uploadPart } from './multipart-calls.ts';
import {
  copyObject,
  deleteObject,
  deleteObjects,
  getObject,
  headBucket,
  postObject,
  putObject,
} from './object-calls.ts';
import { operationOf } from './routes.ts';

/** S3 by path-style addresses. */

export type S3Call = (call: Call, buckets: Buckets) => Prepared | Promise<Prepared>;

const calls: Record<string, S3Call> = {
  GetObject: getObject,
  HeadObject: getObject,
  PutObject: putObject,
  PostObject: postObject,
  CopyObject: copyObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
  CreateMultipartUpload: createUpload,
  UploadPart: uploadPart,
  CompleteMultipartUpload: completeUpload,
  AbortMultipartUpload: abortUpload,
  ListObjectsV2: listObjects,
  ListObjectVersions: listVersions,
  HeadBucket: headBucket,
};

const authenticationErrors: Record<AuthenticationFailureKind, [code: string, status: number]> = {
  missing: ['AccessDenied', 403],
  malformed: ['AuthorizationHeaderMalformed', 400],
  'unknown-key': ['InvalidAccessKeyId', 403],
  mismatch: ['SignatureDoesNotMatch', 403],
  skewed: ['RequestTimeTooSkewed', 403],
  expired: ['AccessDenied', 403],
};

export function s3Service(buckets: Buckets): Service {
  return {
    name: 's3',
    streams: true,
    operationOf,
    prepare: (call) => {
      const run = calls[call.operation];
      if (!run) throw notImplemented(`The local cloud does not implement s3 ${call.operation}`);
      return run(call, buckets);
    },
    authenticationError: ({ kind, message }) =>
      new ServiceError(authenticationErrors[kind][0], message, authenticationErrors[kind][1]),
    accessDenied: (message) => new ServiceError('AccessDenied', message, 403),
    unknownOperation: notImplemented,
    errorAnswer,
  };
}

const notImplemented = (message: string) => new ServiceError('NotImplemented', message, 501);

/** 304 and the answers to HEAD have no body, so there the status alone tells. */
function errorAnswer(error: ServiceError, requestId: string, head: { method: string }): Answer {
  const { headers, ...fields } = error.fields;
  const extra =
    typeof headers === 'object' && headers !== null
      ? Object.entries(headers).map(([k, v]) => [k, String(v)])
      : [];
  const common = { 'x-amz-request-id': requestId, 'x-amz-id-2': requestId, ...Object.fromEntries(extra) };
  if (error.status === 304 || head.method === 'HEAD') return { status: error.status, headers: common };
  return {
    status: error.status,
    headers: { ...common, 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${toXml({
      Error: {
        Code: error.code,
        Message: error.message,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
        RequestId: requestId,
        HostId: requestId,
      },
    })}`,
  };
}
