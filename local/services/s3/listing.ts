import type { Call, Prepared } from '../service.ts';
import { onBucket } from './access.ts';
import type { Buckets } from './buckets.ts';
import { quoted, s3Tag, xmlAnswer } from './object-calls.ts';
import type { StoredObject } from './objects.ts';
import { targetOf } from './routes.ts';

/** The lists of a bucket, in the order of keys, folded at a delimiter. */

const mostKeys = 1000;
/** Sorts behind every key that starts with the same prefix. */
const last = '\u{10FFFF}';

interface Question {
  bucket: string;
  prefix: string;
  delimiter: string;
  maxKeys: number;
  encode(text: string): string;
}

function questionOf(call: Call): Question {
  const { query } = call.head;
  return {
    bucket: targetOf(call.head).bucket,
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maxKeys: Math.min(Number(query.get('max-keys') ?? mostKeys), mostKeys),
    encode:
      query.get('encoding-type') === 'url'
        ? (text) => encodeURIComponent(text).replaceAll('%2F', '/')
        : (text) => text,
  };
}

/** The folder of a key, if the delimiter makes one. */
function folderOf(key: string, { prefix, delimiter }: Question): string | undefined {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

export function listObjects(call: Call, buckets: Buckets): Prepared {
  const question = questionOf(call);
  const { bucket, prefix, delimiter, maxKeys, encode } = question;
  const token = call.head.query.get('continuation-token');
  const startAfter = call.head.query.get('start-after') ?? '';
  return {
    permissions: [onBucket(buckets.settings(bucket), 'ListBucket', call.head.query)],
    run: async () => {
      const after = token === null ? startAfter : Buffer.from(token, 'base64url').toString();
      const { objects, folders, next } = collect(buckets, question, after);
      return xmlAnswer({
        [s3Tag('ListBucketResult')]: {
          Name: bucket,
          Prefix: encode(prefix),
          Delimiter: delimiter === '' ? undefined : encode(delimiter),
          MaxKeys: maxKeys,
          EncodingType: call.head.query.get('encoding-type') ?? undefined,
          KeyCount: objects.length + folders.length,
          IsTruncated: next !== undefined,
          ContinuationToken: token ?? undefined,
          NextContinuationToken: next === undefined ? undefined : Buffer.from(next).toString('base64url'),
          StartAfter: startAfter === '' ? undefined : encode(startAfter),
          Contents: objects.map((object) => ({ Key: encode(object.key), ...described(object) })),
          CommonPrefixes: folders.map((folder) => ({ Prefix: encode(folder) })),
        },
      });
    },
  };
}

const described = (object: StoredObject) => ({
  LastModified: new Date(object.modifiedMs).toISOString(),
  ETag: quoted(object.etag),
  Size: object.size,
  StorageClass: 'STANDARD',
});

/** `next` is the position after which the next page begins. */
function collect(buckets: Buckets, question: Question, after: string) {
  const { bucket, prefix, maxKeys } = question;
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  let position = after;
  for (;;) {
    const page = buckets.objects.list(bucket, prefix, position, mostKeys);
    for (const object of page) {
      if (!object.key.startsWith(prefix)) return { objects, folders, next: undefined };
      if (objects.length + folders.length >= maxKeys) return { objects, folders, next: position };
      const folder = folderOf(object.key, question);
      if (folder === undefined) objects.push(object);
      else folders.push(folder);
      position = folder === undefined ? object.key : folder + last;
      // The rest of the page may lie in that folder: ask anew from behind it.
      if (folder !== undefined) break;
    }
    if (page.length === 0) return { objects, folders, next: undefined };
  }
}

export function listVersions(call: Call, buckets: Buckets): Prepared {
  const { bucket, prefix, maxKeys, encode } = questionOf(call);
  const marker = {
    key: call.head.query.get('key-marker') ?? '',
    versionId: call.head.query.get('version-id-marker') ?? '',
  };
  return {
    permissions: [onBucket(buckets.settings(bucket), 'ListBucketVersions', call.head.query)],
    run: async () => {
      const found = buckets.objects
        .versions(bucket, prefix, marker, maxKeys + 1)
        .filter(({ key }) => key.startsWith(prefix));
      const page = found.slice(0, maxKeys);
      const end = found.length > maxKeys ? page.at(-1) : undefined;
      const common = (object: StoredObject) => ({
        Key: encode(object.key),
        VersionId: object.versionId,
        IsLatest: object.current,
      });
      return xmlAnswer({
        [s3Tag('ListVersionsResult')]: {
          Name: bucket,
          Prefix: encode(prefix),
          MaxKeys: maxKeys,
          EncodingType: call.head.query.get('encoding-type') ?? undefined,
          IsTruncated: end !== undefined,
          NextKeyMarker: end && encode(end.key),
          NextVersionIdMarker: end?.versionId,
          Version: page
            .filter((object) => !object.deleteMarker)
            .map((object) => ({ ...common(object), ...described(object) })),
          DeleteMarker: page
            .filter((object) => object.deleteMarker)
            .map((object) => ({
              ...common(object),
              LastModified: new Date(object.modifiedMs).toISOString(),
            })),
        },
      });
    },
  };
}
