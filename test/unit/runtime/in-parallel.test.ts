import { inParallel } from '../../../shared/runtime/in-parallel.ts';

const ITEMS = [1, 2, 3, 4, 5, 6];

describe('work in parallel', () => {
  it('is done for sixteen items at a time by default', async () => {
    let active = 0;
    let most = 0;
    await inParallel(Array.from({ length: 50 }), async () => {
      active += 1;
      most = Math.max(most, active);
      await Promise.resolve();
      active -= 1;
    });
    expect(most).toBe(16);
  });

  it('is done for each item, at most as many at once as allowed', async () => {
    let [underWay, most] = [0, 0];
    const done: number[] = [];
    await inParallel(
      ITEMS,
      async (item) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        done.push(item);
      },
      2,
    );
    expect(done.sort()).toEqual(ITEMS);
    expect(most).toBe(2);
  });

  it('after an error starts no further item, and ends when those under way have', async () => {
    const [started, done]: number[][] = [[], []];
    const working = inParallel(
      ITEMS,
      async (item) => {
        started?.push(item);
        if (item === 2) throw new Error('The second failed.');
        await new Promise(setImmediate);
        done?.push(item);
      },
      3,
    );
    await expect(working).rejects.toThrow('The second failed.');
    expect(started).toEqual([1, 2, 3]);
    expect(done).toEqual([1, 3]);
  });
});
