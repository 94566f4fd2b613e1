import { Batcher } from '../../../shared/webhooks/batcher.ts';

/** Writes that end only when the test ends them. */
function controlledWrites() {
  const started: { items: number[]; end: (error?: Error) => void }[] = [];
  const write = (items: number[]) =>
    new Promise<void>((resolve, reject) => {
      started.push({ items, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { started, write };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('the batcher writes the first item at once, and items added during a write together', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    const first = batcher.add('a', 1, write);
    await nextTurn();
    const others = [2, 3, 4].map((item) => batcher.add('a', item, write));
    await nextTurn();
    expect(started.map(({ items }) => items)).toEqual([[1]]);
    started[0]?.end();
    await first;
    await nextTurn();
    expect(started.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
    started[1]?.end();
    await Promise.all(others);
  });

  it('the batcher starts no third write while the second runs, though the first has ended', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    const all = [batcher.add('a', 1, write)];
    await nextTurn();
    all.push(batcher.add('a', 2, write));
    started[0]?.end();
    await nextTurn();
    all.push(batcher.add('a', 3, write));
    await nextTurn();
    expect(started.map(({ items }) => items)).toEqual([[1], [2]]);
    started[1]?.end();
    await nextTurn();
    started[2]?.end();
    await Promise.all(all);
  });

  it('the batcher writes the items of different keys concurrently', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    batcher.add('a', 1, write);
    batcher.add('b', 2, write);
    await nextTurn();
    expect(started.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  it('a failed batch rejects its own items only', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    const first = batcher.add('a', 1, write);
    await nextTurn();
    const second = batcher.add('a', 2, write);
    started[0]?.end(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await nextTurn();
    started[1]?.end();
    await second;
  });

  it('the batcher splits more items than fit one transaction', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    const all = Array.from({ length: 45 }, (_, item) => batcher.add('a', item, write));
    for (let batch = 0; batch < 3; batch += 1) {
      await nextTurn();
      started[batch]?.end();
    }
    await Promise.all(all);
    expect(started.map(({ items }) => items.length)).toEqual([20, 20, 5]);
  });

  it('a batch that waits takes more items while the full one before it is written', async () => {
    const { started, write } = controlledWrites();
    const batcher = new Batcher<number>();
    const all = Array.from({ length: 25 }, (_, item) => batcher.add('a', item, write));
    await nextTurn();
    all.push(batcher.add('a', 25, write));
    for (let batch = 0; batch < 2; batch += 1) {
      await nextTurn();
      started[batch]?.end();
    }
    await Promise.all(all);
    expect(started.map(({ items }) => items.length)).toEqual([20, 6]);
  });
});
