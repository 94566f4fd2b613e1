import { type Certificate, oneLine } from './certificate.ts';
import { algorithmOf } from './keys/algorithm.ts';
import type { Lasting, SealLevel } from './level.ts';
import type { Timestamp } from './timestamp.ts';

/** The facts of a seal, as it is made and as it is verified. */
export interface SealFacts {
  /** Lower-case hexadecimal SHA-256 of the whole file. */
  sha256: string;
  /** The authority's time, ISO 8601. */
  sealedAt: string;
  /** 0 if the document already carried signatures. */
  pagesAdded: number;
  technical: ReturnType<typeof sealTechnical>;
  lasting: Lasting;
}

const ALGORITHM_NAMES = {
  rsa: 'RSA with SHA-256',
  'ecdsa-p256': 'ECDSA P-256 with SHA-256',
  'ecdsa-p384': 'ECDSA P-384 with SHA-384',
} as const;

/** The details of a seal that the audit trail prints. Times are ISO 8601. */
export function sealTechnical(
  { x509, notBefore, notAfter }: Certificate,
  timestamp: Omit<Timestamp, 'token' | 'chain'>,
  level: SealLevel,
) {
  return {
    subject: oneLine(x509.subject),
    issuer: oneLine(x509.issuer),
    serial: x509.serialNumber,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    algorithm: ALGORITHM_NAMES[algorithmOf(x509.publicKey)],
    timestampAuthority: timestamp.authority,
    timestampTime: timestamp.time.toISOString(),
    timestampSerial: timestamp.serial,
    timestampPolicy: timestamp.policy,
    ...(level !== 'B-T' && { level }),
  };
}
