import { jest } from '@jest/globals';

/** Freezes the clock and all timers until a test advances them; `jest.useRealTimers()` ends it. */
export const virtualTime = (now: Date) =>
  jest.useFakeTimers({ now, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
