import { readFileSync } from 'node:fs';
import { inspectPdf } from '../../shared/sealing/intake.ts';

/** Reads PDFs as intake does, in a process of its own, whose memory is that of reading alone. */

export interface Reading {
  answer: string;
  /** Processor time. */
  milliseconds: number;
  /** The largest that this process ever was. */
  peakBytes: number;
}

process.on('message', (file: string) => {
  // No file pays for the garbage of the one before.
  globalThis.gc?.();
  const pdf = readFileSync(file);
  const before = process.cpuUsage();
  const inspection = inspectPdf(pdf);
  const { user, system } = process.cpuUsage(before);
  const reading: Reading = {
    answer: inspection.ok ? 'ok' : inspection.code,
    milliseconds: Math.round((user + system) / 1_000),
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
  process.send?.(reading);
});
