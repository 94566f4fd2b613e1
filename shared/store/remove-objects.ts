import { DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';

/** Removes all versions of all objects under a prefix. Repeating it is harmless. */
export async function removeObjects(s3: S3Client, bucket: string, prefix: string): Promise<void> {
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix }));
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
