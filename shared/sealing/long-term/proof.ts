import type { CertificateFields, Extension } from '../certificate-fields.ts';
import type { Signed } from '../der.ts';
import { SignatureFault } from '../faults.ts';

/** Shows that one certificate was not revoked. */
export interface Proof {
  kind: 'ocsp' | 'crl';
  /** DER as received. */
  der: Uint8Array;
  issuedAt: Date;
  /** The last moment at which it may be used. */
  until: Date;
}

/** A certificate with its issuers up to a root or a pinned certificate, and a proof for each but the last. */
export interface ProvedChain {
  chain: readonly CertificateFields[];
  proofs: readonly Proof[];
}

/** Asks whether a certificate was revoked at a time. */
export interface Question {
  certificate: CertificateFields;
  issuer: CertificateFields;
  at: Date;
  /** Answers issued after `at` count too, up to this time: a certificate that is good later was good before. */
  latest?: Date;
}

/** A signature that must be right for an answer to count. */
export interface SignatureBy extends Signed {
  by: CertificateFields;
  digest: string;
  /** The message if it is wrong. */
  fault: string;
}

/** The content of an answer, which counts once all its signatures are verified. */
export interface Claim {
  signatures: readonly SignatureBy[];
  standing: Pick<Proof, 'issuedAt' | 'until'> | Revoked;
}

/** Thrown when an answer proves nothing. Another one may. */
export class ProofFault extends SignatureFault {
  override name = 'ProofFault';
}

/** The reason code of a certificate that is only suspended (RFC 5280, 5.3.1). */
const ON_HOLD = 6;

/** Thrown when a valid answer says that the certificate is revoked: no other answer is asked for. */
export class Revoked extends SignatureFault {
  override name = 'Revoked';
  readonly at: Date;
  /** A suspended certificate may come back; a revoked one never does. */
  readonly suspended: boolean;

  constructor(revokedAt: Date, reason: number | undefined) {
    const suspended = reason === ON_HOLD;
    const told = `${suspended ? 'suspended' : 'revoked'} since ${revokedAt.toISOString()}`;
    super(reason === undefined ? told : `${told} (reason ${reason})`);
    this.at = revokedAt;
    this.suspended = suspended;
  }
}

/** Throws a ProofFault for a critical extension that is not known: it may change what the answer says. */
export function refuseCritical(extensions: ReadonlyMap<string, Extension>, known: readonly string[]): void {
  for (const [id, { critical }] of extensions)
    if (critical && !known.includes(id)) throw new ProofFault(`unknown critical extension ${id}`);
}

const MINUTE = 60 * 1000;
/** Clocks of responders and authorities may differ from ours by this much. */
const MAX_SKEW = 5 * MINUTE;
/** An answer that names no end is used for a day (RFC 6960, 4.2.2.1: a newer one may be there at any time). */
const UNBOUNDED_LIFE = 24 * 60 * MINUTE;

/** The window in which an answer counts; throws a ProofFault outside it. */
export function checkWindow(issuedAt: Date, nextUpdate: Date | undefined, at: Date): Date {
  const until = nextUpdate ?? new Date(issuedAt.getTime() + UNBOUNDED_LIFE);
  if (issuedAt.getTime() > at.getTime() + MAX_SKEW) throw new ProofFault('the answer is from the future');
  if (until < at) throw new ProofFault(`the answer ended at ${until.toISOString()}`);
  return until;
}

/** The time to evaluate an answer at: the question's, or the answer's own if it is later and within `latest`. */
export function judgedAt(issuedAt: Date, { certificate, at, latest }: Question): Date {
  const isLater = latest !== undefined && issuedAt > at && issuedAt.getTime() <= latest.getTime() + MAX_SKEW;
  // Responders stop answering for expired certificates.
  return isLater && issuedAt <= certificate.notAfter ? issuedAt : at;
}
