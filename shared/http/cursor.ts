import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';

/**
 * A page's end, as text that only we can make: it holds the position, and is tagged over the position and its scope
 * (whose list, with which filters), so that it opens nothing else.
 */
const tag = (key: Buffer, scope: string, position: string) =>
  createHmac('sha256', key).update(`${scope}\n${position}`).digest().subarray(0, 16);

export function sealCursor(key: Buffer, scope: string, position: unknown): string {
  const text = JSON.stringify(position);
  return Buffer.concat([tag(key, scope, text), Buffer.from(text)]).toString('base64url');
}

export function openCursor(key: Buffer, scope: string, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(16).toString('utf8');
  const genuine =
    bytes.length > 16 &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, 16), tag(key, scope, text));
  if (!genuine) {
    throw new ApiError(
      'invalid_cursor',
      'cursor is not the next_cursor of an answer to the same filters; start again without it.',
    );
  }
  return JSON.parse(text);
}
