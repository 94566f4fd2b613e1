import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from '../../../client/verifier/inflate.ts';
import { inflate as byNode } from '../../../shared/sealing/inflate.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const MAX = 1024 * 1024;

it.each([0, 1, 100, 8_192, 500_000])('data of %s bytes come back as they were', (length) => {
  const data = randomBytes(length);
  expect(data.equals(inflate(deflateSync(data), MAX))).toBe(true);
});

it.each([2, 9, 4_000, 9_000])('data cut short after %s bytes are refused', (length) => {
  const data = deflateSync(randomBytes(10_000));
  expect(() => inflate(data.subarray(0, length), MAX)).toThrow('does not decompress');
});

it('data may have just the greatest length', () => {
  expect(inflate(deflateSync(new Uint8Array(100)), 100)).toHaveLength(100);
  expect(() => inflate(deflateSync(new Uint8Array(101)), 100)).toThrow('grows too much');
});

it('a small stream cannot fill the memory', () => {
  const bomb = deflateSync(new Uint8Array(50 * MAX), { level: 1 });
  expect(() => inflate(bomb, MAX)).toThrow('grows too much');
});

it('damaged data are refused, or decompress to what they are for Node', () => {
  const data = deflateSync(Buffer.from('1 0 obj '.repeat(400)));
  fc.assert(
    fc.property(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const copy = Buffer.from(data);
      copy[at] = (copy[at] ?? 0) ^ mask;
      let expected: Uint8Array;
      try {
        expected = byNode(copy, MAX);
      } catch {
        return;
      }
      // Jest compares bytes one by one, of which there may be a million.
      expect(Buffer.from(inflate(copy, MAX)).equals(expected)).toBe(true);
    }),
    { numRuns: IS_THOROUGH ? 3_000 : 100 },
  );
}, 120_000);
