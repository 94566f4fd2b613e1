import { DAY } from '../runtime/time.ts';
import { certificatesOfPem, readCertificate } from './certificate.ts';
import { authoritiesOf, sealKeyOf } from './configuration.ts';
import { SealError } from './errors.ts';

/** Until when the certificates are good that seals are made with. */

export interface Expiry {
  certificate: 'seal' | 'test_seal' | 'timestamp';
  /** Null where none is configured, or what is cannot be read. */
  expiresAt: string | null;
  fault: string | null;
}

/** What Secrets Manager holds, as text; `{}` before it is filled. */
export interface SealingSecrets {
  seal: string;
  testSeal: string;
  timestamp: string;
}

const earliest = (times: Date[]): string | null =>
  times
    .map((time) => time.toISOString())
    .sort()
    .at(0) ?? null;

/** A chain is good for as long as all of it is. */
const ofSealKey = (secret: string): string | null =>
  secret === '{}'
    ? null
    : earliest(sealKeyOf(secret).certificateChain.map((der) => readCertificate(der).notAfter));

/** The roots that timestamps are checked against. Of several authorities the first that ends is named. */
const ofAuthorities = (secret: string): string | null =>
  earliest(
    authoritiesOf(secret).flatMap(({ caPem }) => certificatesOfPem(caPem).map(({ notAfter }) => notAfter)),
  );

function look(certificate: Expiry['certificate'], end: () => string | null): Expiry {
  try {
    return { certificate, expiresAt: end(), fault: null };
  } catch (error) {
    // Another error may quote the secret.
    const fault =
      error instanceof SealError ? error.message : 'the secret is not as docs/sealing.md describes it';
    return { certificate, expiresAt: null, fault };
  }
}

export const certificateExpiries = ({ seal, testSeal, timestamp }: SealingSecrets): Expiry[] => [
  look('seal', () => ofSealKey(seal)),
  look('test_seal', () => ofSealKey(testSeal)),
  look('timestamp', () => ofAuthorities(timestamp)),
];

/** Whole days; below zero once it is over. */
export const daysLeft = (expiresAt: string, now: Date): number =>
  Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY);
