/** The permissions of S3 calls. The bucket's policy applies in addition to the caller's. */
import type { BucketSettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import type { RequestHead } from '../service.ts';

/** Loopback counts as secure transport. */
const SECURE = { 's3:TlsVersion': ['1.3'] };

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
    context: { 's3:if-none-match': [head?.headers['if-none-match'] ?? []].flat(), ...SECURE },
  };
}

export const onBucket = (bucket: BucketSettings, action: string): Permission => ({
  action: `s3:${action}`,
  resources: [`arn:aws:s3:::${bucket.name}`],
  resourcePolicy: bucket.policy,
  context: SECURE,
});
