import { jest } from '@jest/globals';

/**
 * Tests over whole services share their machine with all that these start; one that was starved of it may try once more.
 * The first failure is printed all the same, so that nothing hides.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
