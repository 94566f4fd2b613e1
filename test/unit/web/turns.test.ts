import { Turns } from '../../../web/parts/turns.ts';

/** Work that ends when the test says so. */
function held() {
  const work = { hasBegun: false, end: () => {}, fail: () => {} };
  const ending = new Promise<void>((resolve, reject) => {
    work.end = resolve;
    work.fail = () => reject(new Error('It failed.'));
  });
  const run = () => {
    work.hasBegun = true;
    return ending;
  };
  return { work, run };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

it('background work begins when no urgent work runs any more, also such as has begun meanwhile', async () => {
  const turns = new Turns();
  const [first, second, background] = [held(), held(), held()];
  const failing = turns.now(first.run);
  turns.later(background.run);
  void turns.now(second.run);
  expect([first.work.hasBegun, second.work.hasBegun]).toEqual([true, true]);
  first.work.fail();
  await expect(failing).rejects.toThrow('It failed.');
  await settled();
  expect(background.work.hasBegun).toBe(false);
  second.work.end();
  await settled();
  expect(background.work.hasBegun).toBe(true);
});

it('background work runs one after the other, also after such as fails', async () => {
  const turns = new Turns();
  const [first, second] = [held(), held()];
  turns.later(first.run);
  turns.later(second.run);
  await settled();
  expect([first.work.hasBegun, second.work.hasBegun]).toEqual([true, false]);
  first.work.fail();
  await settled();
  expect(second.work.hasBegun).toBe(true);
});
