import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

interface NewObject {
  Bucket: string;
  Key: string;
  Body: Uint8Array;
  ContentType: string;
}

/** Thrown if the key holds another object. */
export class ObjectTaken extends Error {
  override name = 'ObjectTaken';
}

/** True if a conditional put failed because of an object that is there, or is being written. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'PreconditionFailed' || error.name === 'ConditionalRequestConflict');

/** Stores an object that is never overwritten. An equal one is accepted: an earlier attempt, or a retry by the SDK. */
export async function putOnce(s3: S3Client, object: NewObject): Promise<void> {
  try {
    await s3.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
  } catch (error) {
    if (!isTaken(error)) throw error;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: object.Bucket, Key: object.Key }));
    const stored = await Body?.transformToByteArray();
    if (!stored || Buffer.compare(stored, object.Body) !== 0)
      throw new ObjectTaken(`Another object is stored as ${object.Key}.`, { cause: error });
  }
}
