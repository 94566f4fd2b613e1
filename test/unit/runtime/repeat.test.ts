import { jest } from '@jest/globals';
import { repeat } from '../../../shared/runtime/repeat.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const broken = new Error('broken');

/** Fails so many times. */
function work(failures: number) {
  const calls: number[] = [];
  return {
    calls,
    run: async () => {
      calls.push(Date.now());
      if (calls.length <= failures) throw broken;
      return 'done';
    },
  };
}

beforeEach(() => skipPauses());
afterEach(() => jest.useRealTimers());

describe('work that fails', () => {
  it('is done again twice, after longer and longer pauses', async () => {
    const { calls, run } = work(2);
    expect(await repeat(run)).toBe('done');
    const [first = 0, second = 0, third = 0] = calls;
    expect(third - second).toBeGreaterThan(second - first);
    expect(second).toBeGreaterThan(first);
  });

  it('is given up with its error after as many attempts as there are pauses, and one', async () => {
    const [usual, hurried] = [work(9), work(9)];
    await expect(repeat(usual.run)).rejects.toBe(broken);
    await expect(repeat(hurried.run, undefined, [1])).rejects.toBe(broken);
    expect([usual.calls.length, hurried.calls.length]).toEqual([3, 2]);
  });

  it('is not done again after an error that stays', async () => {
    const { calls, run } = work(1);
    await expect(repeat(run, (error) => error !== broken)).rejects.toBe(broken);
    expect(calls).toHaveLength(1);
  });
});
