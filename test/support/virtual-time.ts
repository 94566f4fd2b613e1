import { jest } from '@jest/globals';

/** Freezes the clock and all timers until a test advances them; `jest.useRealTimers()` ends it. */
export const virtualTime = (now: Date) =>
  jest.useFakeTimers({ now, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

/** Time passes by itself to the end of each pause, so that nobody waits for it; `jest.useRealTimers()` ends it. */
export function skipPauses(now = new Date()): void {
  virtualTime(now);
  jest.setTimerTickMode({ mode: 'nextAsync' });
}
