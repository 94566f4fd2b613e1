import { idleEnvironmentsFor, workersFor } from '../../support/workers.ts';

const GIB = 2 ** 30;

it.each([
  ['two processors with plenty of memory', 2, 24, 2],
  ['two processors with what is left of 4 GB', 2, 3.8, 2],
  ['eight processors with 8 GB', 8, 7.7, 4],
  ['one processor with little memory', 1, 1, 1],
])('%s get as many workers as fit', (_machine, processors, gigabytes, workers) => {
  expect(workersFor(processors, gigabytes * GIB)).toBe(workers);
});

it('a worker with little memory keeps half as many functions warm', () => {
  expect(idleEnvironmentsFor(3 * GIB)).toBe(48);
  expect(idleEnvironmentsFor(3 * GIB - 1)).toBe(24);
});
