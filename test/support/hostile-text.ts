import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** Texts made of what breaks programs: halves of characters, what cannot be seen, turns around, piles up or has no end. */

const HALVES = ['\ud83d', '\udc69', '\udfff\ud800', '\ud83d\u200d'];
const PIECES = [
  // Directions: embeddings, overrides, isolates, marks.
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  '\u202egnp.exe\u202c',
  // Invisible characters.
  ...'\u0000\u0007\u001b\u007f\u0085\u009f\u00ad\u034f\u115f\u3164\uffa0\u180e\u2800\u200b\u200c\u200d\u2060\ufeff\ufff9\ufffb',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e007f}',
  '\u{1d159}',
  '\u{1d173}',
  '\ufe0f',
  '\u{e0100}',
  '\u180b',
  // Line breaks, also those of a mail's header.
  '\r\n',
  '\n',
  '\u2028',
  '\u2029',
  '\r\nBcc: all@example.com',
  '\u000b',
  '\u3000',
  // Emoji of several characters.
  '👩\u200d👩\u200d👧\u200d👦',
  '👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '🇫🇮',
  '🇫',
  '1\ufe0f\u20e3',
  '🏽',
  // Marks, alone and in piles.
  '\u0301',
  'e\u0301\u0327\u0330\u0341\u0489',
  '\u0e49',
  '\u1ab0',
  '\u20dd',
  // Scripts whose letters join, stack or run from right to left.
  'مرحبا',
  '\u0600١',
  '\ufdfd',
  'שָׁלוֹם',
  'क्षत्रिय',
  'ක්\u200dෂ',
  'ကြွေး',
  '\u102b',
  'བསྒྲུབས',
  'ខ្មែរ',
  'สมชายน้ำ',
  '山田',
  '각',
  '\u1100',
  '\u1161',
  'ᠨᠠ\u180b',
  '\u{11046}',
  '\u{1242b}',
  // Characters that no font has, and characters that have a meaning in other programs.
  '\ue000',
  '\uffff',
  '\u{10ffff}',
  '\ufffd',
  'ﬁ①Ａ𝕏',
  '"\\\'%0d%0a;=?UTF-8?B?',
  '<script>alert(1)</script>',
  '$&{{x}}',
  'http://evil.example/',
  'Anna ',
  ' ',
];

/** One of them over and over: what grows without end. */
const repeated = fc
  .tuple(fc.constantFrom(...PIECES, ...HALVES), fc.integer({ min: 2, max: 120 }))
  .map(([piece, times]) => piece.repeat(times));

const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 6 }) },
  { weight: 1, arbitrary: repeated },
);

/** Text of at most so many UTF-16 units, cut anywhere: also between the halves of a character. */
export const hostileText = (units: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 12, arbitrary: part }, { weight: 1, arbitrary: fc.constantFrom(...HALVES) }), {
      maxLength: 24,
    })
    .map((parts) => parts.join('').slice(0, units));
