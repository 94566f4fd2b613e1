import { DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import { requestObjects } from './objects.ts';

/** Removes everything a request has in the bucket, every version of it. What is gone already is no error. */
export async function purgeObjects(s3: S3Client, bucket: string, requestId: string): Promise<void> {
  for (;;) {
    const page = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: requestObjects(requestId) }),
    );
    const Objects = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    }));
    if (Objects.length === 0) return;
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0)
      throw new Error(`${Errors.length} objects could not be removed: ${Errors[0]?.Code}`);
  }
}
