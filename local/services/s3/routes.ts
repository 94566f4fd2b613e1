/** Finds the S3 operation of a request by its method, its target (bucket or key) and its sub-resource. */
import type { RequestHead } from '../service.ts';

export function targetOf(head: RequestHead) {
  const [, bucket = '', ...rest] = head.path.split('/');
  return { bucket: decodeURIComponent(bucket), key: rest.map(decodeURIComponent).join('/') };
}

/** A form upload is known by its body, the others by their routes. */
export type S3Operation =
  | 'GetObject'
  | 'PutObject'
  | 'PostObject'
  | 'DeleteObject'
  | 'DeleteObjects'
  | 'ListObjectVersions';

const ROUTES: Record<string, S3Operation> = {
  'GET key': 'GetObject',
  'PUT key': 'PutObject',
  'DELETE key': 'DeleteObject',
  'POST bucket delete': 'DeleteObjects',
  'GET bucket versions': 'ListObjectVersions',
};

/** Query names that are parameters; every other name is a sub-resource, which selects the operation. */
const PARAMETER = /^(x-id|versionId|prefix|max-keys|key-marker|version-id-marker)$/i;

export function operationOf(head: RequestHead): S3Operation | undefined {
  const { key } = targetOf(head);
  const names = [...head.query.keys()].filter((name) => !PARAMETER.test(name)).sort();
  return ROUTES[[head.method, key === '' ? 'bucket' : 'key', ...names].join(' ')];
}
