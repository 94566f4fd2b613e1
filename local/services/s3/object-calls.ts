/** The calls on single objects. */
import * as z from 'zod';
import { type Call, type Prepared, type RequestHead, ServiceError } from '../service.ts';
import { fromXml, toXml, type XmlValue } from '../xml.ts';
import { onBucket, onObject } from './access.ts';
import { type BodyFacts, verifiedBody, wholeBody } from './body.ts';
import { type Buckets, type Conditions, preconditionFailed, sameEtag } from './buckets.ts';
import type { StoredObject } from './objects.ts';
import { targetOf } from './routes.ts';

const KEPT_HEADER =
  /^(content-type|content-disposition|content-encoding|content-language|cache-control|expires|x-amz-meta-.*|x-amz-website-redirect-location|x-amz-server-side-encryption(-aws-kms-key-id|-bucket-key-enabled)?)$/;

/** The headers that a later GET returns. */
function keptHeaders(head: RequestHead): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'binary/octet-stream',
    'x-amz-server-side-encryption': 'AES256',
  };
  for (const [name, value] of Object.entries(head.headers)) {
    if (KEPT_HEADER.test(name) && value !== undefined) headers[name] = String(value);
  }
  const encodings = (headers['content-encoding'] ?? '').split(',').map((one) => one.trim());
  const own = encodings.filter((encoding) => encoding !== '' && encoding !== 'aws-chunked').join(',');
  delete headers['content-encoding'];
  return own === '' ? headers : { ...headers, 'content-encoding': own };
}

const encryptionHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption')),
  );

export const quoted = (etag: string) => `"${etag}"`;

const versionHeader = (versionId: string | undefined): Record<string, string> =>
  versionId === undefined || versionId === 'null' ? {} : { 'x-amz-version-id': versionId };

export const xmlAnswer = (tree: { [tag: string]: XmlValue }, headers: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(tree)}`,
});

export const s3Tag = (name: string) => `${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/"`;

const noSuchKey = (key: string, headers: Record<string, string> = {}) =>
  new ServiceError('NoSuchKey', 'The specified key does not exist.', 404, { Key: key, headers });

function conditionsOf(head: RequestHead): Conditions {
  const ifNoneMatch = head.headers['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new ServiceError(
      'NotImplemented',
      'A header you provided implies functionality that is not implemented',
      501,
    );
  }
  return { ifMatch: head.headers['if-match'], ifNoneMatch };
}

function assertKey(key: string): void {
  if (Buffer.byteLength(key) > 1024) throw new ServiceError('KeyTooLongError', 'Your key is too long');
}

export function putObject(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  assertKey(key);
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const { headers, etag } = await store(call, buckets, conditionsOf(call.head));
      return { status: 200, headers: { ...headers, etag: quoted(etag) } };
    },
  };
}

export function postObject(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  assertKey(key);
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const { headers, etag } = await store(call, buckets, {});
      return postAnswer(call.head, { ...headers, etag: quoted(etag), location: call.head.path }, bucket, key);
    },
  };
}

function postAnswer(head: RequestHead, headers: Record<string, string>, bucket: string, key: string) {
  const redirect = head.headers.success_action_redirect?.toString();
  if (redirect !== undefined) {
    const location = new URL(redirect);
    for (const [name, value] of Object.entries({ bucket, key, etag: headers.etag ?? '' }))
      location.searchParams.set(name, value);
    return { status: 303, headers: { ...headers, location: location.href } };
  }
  const status = Number(head.headers.success_action_status ?? 204);
  if (status !== 201) return { status: status === 200 ? 200 : 204, headers };
  const body = { Location: headers.location, Bucket: bucket, Key: key, ETag: headers.etag };
  return { ...xmlAnswer({ PostResponse: body }, headers), status };
}

async function store(call: Call, buckets: Buckets, conditions: Conditions) {
  const { bucket, key } = targetOf(call.head);
  buckets.assertConditions(bucket, key, conditions);
  const facts: Partial<BodyFacts> = {};
  const received = await buckets.receive(verifiedBody(call, facts), facts);
  const kept = keptHeaders(call.head);
  const { versionId, etag } = await buckets.put(bucket, key, received, kept, conditions);
  const headers = {
    ...encryptionHeaders(kept),
    ...versionHeader(versionId),
    ...(received.checksum && checksumHeaders(received.checksum)),
  };
  return { etag, headers };
}

const checksumHeaders = (checksum: { name: string; value: string }) => ({
  [checksum.name]: checksum.value,
  'x-amz-checksum-type': 'FULL_OBJECT',
});

/** Up to this size, reading an object at once takes a fraction of the processor time of streaming it. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export function getObject(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  const versionId = call.head.query.get('versionId') ?? undefined;
  const settings = buckets.settings(bucket);
  return {
    permissions: [
      onObject(settings, versionId === undefined ? 'GetObject' : 'GetObjectVersion', key, call.head),
    ],
    run: async () => {
      const opened = await buckets.open(bucket, key, versionId);
      if (!('handle' in opened)) {
        // Like S3, reveals that an object does not exist only to callers who may list the bucket.
        const mayKnow = call.allows(onBucket(settings, 'ListBucket'));
        throw mayKnow
          ? missing(opened.object, key, versionId)
          : new ServiceError('AccessDenied', 'Access Denied', 403);
      }
      const { object, handle } = opened;
      try {
        const answer = describeObject(call.head, object);
        if (answer.length === 0) {
          await handle.close();
          return answer;
        }
        const { start, length } = answer;
        if (object.size > MAX_BUFFERED_BYTES)
          return { ...answer, body: handle.createReadStream({ start, end: start + length - 1 }) };
        const whole = await handle.readFile();
        await handle.close();
        return { ...answer, body: whole.subarray(start, start + length) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
}

function missing(object: StoredObject | undefined, key: string, versionId: string | undefined): ServiceError {
  if (versionId === undefined) {
    return noSuchKey(
      key,
      object ? { 'x-amz-delete-marker': 'true', ...versionHeader(object.versionId) } : {},
    );
  }
  if (object) {
    return new ServiceError(
      'MethodNotAllowed',
      'The specified method is not allowed against this resource.',
      405,
      {
        headers: { 'x-amz-delete-marker': 'true', allow: 'DELETE' },
      },
    );
  }
  return new ServiceError('NoSuchVersion', 'The specified version does not exist.', 404, { Key: key });
}

function describeObject(head: RequestHead, object: StoredObject) {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, range } = head.headers;
  if (ifMatch !== undefined && !sameEtag(ifMatch, object.etag)) throw preconditionFailed('If-Match');
  if (ifNoneMatch !== undefined && sameEtag(ifNoneMatch, object.etag)) {
    throw new ServiceError('NotModified', 'Not Modified', 304, { headers: { etag: quoted(object.etag) } });
  }
  const part = range === undefined ? undefined : readRange(range, object.size);
  const { start, end } = part ?? { start: 0, end: object.size - 1 };
  const length = end - start + 1;
  const wantsChecksum = head.headers['x-amz-checksum-mode'] === 'ENABLED' && part === undefined;
  return {
    status: part ? 206 : 200,
    start,
    length,
    headers: {
      ...object.headers,
      ...overrides(head.query),
      ...versionHeader(object.versionId),
      ...(wantsChecksum && object.checksum && checksumHeaders(object.checksum)),
      'accept-ranges': 'bytes',
      'content-length': length,
      etag: quoted(object.etag),
      'last-modified': new Date(object.modifiedMs).toUTCString(),
      ...(part && { 'content-range': `bytes ${start}-${end}/${object.size}` }),
    },
  };
}

/** Reads a single range. Other forms are ignored, as HTTP allows. */
function readRange(range: string, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) {
    throw new ServiceError('InvalidRange', 'The requested range is not satisfiable', 416, {
      ActualObjectSize: size,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return { start, end };
}

function overrides(query: URLSearchParams): Record<string, string> {
  const asked = [...query].filter(([name]) => name.startsWith('response-'));
  return Object.fromEntries(asked.map(([name, value]) => [name.slice('response-'.length), value]));
}

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

const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), item.transform((one) => [one])]).default([]);
const deleteList = z.object({
  Object: oneOrMore(z.object({ Key: z.string(), VersionId: z.string().optional() })),
  Quiet: z.string().optional(),
});

export async function deleteObjects(call: Call, buckets: Buckets): Promise<Prepared> {
  const { bucket } = targetOf(call.head);
  const settings = buckets.settings(bucket);
  const parsed = deleteList.safeParse(fromXml((await wholeBody(call, 2 * 1024 * 1024)).toString(), 'Delete'));
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
