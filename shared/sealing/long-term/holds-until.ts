import type { Certificate } from '../certificate.ts';
import { planSeal } from '../plan.ts';
import { isTimestamp, readContents } from '../signature-contents.ts';
import { certificatesOfToken } from '../timestamp-token.ts';

/** The certificates of the newest document timestamp, its own first; none in a file below B-LTA. Verifies nothing. */
export function certificatesOfLastTimestamp(bytes: Uint8Array): Certificate[] {
  const last = planSeal(bytes)
    .form.signatures.map(({ value }) => value)
    .filter(isTimestamp)
    .sort((one, other) => one.from - other.from)
    .at(-1);
  return last === undefined ? [] : certificatesOfToken(readContents(bytes, last).cms);
}

/** Until when a file at B-LTA can be verified by itself: the end of its newest document timestamp's certificate, ISO 8601. */
export const holdsUntil = (bytes: Uint8Array): string | undefined =>
  certificatesOfLastTimestamp(bytes)[0]?.notAfter.toISOString();

/** The earliest of the given ends. */
export const firstEnd = (...ends: readonly (string | undefined)[]): string | null =>
  ends.filter((end) => end !== undefined).sort()[0] ?? null;
