import { PassThrough } from 'node:stream';
import { jest } from '@jest/globals';
import { Progress } from '../../../local/progress.ts';

function progressOn(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const written = () => String(stream.read() ?? '');
  return { progress: new Progress(stream as unknown as NodeJS.WriteStream), written };
}

describe('the progress of the start', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('a terminal shows one line with the current step and its seconds', () => {
    const { progress, written } = progressOn(true);
    progress.step('Building');
    expect(written()).toBe('\r\x1b[2KBuilding … 0 s');
    jest.advanceTimersByTime(3_000);
    expect(written()).toMatch(/Building … 3 s$/);
    progress.step('Synthesizing');
    expect(written()).toBe('\r\x1b[2KSynthesizing … 0 s');
    progress.end();
    expect(written()).toBe('\r\x1b[2K');
    jest.advanceTimersByTime(3_000);
    expect(written()).toBe('');
  });

  it('a pipe gets one line for each step and no control characters', () => {
    const { progress, written } = progressOn(false);
    progress.step('Building');
    progress.clear();
    progress.step('Synthesizing');
    jest.advanceTimersByTime(5_000);
    progress.end();
    expect(written()).toBe('Building\nSynthesizing\n');
  });
});
