import type { EvidenceReport, Report } from '../../client/verifier/report.ts';

/** Input of the check. The files are read in the worker, so that the page stays responsive. */
export interface Question {
  document: File;
  evidence: File | null;
  /** As pasted: fingerprints, certificates, or both. */
  trusted: string;
}

export interface Answer {
  document: Report;
  evidence: EvidenceReport | null;
  /** The pasted text has neither a fingerprint nor a certificate. */
  trustIsUnread: boolean;
}

export type FileFault = 'unreadable' | 'too_large';

export type Outcome = Answer | FileFault;

/** All known files take far less; a safety net. */
const MOST_MS = 60_000;

/** Checks in a new worker, which is terminated afterwards. Rejects if that takes too long or is aborted. */
export const checkInWorker = (question: Question, signal: AbortSignal): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.terminate();
      settle();
    };
    const fail = () => end(() => reject(new Error('The check did not come to an end.')));
    const timer = setTimeout(fail, MOST_MS);
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => end(() => resolve(data));
    worker.onerror = fail;
    signal.addEventListener('abort', fail);
    worker.postMessage(question);
  });
