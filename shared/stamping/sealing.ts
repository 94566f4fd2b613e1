import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Mode } from '../contract/fields.ts';
import { SealError } from '../sealing/errors.ts';
import type { SealKey } from '../sealing/keys/port.ts';
import type { LongTerm } from '../sealing/level.ts';
import type { Timestamper } from '../sealing/timestamp.ts';
import { type Bucket, findObject } from '../store/find-object.ts';
import { isTaken } from '../store/put-once.ts';
import type { Table } from '../store/table.ts';
import type { Trust } from './found-seal.ts';

/** The bucket holds the files of requests. */
export interface Sealing extends Bucket {
  table: Table;
  baseUrl: string;
  /** Live and test requests are sealed by different certificates. */
  keyFor: (mode: Mode) => Promise<SealKey>;
  timestamp: Timestamper;
  /** True to look for files of an earlier run first. Only saves work: stored files are never overwritten. */
  isRepeated: boolean;
  /** The pinned certificates of the timestamp authorities. */
  anchors: () => Promise<Trust['anchors']>;
  /** Left out: seals are B-T. */
  longTerm?: LongTerm | undefined;
  /** The certificates that a sealed file must lead to, to count as ours. */
  trustFor: (mode: Mode) => Promise<Trust>;
  now: () => Date;
}

export const verifyUrlOf = ({ baseUrl }: Sealing): string => `${baseUrl}/verify`;

/** An object's bytes; throws a SealError for good if there is none. */
export async function readRequired(from: Bucket, key: string): Promise<Uint8Array> {
  const bytes = await findObject(from, key);
  if (!bytes) throw new SealError('original_unsealable', `the object ${key} is gone`);
  return bytes;
}

/** Stores a sealed PDF, or takes what another run has stored meanwhile. */
export async function storeFirst<T>(
  { s3, bucket }: Sealing,
  {
    key,
    pdf,
    own,
    existing,
  }: { key: string; pdf: Uint8Array; own: T; existing: () => Promise<T | undefined> },
): Promise<T> {
  const object = { Bucket: bucket, Key: key, Body: pdf, ContentType: 'application/pdf' };
  try {
    await s3.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
    return own;
  } catch (error) {
    const winner = isTaken(error) ? await existing() : undefined;
    if (!winner) throw error;
    return winner;
  }
}
