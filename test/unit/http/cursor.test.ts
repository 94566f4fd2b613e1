import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import * as z from 'zod';
import { signCursor, verifyCursor } from '../../../shared/http/cursor.ts';

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
