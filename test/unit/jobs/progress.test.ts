import { jest } from '@jest/globals';
import { countRequests } from '../../../admin/counts.ts';
import { Progress } from '../../../admin/progress.ts';
import { SECOND } from '../../../shared/runtime/time.ts';
import type { Table } from '../../../shared/store/table.ts';

/** Output of a bar on a stderr that is, or is not, a terminal. */
function drawn(isTTY: boolean, seconds: number): string[] {
  const was = process.stderr.isTTY;
  process.stderr.isTTY = isTTY;
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.useFakeTimers({ now: 0 });
  const progress = new Progress('Working', 100);
  for (let step = 1; step <= 100; step += 1) {
    jest.setSystemTime(step * seconds * 10);
    progress.add();
  }
  progress[Symbol.dispose]();
  jest.useRealTimers();
  const lines = write.mock.calls.map(([text]) => String(text));
  write.mockRestore();
  process.stderr.isTTY = was;
  return lines;
}

describe('the bar of long work', () => {
  it('is drawn over itself on a terminal, up to the end', () => {
    const lines = drawn(true, 10);
    expect(lines.length).toBeGreaterThan(50);
    expect(lines[0]).toMatch(/^\rWorking \[=* *\] \d+ of 100$/);
    expect(lines.at(-2)).toBe(`\rWorking [${'='.repeat(30)}] 100 of 100`);
    expect(lines.at(-1)).toBe('\n');
  });

  it('is a line now and then where nobody watches', () => {
    const lines = drawn(false, 60);
    expect(lines.length).toBeLessThan(10);
    expect(lines.at(-1)).toBe(`Working [${'='.repeat(30)}] 100 of 100\n`);
  });

  it('has no line twice, even if the last step came when one was due', () => {
    const lines = drawn(false, 100);
    expect(lines.at(-1)).toBe(`Working [${'='.repeat(30)}] 100 of 100\n`);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('is not shown for what takes no time', () => {
    expect(drawn(true, 0.3)).toEqual([]);
  });
});

it('work that fails ends the bar, so that its error stands on a line of its own', async () => {
  const was = process.stderr.isTTY;
  process.stderr.isTTY = true;
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.useFakeTimers({ now: 0 });
  let reads = 0;
  const table = {
    query: async () => {
      jest.advanceTimersByTime(SECOND);
      reads += 1;
      if (reads > 36) throw new Error('Access denied.');
      return { items: [], next: undefined };
    },
  } as unknown as Table;
  const owners = Array.from({ length: 20 }, (_, place) => ({ id: `${place}` }));
  await expect(countRequests(table, owners)).rejects.toThrow('Access denied.');
  jest.useRealTimers();
  const lines = write.mock.calls.map(([text]) => String(text));
  write.mockRestore();
  process.stderr.isTTY = was;
  expect(lines[0]).toMatch(/^\rCounting requests by owner/);
  expect(lines.at(-1)).toBe('\n');
});
