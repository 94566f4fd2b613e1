import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';

export interface Bucket {
  s3: S3Client;
  bucket: string;
}

/** An object's bytes; undefined if there is none. */
export async function findObject({ s3, bucket }: Bucket, key: string): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!Body) throw new Error(`The object ${key} is empty.`);
    return await Body.transformToByteArray();
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}
