import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import fc from 'fast-check';

/** CI draws the same cases each time. `npm run test:property` sets how many new ones to draw instead. */
const drawn = process.env.PROPERTY_CASES;
const CASES = Number(drawn ?? 250);
const AT_ONCE = 1_000;

jest.setTimeout(120_000 + CASES * 100);

/** Checks a property with this share of the cases, and with at least so many. A failure prints the seed that repeats it. */
export async function always<T>(property: fc.IRawProperty<T>, share = 1, atLeast = 1): Promise<void> {
  for (let left = Math.max(Math.ceil(CASES * share), atLeast); left > 0; left -= AT_ONCE) {
    await fc.assert(property, { numRuns: Math.min(left, AT_ONCE), ...(drawn === undefined && { seed: 1 }) });
    // Memory that the runtime holds outside its heap is freed between tasks only.
    await setImmediate();
  }
}
