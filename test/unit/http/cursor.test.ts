import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';

const key = randomBytes(32);

describe('a cursor', () => {
  it('gives back its position to the scope it was made for, and to no other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (scope, other, position) => {
        const cursor = sealCursor(key, scope, position);
        expect(openCursor(key, scope, cursor)).toEqual(JSON.parse(JSON.stringify(position)));
        if (other !== scope) expect(() => openCursor(key, other, cursor)).toThrow('cursor is not');
      }),
    );
  });

  it('refuses every change of a single character', () => {
    const cursor = sealCursor(key, 'list', { createdAt: '2026-11-21T12:00:00.000Z', id: 'x' });
    for (let place = 0; place < cursor.length; place += 1) {
      const changed = `${cursor.slice(0, place)}${cursor[place] === 'A' ? 'B' : 'A'}${cursor.slice(place + 1)}`;
      expect(() => openCursor(key, 'list', changed)).toThrow('cursor is not');
    }
  });

  it('refuses a cursor made under another key, and garbage', () => {
    expect(() => openCursor(key, 'list', sealCursor(randomBytes(32), 'list', 1))).toThrow('cursor is not');
    for (const garbage of ['', 'x', '!!!', 'AAAA'.repeat(50)])
      expect(() => openCursor(key, 'list', garbage)).toThrow('cursor is not');
  });
});
