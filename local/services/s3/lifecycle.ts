import type { BucketSettings, Clock } from '../../ports.ts';
import type { Buckets } from './buckets.ts';

/**
 * Expiry by the local clock: hourly, and at once when the clock is moved. S3 waits until the midnight after the last
 * day; here the days are counted from the moment of writing.
 */

const everyMs = 3600 * 1000;
const dayMs = 24 * 3600 * 1000;

export function startLifecycle(buckets: Buckets, clock: Clock, log: (line: string) => void) {
  let running = Promise.resolve();
  let stopped = false;
  const soon = () => {
    running = running
      .then(async () => {
        for (const bucket of buckets.all()) if (!stopped) await expire(buckets, bucket, clock.now());
      })
      .catch((error) =>
        log(`The lifecycle of a bucket failed: ${error instanceof Error ? error.message : error}`),
      );
  };
  const timer = setInterval(soon, everyMs).unref();
  clock.onMove(soon);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function expire(buckets: Buckets, bucket: BucketSettings, now: number): Promise<void> {
  for (const rule of bucket.lifecycle) {
    const applies = ({ key }: { key: string }) => key.startsWith(rule.prefix ?? '');
    if (rule.expireAfterDays !== undefined) {
      const old = buckets.objects.currentBefore(bucket.name, now - rule.expireAfterDays * dayMs);
      for (const object of old.filter(applies)) await buckets.delete(bucket.name, object.key);
    }
    if (rule.noncurrentExpireAfterDays !== undefined) {
      const old = buckets.objects.noncurrentBefore(bucket.name, now - rule.noncurrentExpireAfterDays * dayMs);
      for (const object of old.filter(applies))
        await buckets.delete(bucket.name, object.key, object.versionId);
      const markers = buckets.objects.loneMarkers(bucket.name);
      for (const marker of markers.filter(applies))
        await buckets.delete(bucket.name, marker.key, marker.versionId);
    }
  }
}
