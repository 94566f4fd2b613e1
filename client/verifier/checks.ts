import { tooComplex } from '../../shared/sealing/pdf/refusal.ts';

const MAX_CHECKS = 2_000;
const BYTES_PER_CHECK = 20_000;

/** Limits the verified signatures of certificates and proofs per file: with a hostile key, each takes milliseconds. */
export class Checks {
  #left = MAX_CHECKS;

  /** Counts one check, plus more for long data. False once there were too many. */
  may({ length }: Uint8Array): boolean {
    return this.maySpend(1 + length / BYTES_PER_CHECK);
  }

  maySpend(cost: number): boolean {
    this.#left -= cost;
    return this.#left >= 0;
  }

  /** Counts one check. Throws a PdfRefusal once there were too many. */
  require(signed: Uint8Array): void {
    if (!this.may(signed)) throw tooComplex('its certificates take too many checks');
  }
}
