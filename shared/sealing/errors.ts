import { PdfRefusal } from './pdf/refusal.ts';

export type SealFault =
  | 'original_unsealable'
  | 'original_changed'
  | 'drawing_changed'
  | 'foreign_seal'
  | 'trail_changed'
  | 'key_unreadable'
  | 'key_mismatch'
  | 'key_unsuitable'
  | 'key_unavailable'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_key_usage'
  | 'certificate_chain'
  | 'certificate_revoked'
  | 'revocation_unavailable'
  | 'seal_too_large'
  | 'timestamp_unavailable';

/** Faults that may pass by themselves. */
const PASSING: ReadonlySet<SealFault> = new Set([
  'key_unavailable',
  'revocation_unavailable',
  'timestamp_unavailable',
]);

/** Sealing failed. `permanent`: a retry fails too until somebody acts. */
export class SealError extends Error {
  override name = 'SealError';
  readonly code: SealFault;
  readonly permanent: boolean;
  /** The message without the code; holds no secret. */
  readonly told: string;

  constructor(
    code: SealFault,
    message: string,
    { permanent = !PASSING.has(code), ...options }: ErrorOptions & { permanent?: boolean } = {},
  ) {
    super(`${code}: ${message}`, options);
    this.code = code;
    this.told = message;
    this.permanent = permanent;
  }
}

/** Turns the refusal of a PDF into a permanent SealError. */
export function orUnsealable<T>(change: () => T): T {
  try {
    return change();
  } catch (cause) {
    if (!(cause instanceof PdfRefusal)) throw cause;
    throw new SealError('original_unsealable', cause.message, { cause });
  }
}

/** No authority gave a token that passes every check; holds one fault for each authority. */
export class TimestampUnavailable extends SealError {
  override name = 'TimestampUnavailable';
  readonly attempts: readonly { authority: string; fault: string }[];

  constructor(attempts: readonly { authority: string; fault: string }[]) {
    const told = attempts.map(({ authority, fault }) => `${authority}: ${fault}`).join('; ');
    super('timestamp_unavailable', told || 'no authority is configured');
    this.attempts = attempts;
  }
}
