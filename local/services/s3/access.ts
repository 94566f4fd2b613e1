/** The permissions of S3 calls. The bucket's policy applies in addition to the caller's. */
import type { BucketSettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import type { RequestHead } from '../service.ts';

export function onObject(
  bucket: BucketSettings,
  action: string,
  key: string,
  head?: RequestHead,
): Permission {
  return {
    action: `s3:${action}`,
    resources: [`arn:aws:s3:::${bucket.name}/${key}`],
    resourcePolicy: bucket.policy,
    context: {
      values: {
        's3:VersionId': many(head?.query.get('versionId')),
        's3:x-amz-server-side-encryption': many(head?.headers['x-amz-server-side-encryption']),
        's3:x-amz-server-side-encryption-aws-kms-key-id': many(
          head?.headers['x-amz-server-side-encryption-aws-kms-key-id'],
        ),
        's3:x-amz-acl': many(head?.headers['x-amz-acl']),
        's3:if-none-match': many(head?.headers['if-none-match']),
        's3:if-match': many(head?.headers['if-match']),
        // Loopback counts as secure transport.
        's3:TlsVersion': ['1.3'],
        's3:ResourceAccount': [],
      },
    },
  };
}

export function onBucket(
  bucket: BucketSettings,
  action: string,
  query: URLSearchParams = new URLSearchParams(),
): Permission {
  return {
    action: `s3:${action}`,
    resources: [`arn:aws:s3:::${bucket.name}`],
    resourcePolicy: bucket.policy,
    context: {
      values: {
        's3:prefix': many(query.get('prefix')),
        's3:delimiter': many(query.get('delimiter')),
        's3:max-keys': many(query.get('max-keys')),
        's3:TlsVersion': ['1.3'],
        's3:ResourceAccount': [],
      },
    },
  };
}

const many = (value: string | string[] | null | undefined) =>
  value === null || value === undefined ? [] : [value].flat();
