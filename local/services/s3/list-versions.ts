import type { Call, Prepared } from '../service.ts';
import { onBucket } from './access.ts';
import type { Buckets } from './buckets.ts';
import { quoted, s3Tag, xmlAnswer } from './object-calls.ts';
import type { StoredObject } from './objects.ts';
import { targetOf } from './routes.ts';

const MAX_KEYS = 1000;

export function listVersions(call: Call, buckets: Buckets): Prepared {
  const { query } = call.head;
  const { bucket } = targetOf(call.head);
  const prefix = query.get('prefix') ?? '';
  const maxKeys = Math.min(Number(query.get('max-keys') ?? MAX_KEYS), MAX_KEYS);
  const marker = {
    key: query.get('key-marker') ?? '',
    versionId: query.get('version-id-marker') ?? '',
  };
  const common = (object: StoredObject) => ({
    Key: object.key,
    VersionId: object.versionId,
    IsLatest: object.current,
    LastModified: new Date(object.modifiedMs).toISOString(),
  });
  return {
    permissions: [onBucket(buckets.settings(bucket), 'ListBucketVersions')],
    run: async () => {
      const found = buckets.objects
        .versions(bucket, prefix, marker, maxKeys + 1)
        .filter(({ key }) => key.startsWith(prefix));
      const page = found.slice(0, maxKeys);
      const last = found.length > maxKeys ? page.at(-1) : undefined;
      return xmlAnswer({
        [s3Tag('ListVersionsResult')]: {
          Name: bucket,
          Prefix: prefix,
          MaxKeys: maxKeys,
          IsTruncated: last !== undefined,
          NextKeyMarker: last?.key,
          NextVersionIdMarker: last?.versionId,
          Version: page
            .filter((object) => !object.deleteMarker)
            .map((object) => ({
              ...common(object),
              ETag: quoted(object.etag),
              Size: object.size,
              StorageClass: 'STANDARD',
            })),
          DeleteMarker: page.filter((object) => object.deleteMarker).map(common),
        },
      });
    },
  };
}
