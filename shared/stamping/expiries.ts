import { DAY } from '../runtime/time.ts';
import { certificatesOfPem, readCertificate } from '../sealing/certificate.ts';
import { SealError } from '../sealing/errors.ts';
import { authoritiesOf, sealKeyOf } from './configuration.ts';

interface Expiry {
  certificate: 'seal' | 'test_seal' | 'timestamp';
  /** Null if no certificate is configured, or it cannot be read. */
  expiresAt: string | null;
  fault: string | null;
}

/** The content of the secrets as JSON; `{}` before they are configured. */
interface SealingSecrets {
  seal: string;
  testSeal: string;
  timestamp: string;
}

const earliest = (times: Date[]): string | null => times.map((time) => time.toISOString()).sort()[0] ?? null;

/** A chain expires with its first certificate. */
const ofSealKey = (secret: string): string | null =>
  secret === '{}'
    ? null
    : earliest(sealKeyOf(secret).certificateChain.map((der) => readCertificate(der).notAfter));

/**
 * The earliest expiry among the pinned roots of all timestamp authorities. Expired roots stay configured for old files, so they
 * count only if an authority has no other.
 */
const ofAuthorities = (secret: string, now: Date): string | null =>
  earliest(
    authoritiesOf(secret).flatMap(({ caPem }) => {
      const ends = certificatesOfPem(caPem).map(({ notAfter }) => notAfter);
      const ahead = ends.filter((end) => end > now);
      return ahead.length > 0 ? ahead : ends;
    }),
  );

function expiryOf(certificate: Expiry['certificate'], expiresAt: () => string | null): Expiry {
  try {
    return { certificate, expiresAt: expiresAt(), fault: null };
  } catch (error) {
    // The message of any other error may quote the secret.
    const fault =
      error instanceof SealError ? error.message : 'the secret is not as docs/sealing.md describes it';
    return { certificate, expiresAt: null, fault };
  }
}

export const certificateExpiries = ({ seal, testSeal, timestamp }: SealingSecrets, now: Date): Expiry[] => [
  expiryOf('seal', () => ofSealKey(seal)),
  expiryOf('test_seal', () => ofSealKey(testSeal)),
  expiryOf('timestamp', () => ofAuthorities(timestamp, now)),
];

/** Whole days, negative after the expiry. */
export const daysLeft = (expiresAt: string, now: Date): number =>
  Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY);
