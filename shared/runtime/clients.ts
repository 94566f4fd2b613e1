import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SECOND } from './time.ts';

/**
 * Without a logger the SDK copies the input of each failed call, and prints warnings as plain text among the structured lines. It
 * makes no copies if `error` is missing, but calls `warn` and `debug` unchecked.
 */
const QUIET_LOGGER = { warn: () => undefined, debug: () => undefined } as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * Settings for the AWS clients of functions that answer calls. Three attempts that all hang end within 13 seconds, before
 * the shortest time limit of such a function (15 seconds). Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export const CLIENT_SETTINGS = {
  logger: QUIET_LOGGER,
  /** Otherwise the SDK builds its chain of middleware again for each call, a fifth of what a call costs. */
  cacheMiddleware: true,
  maxAttempts: 3,
  requestHandler: {
    // Long enough for a busy machine. The request's time counts from the same moment.
    connectionTimeout: 3 * SECOND,
    requestTimeout: 4 * SECOND,
    throwOnRequestTimeout: true,
  },
} as const;

/**
 * For jobs, which nobody waits for: an attempt that is given up under load only adds to it, and its message then waits in the
 * queue. Three that hang end within 28 seconds, before the shortest time limit of a job (30 seconds).
 */
export const JOB_CLIENT_SETTINGS = {
  ...CLIENT_SETTINGS,
  requestHandler: {
    ...CLIENT_SETTINGS.requestHandler,
    connectionTimeout: 4 * SECOND,
    requestTimeout: 9 * SECOND,
  },
} as const;

export type ClientSettings = typeof CLIENT_SETTINGS | typeof JOB_CLIENT_SETTINGS;

/** The mailer retries by itself within its own deadline. */
export const MAIL_CLIENT_SETTINGS = { ...CLIENT_SETTINGS, maxAttempts: 1 } as const;
