/** API Gateway's token bucket: `burst` calls at once, refilled by `rate` a second. */
import type { StagePlan, Throttle } from '../assembly/plan.ts';
import type { Clock } from '../ports.ts';

/** False once the bucket is empty. */
function tokenBucket({ rate, burst }: Throttle, clock: Clock): () => boolean {
  let tokens = burst;
  let filledAt = clock.now();
  return () => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Whether a stage takes a call now. */
export type Admission = (httpMethod: string, resourcePath: string) => boolean;

/** A stage has a bucket for each method, with the method's setting or the stage's. */
export function admissionTo({ methodThrottles, throttle: usual }: StagePlan, clock: Clock): Admission {
  const buckets = new Map<string, () => boolean>();
  return (httpMethod, resourcePath) => {
    const key = `${httpMethod} ${resourcePath}`;
    const throttle = methodThrottles.get(key) ?? methodThrottles.get(`* ${resourcePath}`) ?? usual;
    if (!throttle) return true;
    const take = buckets.get(key) ?? tokenBucket(throttle, clock);
    buckets.set(key, take);
    return take();
  };
}
