import { Kept } from '../../../shared/sealing/pdf/kept.ts';

describe('the cache of read objects', () => {
  it('the cache keeps items with their weight, up to the limit', () => {
    const kept = new Kept<string>(10);
    expect(kept.keep(1, 'one', 4)).toBe('one');
    expect(kept.keep(2, 'two', 6)).toBe('two');
    expect(kept.get(1)).toEqual({ item: 'one', weight: 4 });
    expect(kept.get(2)).toEqual({ item: 'two', weight: 6 });
    expect(kept.get(3)).toBeUndefined();
  });

  it('the cache drops everything but the newest item once it passes the limit', () => {
    const kept = new Kept<string>(10);
    kept.keep(1, 'one', 4);
    kept.keep(2, 'two', 7);
    expect(kept.get(1)).toBeUndefined();
    expect(kept.get(2)).toEqual({ item: 'two', weight: 7 });
    // From now on only the newest counts against the limit.
    kept.keep(3, 'three', 3);
    expect([kept.get(2)?.item, kept.get(3)?.item]).toEqual(['two', 'three']);
    kept.keep(4, 'four', 1);
    expect([2, 3, 4].map((num) => kept.get(num)?.item)).toEqual([undefined, undefined, 'four']);
  });

  it('the cache keeps a single item that is larger than the limit', () => {
    const kept = new Kept<string>(10);
    expect(kept.keep(1, 'huge', 99)).toBe('huge');
    expect(kept.get(1)?.item).toBe('huge');
  });
});
