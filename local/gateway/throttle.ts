/** API Gateway's token bucket: `burst` calls at once, refilled by `rate` a second. */
import type { StagePlan, Throttle } from '../assembly/plan.ts';
import type { Clock } from '../ports.ts';

class TokenBucket {
  readonly #throttle: Throttle;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(throttle: Throttle, clock: Clock) {
    this.#throttle = throttle;
    this.#clock = clock;
    this.#tokens = throttle.burst;
    this.#filledAt = clock.now();
  }

  take(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(
      this.#throttle.burst,
      this.#tokens + ((now - this.#filledAt) / 1000) * this.#throttle.rate,
    );
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** The buckets of a stage: one for each method, with the method's setting or the stage's. */
export class Throttles {
  readonly #stage: StagePlan;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(stage: StagePlan, clock: Clock) {
    this.#stage = stage;
    this.#clock = clock;
  }

  take(httpMethod: string, resourcePath: string): boolean {
    const { methodThrottles, throttle: stageThrottle } = this.#stage;
    const key = `${httpMethod} ${resourcePath}`;
    const throttle = methodThrottles.get(key) ?? methodThrottles.get(`* ${resourcePath}`) ?? stageThrottle;
    if (!throttle) return true;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(throttle, this.#clock);
    this.#buckets.set(key, bucket);
    return bucket.take();
  }
}
