import { createHash } from 'node:crypto';
import { TimestampUnavailable } from '../../../shared/sealing/errors.ts';
import { makeTestAuthority } from '../../support/timestamp-authority.ts';
import { now } from './sealing-kit.ts';

/** Timestamps of test authorities, good and bad. */

export const data = createHash('sha256').update('a signature').digest();
export const options = { now: () => now };
export const good = makeTestAuthority({ now, algorithm: 'rsa' });

export async function faultOf(stamp: Promise<unknown>): Promise<string> {
  const error = await stamp.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TimestampUnavailable);
  expect(error).toMatchObject({ code: 'timestamp_unavailable', permanent: false });
  return error instanceof Error ? error.message : '';
}
