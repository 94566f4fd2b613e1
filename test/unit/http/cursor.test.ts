import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import * as z from 'zod';
import { pagingOf, signCursor, verifyCursor } from '../../../shared/http/cursor.ts';
import { functionEnvironment } from '../../support/http-call.ts';

const key = randomBytes(32);
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('cursors', () => {
  it('a cursor returns its position for its own scope only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (scope, other, position) => {
        const cursor = signCursor(key, scope, position);
        expect(verifyCursor(key, scope, cursor, z.unknown())).toEqual(JSON.parse(JSON.stringify(position)));
        if (other !== scope)
          expect(() => verifyCursor(key, other, cursor, z.unknown())).toThrow('cursor is not');
      }),
    );
  });

  it('a cursor with any single character changed is refused', () => {
    const cursor = signCursor(key, 'list', { createdAt: '2026-11-21T12:00:00.000Z', id: 'x' });
    // Of the last character, this bit belongs to no byte.
    const changeBit = (character = '') => BASE64URL[BASE64URL.indexOf(character) ^ 1];
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${changeBit(cursor[index])}${cursor.slice(index + 1)}`;
      expect(() => verifyCursor(key, 'list', changed, z.unknown())).toThrow('cursor is not');
    }
  });

  it('a cursor signed with another key is refused, and so is garbage', () => {
    expect(() => verifyCursor(key, 'list', signCursor(randomBytes(32), 'list', 1), z.unknown())).toThrow(
      'cursor is not',
    );
    for (const garbage of ['', 'x', '!!!', 'AAAA'.repeat(50)])
      expect(() => verifyCursor(key, 'list', garbage, z.unknown())).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('cursor is not'),
          fields: { field: '/cursor' },
        }),
      );
  });

  it('a cursor with a position of another shape is refused', () => {
    const cursor = signCursor(key, 'list', { createdAt: 1 });
    expect(() => verifyCursor(key, 'list', cursor, z.object({ createdAt: z.string() }))).toThrow(
      'cursor is not',
    );
  });
});

describe('pages of a list', () => {
  beforeAll(() => functionEnvironment());
  const startOf = async (scope: string, cursor?: string) =>
    (await pagingOf([scope], cursor)).startAfter(z.string());

  it('a page answers the cursor with which the next one begins after it, in the same list', async () => {
    expect(await startOf('list')).toBeUndefined();
    const page = (await pagingOf(['list'], undefined)).answer([1], 'end');
    expect(page).toEqual({ data: [1], has_more: true, next_cursor: expect.any(String) });
    const cursor = page.next_cursor ?? '';
    expect(await startOf('list', cursor)).toBe('end');
    await expect(startOf('another list', cursor)).rejects.toThrow('cursor is not');
  });

  it('the last page has no next one', async () => {
    const page = (await pagingOf(['list'], undefined)).answer([], null);
    expect(page).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});
