import { contrast, parseColour } from '../../../shared/runtime/contrast.ts';

describe('the contrast of two colours', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#000000', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#00ff00', '#ffffff', 1.37],
    ['#0000ff', '#ffffff', 8.59],
    ['#050505', '#0a0a0a', 1.03],
  ])('of %s and %s is that of WCAG', (one, other, expected) => {
    const [a, b] = [parseColour(one), parseColour(other)];
    if (!a || !b) throw new Error('A colour is not read.');
    expect(contrast(a, b)).toBeCloseTo(expected, 2);
  });
});

describe('a colour', () => {
  it('is six digits of either case', () => {
    expect(parseColour('#0b5A53')).toEqual([0x0b, 0x5a, 0x53]);
  });

  it.each(['', '0b5a53', '#fff', '#0b5a5', '#0b5a533', 'a#0b5a53', '#0g5a53', '#0b5g53', '#0b5a5g', 'red'])(
    '%j is none',
    (text) => expect(parseColour(text)).toBeUndefined(),
  );
});
