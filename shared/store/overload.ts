import { ServiceException } from '@smithy/core/client';
import { isThrottlingError } from '@smithy/core/retry';
import { isShortOfCapacity, WriteCollision } from './table.ts';

/** Thrown when others changed the same items at every attempt. Nothing was written. */
export class Contended extends Error {
  override name = 'Contended';
}

const isAwsError = (error: unknown): error is Parameters<typeof isThrottlingError>[0] =>
  error instanceof ServiceException;

/** Whether the same work may succeed a moment later: AWS is short of capacity, or others write the same items. */
export const isOverload = (error: unknown): boolean =>
  error instanceof Contended ||
  error instanceof WriteCollision ||
  isShortOfCapacity(error) ||
  (isAwsError(error) && isThrottlingError(error));
