import { jest } from '@jest/globals';

/** Collects the log lines of a test; `jest.restoreAllMocks()` ends it. */
export function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(JSON.parse(String(chunk)));
    return true;
  });
  return lines;
}
