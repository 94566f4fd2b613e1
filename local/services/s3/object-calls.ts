/** The calls on single objects. */
import * as z from 'zod';
import { type Answer, type Call, type Prepared, ServiceError } from '../service.ts';
import { fromXml, oneOrMore, type XmlValue, xmlDocument } from '../xml.ts';
import { onBucket, onObject } from './access.ts';
import { contentOf, notImplemented } from './body.ts';
import type { Buckets } from './buckets.ts';
import type { StoredObject } from './objects.ts';
import { targetOf } from './routes.ts';

export const quoted = (etag: string) => `"${etag}"`;

const versionHeader = (versionId: string | undefined): Record<string, string> =>
  versionId === undefined || versionId === 'null' ? {} : { 'x-amz-version-id': versionId };

export const xmlAnswer = (tree: { [tag: string]: XmlValue }) => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: xmlDocument(tree),
});

export const s3Tag = (name: string) => `${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/"`;

export function putObject(call: Call, buckets: Buckets): Prepared {
  const condition = call.head.headers['if-none-match'];
  if (condition !== undefined && condition !== '*') throw notImplemented(`If-None-Match: ${condition}`);
  return store(call, buckets, condition !== undefined, (headers) => ({ status: 200, headers }));
}

export function postObject(call: Call, buckets: Buckets): Prepared {
  const location = call.head.path;
  return store(call, buckets, false, (headers) => ({ status: 204, headers: { ...headers, location } }));
}

function store(
  call: Call,
  buckets: Buckets,
  onlyIfAbsent: boolean,
  answer: (headers: Record<string, string>) => Answer,
): Prepared {
  const { bucket, key } = targetOf(call.head);
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const { body, checksum } = contentOf(call);
      const headers = { 'content-type': call.head.headers['content-type'] ?? 'binary/octet-stream' };
      const stored = await buckets.put(bucket, key, { body, checksum, headers }, { onlyIfAbsent });
      return answer({
        ...versionHeader(stored.versionId),
        ...(checksum && checksumHeaders(checksum)),
        etag: quoted(stored.etag),
      });
    },
  };
}

const checksumHeaders = (checksum: { name: string; value: string }) => ({
  [checksum.name]: checksum.value,
  'x-amz-checksum-type': 'FULL_OBJECT',
});

const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-unmodified-since'];

export function getObject(call: Call, buckets: Buckets): Prepared {
  const condition = CONDITIONS.find((name) => call.head.headers[name] !== undefined);
  if (condition !== undefined) throw notImplemented(condition);
  const { bucket, key } = targetOf(call.head);
  const versionId = call.head.query.get('versionId') ?? undefined;
  const settings = buckets.settings(bucket);
  const start = startOf(call);
  return {
    permissions: [
      onObject(settings, versionId === undefined ? 'GetObject' : 'GetObjectVersion', key, call.head),
    ],
    run: async () => {
      const found = await buckets.read(bucket, key, versionId);
      if ('body' in found) {
        if (start !== undefined) return restOf(found.object, found.body, start);
        const wantsChecksum = call.head.headers['x-amz-checksum-mode'] === 'ENABLED';
        return { status: 200, headers: headersOf(found.object, wantsChecksum), body: found.body };
      }
      // Like S3, reveals that an object does not exist only to callers who may list the bucket.
      throw call.allows(onBucket(settings, 'ListBucket'))
        ? missing(found.object, key, versionId)
        : new ServiceError('AccessDenied', 'Access Denied', 403);
    },
  };
}

/** The byte at which the read begins; undefined without a range. */
function startOf({ head }: Call): number | undefined {
  const { range } = head.headers;
  if (range === undefined) return undefined;
  const [, start] = /^bytes=(\d+)-$/.exec(range) ?? [];
  if (start === undefined) throw notImplemented(`Range: ${range}`);
  return Number(start);
}

/** Without the checksum, which is the whole object's. */
function restOf(object: StoredObject, body: Uint8Array, start: number): Answer {
  if (start >= body.length) {
    throw new ServiceError('InvalidRange', 'The requested range is not satisfiable', 416, {
      RangeRequested: `bytes=${start}-`,
      ActualObjectSize: body.length,
    });
  }
  const rest = body.subarray(start);
  const headers = {
    ...headersOf(object, false),
    'content-length': rest.length,
    'content-range': `bytes ${start}-${body.length - 1}/${body.length}`,
  };
  return { status: 206, headers, body: rest };
}

function missing(object: StoredObject | undefined, key: string, versionId: string | undefined): ServiceError {
  if (versionId === undefined) {
    return new ServiceError('NoSuchKey', 'The specified key does not exist.', 404, {
      Key: key,
      headers: object && { 'x-amz-delete-marker': 'true', ...versionHeader(object.versionId) },
    });
  }
  if (object) {
    const headers = { 'x-amz-delete-marker': 'true', allow: 'DELETE' };
    const message = 'The specified method is not allowed against this resource.';
    return new ServiceError('MethodNotAllowed', message, 405, { headers });
  }
  return new ServiceError('NoSuchVersion', 'The specified version does not exist.', 404, { Key: key });
}

const headersOf = (object: StoredObject, wantsChecksum: boolean) => ({
  ...object.headers,
  ...versionHeader(object.versionId),
  ...(wantsChecksum && object.checksum && checksumHeaders(object.checksum)),
  'accept-ranges': 'bytes',
  'content-length': object.size,
  etag: quoted(object.etag),
  'last-modified': new Date(object.modifiedMs).toUTCString(),
});

export function deleteObject(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  const versionId = call.head.query.get('versionId') ?? undefined;
  const action = versionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion';
  return {
    permissions: [onObject(buckets.settings(bucket), action, key, call.head)],
    run: async () => {
      const deleted = await buckets.delete(bucket, key, versionId);
      const marker: Record<string, string> = deleted.deleteMarker ? { 'x-amz-delete-marker': 'true' } : {};
      return { status: 204, headers: { ...versionHeader(deleted.versionId), ...marker } };
    },
  };
}

const deleteList = z.object({
  Object: oneOrMore(z.object({ Key: z.string(), VersionId: z.string().optional() })).default([]),
  Quiet: z.string().optional(),
});

export function deleteObjects(call: Call, buckets: Buckets): Prepared {
  const { bucket } = targetOf(call.head);
  const settings = buckets.settings(bucket);
  const parsed = deleteList.safeParse(fromXml(contentOf(call).body.toString(), 'Delete'));
  if (!parsed.success || parsed.data.Object.length === 0 || parsed.data.Object.length > 1000) {
    throw new ServiceError(
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    );
  }
  const { Object: objects, Quiet } = parsed.data;
  return {
    // Each key is authorized on its own below; a denied key is an error in the answer.
    permissions: [],
    run: async () => {
      const result: { Deleted: XmlValue[]; Error: XmlValue[] } = { Deleted: [], Error: [] };
      for (const { Key, VersionId } of objects) {
        const action = VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion';
        if (!call.allows(onObject(settings, action, Key))) {
          result.Error.push({ Key, VersionId, Code: 'AccessDenied', Message: 'Access Denied' });
          continue;
        }
        const { versionId, deleteMarker } = await buckets.delete(bucket, Key, VersionId);
        const marker = deleteMarker ? { DeleteMarker: true, DeleteMarkerVersionId: versionId } : {};
        if (Quiet !== 'true') result.Deleted.push({ Key, VersionId, ...marker });
      }
      return xmlAnswer({ [s3Tag('DeleteResult')]: result });
    },
  };
}
