import { createHash, type Hash } from 'node:crypto';

/** An original with its hash, computed once: for the comparison before sealing, and continued for the signature. */
export class HashedOriginal {
  readonly bytes: Uint8Array;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly #hash: Hash;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#hash = createHash('sha256').update(bytes);
    this.sha256 = this.#hash.copy().digest('hex');
  }

  /** The hash after the original's last byte, to be fed with what follows. */
  continuedHash(): Hash {
    return this.#hash.copy();
  }
}
