import { randomBytes } from 'node:crypto';
import { constants, deflateSync } from 'node:zlib';
import { inflate } from '../../../client/verifier/inflate.ts';

const MAX = 1024 * 1024;

it.each([0, 1, 100, 8_192, 500_000])('data of %s bytes come back as they were', (length) => {
  const data = randomBytes(length);
  expect(data.equals(inflate(deflateSync(data), MAX))).toBe(true);
});

it.each([
  ['stored blocks', { level: 0 }],
  ['blocks with fixed codes', { strategy: constants.Z_FIXED }],
  ['blocks without repetitions', { strategy: constants.Z_HUFFMAN_ONLY }],
  ['blocks with repetitions', { level: 9 }],
])('data in %s come back as they were', (_, options) => {
  const data = Buffer.from(Array.from({ length: 3_000 }, (_each, n) => `${n} 0 obj `).join(''));
  expect(data.equals(inflate(deflateSync(data, options), MAX))).toBe(true);
});

it.each([
  ['method', 0],
  ['kind of block', 2],
])('data of an unknown %s are refused', (_, at) => {
  const data = deflateSync(randomBytes(1_000));
  data.writeUInt8(0xff, at);
  expect(() => inflate(data, MAX)).toThrow('does not decompress');
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
