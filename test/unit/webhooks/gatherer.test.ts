import { Gatherer } from '../../../shared/webhooks/gatherer.ts';

/** A write that ends when the test says so. */
function heldWrites() {
  const started: { items: number[]; end: (error?: Error) => void }[] = [];
  const write = (items: number[]) =>
    new Promise<void>((resolve, reject) => {
      started.push({ items, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { started, write };
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('what is gathered', () => {
  it('goes at once when nothing is under way, and together when it came meanwhile', async () => {
    const { started, write } = heldWrites();
    const gatherer = new Gatherer<number>();
    const first = gatherer.add('a', 1, write);
    await soon();
    const others = [2, 3, 4].map((item) => gatherer.add('a', item, write));
    await soon();
    expect(started.map(({ items }) => items)).toEqual([[1]]);
    started[0]?.end();
    await first;
    await soon();
    expect(started.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
    started[1]?.end();
    await Promise.all(others);
  });

  it('does not wait for another key', async () => {
    const { started, write } = heldWrites();
    const gatherer = new Gatherer<number>();
    gatherer.add('a', 1, write);
    gatherer.add('b', 2, write);
    await soon();
    expect(started.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  it('fails with its batch alone', async () => {
    const { started, write } = heldWrites();
    const gatherer = new Gatherer<number>();
    const first = gatherer.add('a', 1, write);
    await soon();
    const second = gatherer.add('a', 2, write);
    started[0]?.end(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await soon();
    started[1]?.end();
    await second;
  });

  it('is split where it is more than a transaction takes', async () => {
    const { started, write } = heldWrites();
    const gatherer = new Gatherer<number>();
    const all = Array.from({ length: 45 }, (_, item) => gatherer.add('a', item, write));
    for (let batch = 0; batch < 3; batch += 1) {
      await soon();
      started[batch]?.end();
    }
    await Promise.all(all);
    expect(started.map(({ items }) => items.length)).toEqual([20, 20, 5]);
  });
});
