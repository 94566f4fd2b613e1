import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

const PERFORMANCE = join(import.meta.dirname, '../../../docs/performance.md');

/** Puts a section into docs/performance.md in the place of the old one, whatever else stands there. */
export function writeSection(title: string, text: string): void {
  const before = existsSync(PERFORMANCE) ? readFileSync(PERFORMANCE, 'utf8') : '# Performance\n';
  const section = `## ${title}\n\n${text.trim()}\n`;
  const [head = '', ...sections] = before.trimEnd().split(/^(?=## )/m);
  const place = sections.findIndex((each) => each.startsWith(`## ${title}\n`));
  if (place === -1) sections.push(section);
  else sections[place] = section;
  writeFileSync(PERFORMANCE, `${[head, ...sections].map((part) => part.trimEnd()).join('\n\n')}\n`);
}

export type Cell = string | number;

export function markdownTable(head: string[], rows: Cell[][]): string {
  const line = (cells: Cell[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export const targetLines = (targets: [what: string, met: boolean][]): string =>
  targets.map(([what, met]) => `- ${met ? 'met' : 'MISSED'}: ${what}`).join('\n');

/** Where and when the numbers come from, and how much else the machine had to do. */
export function circumstances(): string {
  const [lastMinute = 0] = loadavg();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${lastMinute.toFixed(1)}`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
