import type { RequestHead } from '../service.ts';

/** Which S3 operation a request is: by its method, by whether it names a key, and by its sub-resource. */

export interface Target {
  bucket: string;
  key: string;
}

export function targetOf(head: RequestHead): Target {
  const [, bucket = '', ...rest] = head.path.split('/');
  return { bucket: decodeURIComponent(bucket), key: rest.map(decodeURIComponent).join('/') };
}

const routes: Record<string, string> = {
  'GET key': 'GetObject',
  'HEAD key': 'HeadObject',
  'PUT key': 'PutObject',
  'PUT key copy': 'CopyObject',
  'PUT key partNumber uploadId': 'UploadPart',
  'DELETE key': 'DeleteObject',
  'DELETE key uploadId': 'AbortMultipartUpload',
  'POST key uploads': 'CreateMultipartUpload',
  'POST key uploadId': 'CompleteMultipartUpload',
  'POST bucket delete': 'DeleteObjects',
  'GET bucket list-type': 'ListObjectsV2',
  'GET bucket versions': 'ListObjectVersions',
  'HEAD bucket': 'HeadBucket',
};

/** What only refines an operation; every other name in the query tells operations apart. */
const refinement =
  /^(x-id|versionId|response-.*|x-amz-.*|prefix|delimiter|max-keys|encoding-type|continuation-token|start-after|fetch-owner|key-marker|version-id-marker)$/i;

export function operationOf(head: RequestHead): string | undefined {
  const { key } = targetOf(head);
  const names = [...head.query.keys()].filter((name) => !refinement.test(name)).sort();
  const copy = head.headers['x-amz-copy-source'] === undefined ? [] : ['copy'];
  return routes[[head.method, key === '' ? 'bucket' : 'key', ...copy, ...names].join(' ')];
}
