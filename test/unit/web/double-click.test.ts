import { type Click, isSecondClick } from '../../../web/parts/double-click.ts';

const FIRST: Click = { detail: 1, timeStamp: 1_000, clientX: 100, clientY: 200 };
const then = (changes: Partial<Click>): Click => ({ ...FIRST, timeStamp: 1_200, ...changes });

describe('a click is the second one of a double click', () => {
  it.each<[string, Partial<Click>]>([
    ['if the browser counts it so', { detail: 2, timeStamp: 9_000, clientX: 900 }],
    ['if it is the third', { detail: 3 }],
    ['if it follows soon in the same place', {}],
    ['if it follows soon, a finger’s width away', { timeStamp: 1_499, clientX: 124, clientY: 231 }],
  ])('a click is the second one of a double click %s', (_, changes) => {
    expect(isSecondClick(then(changes), FIRST)).toBe(true);
  });

  it('a click is the second one of a double click if the browser counts it so, though none was seen before', () => {
    expect(isSecondClick(then({ detail: 2 }), undefined)).toBe(true);
  });
});

describe('a click stands alone', () => {
  it.each<[string, Partial<Click>]>([
    ['if it is the keyboard’s', { detail: 0 }],
    ['if it comes later', { timeStamp: 1_500 }],
    ['if it is farther to the side', { clientX: 140 }],
    ['if it is farther down', { clientY: 240 }],
    ['if it is farther aslant', { clientX: 124, clientY: 232 }],
  ])('a click stands alone %s', (_, changes) => {
    expect(isSecondClick(then(changes), FIRST)).toBe(false);
  });

  it('a click stands alone if it is the first', () => {
    expect(isSecondClick(FIRST, undefined)).toBe(false);
  });
});
