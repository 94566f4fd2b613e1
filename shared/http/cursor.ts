import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import { signingKeys } from '../verification/keys.ts';

/**
 * Signs the position of a page's end. The tag covers its scope (owner and filters) too, so that a cursor is valid
 * for its own list only.
 */
const TAG_BYTES = 16;

const tag = (key: Buffer, scope: string, position: string) =>
  createHmac('sha256', key).update(`${scope}\n${position}`).digest().subarray(0, TAG_BYTES);

export function signCursor(key: Buffer, scope: string, position: unknown): string {
  const text = JSON.stringify(position);
  return Buffer.concat([tag(key, scope, text), Buffer.from(text)]).toString('base64url');
}

/** Verifies a cursor and returns its position; undefined without a cursor. */
export function verifyCursor<S extends z.ZodType>(
  key: Buffer,
  scope: string,
  cursor: string | undefined,
  position: S,
): z.output<S> | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(TAG_BYTES).toString('utf8');
  const isAuthentic =
    bytes.length > TAG_BYTES &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(key, scope, text));
  const parsed = isAuthentic ? position.safeParse(JSON.parse(text)) : undefined;
  if (!parsed?.success) {
    throw new ApiError(
      'invalid_cursor',
      'cursor is not the next_cursor of a response to the same filters; start again without it.',
      { field: '/cursor' },
    );
  }
  return parsed.data;
}

/** The start of a page of a list, and its answer. The scope is the list's name with owner and filters. */
export async function pagingOf(scopeParts: readonly unknown[], cursor: string | undefined) {
  const { cursor: key } = await signingKeys();
  const scope = JSON.stringify(scopeParts);
  return {
    startAfter: <S extends z.ZodType>(position: S) => verifyCursor(key, scope, cursor, position),
    answer: <T>(data: T[], next: unknown) => ({
      data,
      has_more: next !== null,
      next_cursor: next === null ? null : signCursor(key, scope, next),
    }),
  };
}
