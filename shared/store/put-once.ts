import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { repeat } from '../runtime/repeat.ts';

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

const isThere = (error: unknown): boolean => error instanceof Error && error.name === 'PreconditionFailed';

/** S3 still finishes another put of the key, which may fail: nobody can tell yet if there will be an object. */
const isBeingWritten = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalRequestConflict';

/** True if a conditional put failed because of an object that is there, or is being written. */
export const isTaken = (error: unknown): boolean => isThere(error) || isBeingWritten(error);

/** Stores an object that is never overwritten. An equal one is accepted: an earlier attempt, or a retry by the SDK. */
export async function putOnce(s3: S3Client, object: NewObject): Promise<void> {
  try {
    await repeat(() => s3.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' })), isBeingWritten);
  } catch (error) {
    if (!isThere(error)) throw error;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: object.Bucket, Key: object.Key }));
    const stored = await Body?.transformToByteArray();
    if (!stored || Buffer.compare(stored, object.Body) !== 0)
      throw new ObjectTaken(`Another object is stored as ${object.Key}.`, { cause: error });
  }
}
