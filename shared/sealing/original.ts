import { createHash, type Hash } from 'node:crypto';

/** A file with its hash, computed once and continued for what is appended. */
export class HashedOriginal<Bytes extends Uint8Array = Uint8Array> {
  readonly bytes: Bytes;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly #hash: Hash;

  /** `hash`: a hash already updated with these bytes, if there is one. */
  constructor(bytes: Bytes, hash: Hash = createHash('sha256').update(bytes)) {
    this.bytes = bytes;
    this.#hash = hash;
    this.sha256 = hash.copy().digest('hex');
  }

  /** A copy of the hash of these bytes, to be updated with what follows. */
  continuedHash(): Hash {
    return this.#hash.copy();
  }
}
