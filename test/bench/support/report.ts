import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** Replaces a section of a page in docs/, or appends it. */
export function writeSection(title: string, text: string, page = 'performance.md'): void {
  const file = join(import.meta.dirname, '../../../docs', page);
  const before = readFileSync(file, 'utf8');
  const section = `## ${title}\n\n${text.trim()}\n`;
  const [head = '', ...sections] = before.trimEnd().split(/^(?=## )/m);
  const index = sections.findIndex((each) => each.startsWith(`## ${title}\n`));
  if (index === -1) sections.push(section);
  else sections[index] = section;
  writeFileSync(file, `${[head, ...sections].map((part) => part.trimEnd()).join('\n\n')}\n`);
}

export const targetLines = (targets: [what: string, met: boolean][]): string =>
  targets.map(([what, met]) => `- ${met ? 'met' : 'MISSED'}: ${what}`).join('\n');

export const commitOf = (checkout: string): string =>
  execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();

/** The date, machine and load of a measurement. */
export function circumstances(): string {
  const [lastMinute = 0] = loadavg();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${lastMinute.toFixed(1)}`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
