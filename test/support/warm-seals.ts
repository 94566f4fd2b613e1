import { HashedOriginal } from '../../shared/sealing/original.ts';
import { type Seal, seal } from '../../shared/sealing/seal.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { keptProver } from '../../shared/stamping/kept-proofs.ts';
import { MemoryDynamo } from './memory-dynamo.ts';
import { Pki, plainRetrieve } from './pki/pki.ts';
import { fetchOf, makeTestAuthority } from './timestamp-authority.ts';

export const LEVELS = ['B-T', 'B-LT', 'B-LTA'] as const;
export type Level = (typeof LEVELS)[number];

/** Seals at each level as a function does whose proofs are warm, and counts what it asks of others. */
export class WarmSeals {
  readonly #pki: Pki;
  readonly #sealAt: (original: Uint8Array, level: Level) => Promise<Seal>;
  timestamps = 0;
  /** Spent in the authority. */
  authorityMs = 0;

  private constructor(pki: Pki, now: Date) {
    this.#pki = pki;
    const clock = () => now;
    const tsa = makeTestAuthority({ now, ca: pki.root, signer: pki.authority });
    const ask = fetchOf(tsa);
    const timestamp = timestamper([tsa.authority], {
      now: clock,
      fetch: async (url, init) => {
        this.timestamps += 1;
        const startedAt = performance.now();
        const answer = await ask(url, init);
        this.authorityMs += performance.now() - startedAt;
        return answer;
      },
    });
    const prove = keptProver({ table: new MemoryDynamo().table, retrieve: plainRetrieve, now: clock });
    this.#sealAt = (original, level) =>
      seal({
        original: new HashedOriginal(original),
        key: pki.sealKey,
        timestamp,
        now,
        longTerm: level === 'B-T' ? undefined : { level, prove },
      });
  }

  static async open(now: Date, original: Uint8Array): Promise<WarmSeals> {
    const seals = new WarmSeals(await Pki.open(now), now);
    await seals.seal(original, 'B-LTA');
    return seals;
  }

  close = (): Promise<void> => this.#pki.close();

  seal = (original: Uint8Array, level: Level): Promise<Seal> => this.#sealAt(original, level);

  /** Requests to responders, lists and issuers so far. */
  get requests(): number {
    return this.#pki.requests;
  }
}
