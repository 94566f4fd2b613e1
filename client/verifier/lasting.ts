import type { Prover } from './proofs.ts';
import type { Lasting } from './report.ts';
import type { Proved, Stamp } from './signer.ts';

/** A verified timestamp, with the end of the bytes that it covers. */
export interface Stamped {
  /** Index of the signature in the report. */
  index: number;
  stamp: Stamp;
  end: number;
}

/** An intact signature with its timestamp. */
export interface SignedAndStamped extends Stamped {
  signer: Proved;
}

interface Basis extends Lasting {
  /** Indexes of the document timestamps that prove the level, oldest first. */
  renewals: number[];
}

/**
 * The level that a file proves for a signature, and until when. Each document timestamp must be made while the certificate of the
 * previous one was valid, cover the proofs for everything before it, and be proved itself.
 */
export async function lastingOf(
  signed: SignedAndStamped,
  documentStamps: readonly Stamped[],
  prover: Prover,
  { now, size }: { now: Date; size: number },
): Promise<Basis> {
  const isProvedWith = async ({ stamp }: Stamped, latest: Date, end: number) =>
    prover.proves(stamp, { at: stamp.time, latest, end });
  const isSealProvedWith = async (latest: Date, end: number) =>
    (await prover.proves(signed.signer, { at: signed.stamp.time, latest, end })) &&
    isProvedWith(signed, latest, end);

  let newest: Stamped = signed;
  const renewals: number[] = [];
  for (const next of documentStamps.filter(({ end }) => end > signed.end)) {
    const { time } = next.stamp;
    if (time < newest.stamp.time || time > newest.stamp.certificate.notAfter) continue;
    const covers =
      newest === signed ? await isSealProvedWith(time, next.end) : await isProvedWith(newest, time, next.end);
    if (!covers || !(await isProvedWith(next, now, size))) continue;
    newest = next;
    renewals.push(next.index);
  }
  const until = newest.stamp.certificate.notAfter.toISOString();
  if (newest !== signed) return { level: 'B-LTA', until, renewals };
  return { level: (await isSealProvedWith(now, size)) ? 'B-LT' : 'B-T', until, renewals };
}
