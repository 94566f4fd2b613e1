/**
 * Expires objects by the local clock: every hour, and at once when the clock moves. S3 expires at the midnight after the
 * last day; here the days count from the write.
 */
import type { BucketSettings, Clock } from '../../ports.ts';
import { startSweeps } from '../sweeps.ts';
import type { Buckets } from './buckets.ts';

const SWEEP_EVERY_MS = 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;

/** Returns the function that stops it. */
export const startLifecycle = (buckets: Buckets, clock: Clock, log: (line: string) => void) =>
  startSweeps('The lifecycle of a bucket', SWEEP_EVERY_MS, clock, log, async (signal) => {
    for (const bucket of buckets.all()) if (!signal.aborted) await expire(buckets, bucket, clock.now());
  });

async function expire(buckets: Buckets, bucket: BucketSettings, now: number): Promise<void> {
  for (const rule of bucket.lifecycle) {
    if (rule.expireAfterDays !== undefined) {
      const old = buckets.objects.currentBefore(bucket.name, now - rule.expireAfterDays * DAY_MS);
      for (const { key } of old) await buckets.delete(bucket.name, key);
    }
    if (rule.noncurrentExpireAfterDays !== undefined) {
      const old = buckets.objects.noncurrentBefore(
        bucket.name,
        now - rule.noncurrentExpireAfterDays * DAY_MS,
      );
      for (const { key, versionId } of old) await buckets.delete(bucket.name, key, versionId);
    }
  }
}
