import * as z from 'zod';
import { string } from '../runtime/schemas.ts';
import { epochSeconds } from '../runtime/time.ts';
import { parseIfWhole } from './items.ts';
import { PROOFS_PARTITION, proofsKey } from './keys.ts';
import { holds, type Table, tryWrite } from './table.ts';

/**
 * Verified proofs that a certificate and its issuers were not revoked, kept for the next seals. They are public data:
 * anyone may ask for them. What is read is verified again before it is used.
 */

const base64 = z.base64();
const keptProofs = z.object({
  /** SHA-256 of the certificate, hexadecimal. */
  certificateSha256: string,
  /** The certificate and its issuers. */
  chain: z.array(base64),
  answers: z.array(z.object({ kind: z.enum(['ocsp', 'crl']), der: base64 })),
  gatheredAt: string,
  /** The first end among the answers. */
  until: string,
  /** The end of the certificate itself. */
  certificateEnds: string,
  /** Attempts to renew that failed since. */
  failures: z.number().default(0),
  nextAttemptAt: string,
});
export type KeptProofs = z.output<typeof keptProofs>;

/** A certificate in use at a time: live and test seal, a few authorities, and the ones before them. */
const MOST = 50;

export async function findProofs(table: Table, certificateSha256: string): Promise<KeptProofs | undefined> {
  const [found] = parseIfWhole(keptProofs, await table.get(proofsKey(certificateSha256)));
  return found;
}

export async function allProofs(table: Table): Promise<KeptProofs[]> {
  const items = await table.queryUpTo(MOST, { pk: PROOFS_PARTITION });
  return items.flatMap((item) => parseIfWhole(keptProofs, item));
}

/** The table drops them after the end of the certificate. */
const itemOf = (proofs: KeptProofs) => ({
  ...proofsKey(proofs.certificateSha256),
  ...proofs,
  ttl: epochSeconds(proofs.certificateEnds),
});

/** The last writer stays: whatever was verified is as good. */
export const keepProofs = (table: Table, proofs: KeptProofs): Promise<void> => table.put(itemOf(proofs));

/** Notes what became of an attempt to renew proofs, unless others were kept meanwhile. */
export async function noteAttempt(table: Table, proofs: KeptProofs): Promise<void> {
  await tryWrite(table.put(itemOf(proofs), holds({ gatheredAt: proofs.gatheredAt })));
}
