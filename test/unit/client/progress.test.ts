import { jest } from '@jest/globals';
import { withProgress } from '../../../client/command/progress.ts';

const world = { client: () => Promise.reject(), isTerminal: true, note: () => undefined };
const wasTerminal = process.stderr.isTTY;
let written: string[];

beforeEach(() => {
  jest.useFakeTimers();
  process.stderr.isTTY = true;
  written = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.stderr.isTTY = wasTerminal;
  jest.useRealTimers();
});

it('work that ends within a second writes nothing to the terminal', async () => {
  expect(await withProgress('Sending', world, Promise.resolve('sent'))).toBe('sent');
  expect(written).toEqual([]);
});

it('the seconds of longer work are taken away at its end, without sequences that a simple terminal prints', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = withProgress('Sending', world, promise);
  jest.advanceTimersByTime(2_500);
  resolve();
  await work;
  expect(written).toEqual(['\rSending 1 s', '\rSending 2 s', `\r${' '.repeat(11)}\r`]);
});
