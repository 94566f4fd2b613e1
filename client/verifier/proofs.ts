import { type CertificateFields, isValidAt, mayExtend } from '../../shared/sealing/certificate-fields.ts';
import { sameBytes } from '../../shared/sealing/der.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { claimOfList } from '../../shared/sealing/long-term/list-claim.ts';
import {
  claimOfOcsp,
  type Named,
  type Naming,
  namedParts,
  type OcspAnswer,
} from '../../shared/sealing/long-term/ocsp-claim.ts';
import {
  type Claim,
  type Question,
  Revoked,
  type SignatureBy,
} from '../../shared/sealing/long-term/proof.ts';
import { type Expected, isIssuedBy } from './certificates.ts';
import type { Checks } from './checks.ts';
import type { SecurityStore } from './security-store.ts';
import type { Proved } from './signer.ts';
import { digestOf, isSignedBy, sha256Hex } from './web-crypto.ts';

export interface Span {
  /** The time at which the chain must have been valid. */
  at: Date;
  /** The latest time of a proof. */
  latest: Date;
  /** Only proofs that end before this offset count. */
  end: number;
}

const MAX_CHAIN = 6;
/** Searching a response for a certificate takes several times as long as hashing it. */
const SEARCHED_BYTES_PER_CHECK = 5_000;

/**
 * Proves, from the data in a file, that no certificate of a chain up to a root or a trusted certificate was revoked. Proves
 * nothing once that takes too many steps.
 */
export class Prover {
  /** Certificates that were revoked by the time at which their chain had to be valid. */
  readonly revoked = new Set<CertificateFields>();
  readonly #store: SecurityStore;
  readonly #expected: Expected;
  readonly #names = new Map<CertificateFields, Readonly<Record<'sha1' | 'sha256', Named>>>();
  readonly #checks: Checks;

  constructor(store: SecurityStore, expected: Expected, checks: Checks) {
    this.#store = store;
    this.#expected = expected;
    this.#checks = checks;
  }

  async proves({ certificate, others }: Proved, span: Span): Promise<boolean> {
    const kept = this.#store.certificates.filter(({ end }) => end <= span.end).map(({ item }) => item);
    const pool = [...others, ...kept, ...this.#expected.certificates];
    return (await this.#reachesRoot([certificate], pool, span)) && this.#checks.maySpend(0);
  }

  async #reachesRoot(
    chain: readonly CertificateFields[],
    pool: readonly CertificateFields[],
    span: Span,
  ): Promise<boolean> {
    const last = chain.at(-1);
    if (last === undefined || chain.length > MAX_CHAIN || !isValidAt(last, span.at)) return false;
    if (await this.#isRoot(last, chain.length === 1)) return true;
    for (const issuer of pool) {
      if (chain.some(({ der }) => sameBytes(der, issuer.der))) continue;
      const isProved =
        mayExtend(chain, issuer) &&
        (await this.#isIssuedBy(last, issuer)) &&
        (await this.#isProved({ certificate: last, issuer, ...span }, span.end));
      if (isProved && (await this.#reachesRoot([...chain, issuer], pool, span))) return true;
    }
    return false;
  }

  /** The first certificate is often trusted as the sealer's or authority's own, which proves nothing about revocation. */
  async #isRoot(certificate: CertificateFields, isFirst: boolean): Promise<boolean> {
    const { fingerprints } = this.#expected;
    if (!isFirst && fingerprints.has(await sha256Hex(certificate.der))) return true;
    return this.#isIssuedBy(certificate, certificate);
  }

  async #isIssuedBy(certificate: CertificateFields, issuer: CertificateFields): Promise<boolean> {
    return (
      sameBytes(certificate.issuer, issuer.subject) &&
      this.#checks.may(certificate.signed) &&
      (await isIssuedBy(certificate, issuer))
    );
  }

  /** True if a proof says that the certificate is good, and none that it is revoked. */
  async #isProved(question: Question, end: number): Promise<boolean> {
    let isGood = false;
    for (const claim of await this.#claims(question, end)) {
      if (!(await this.#areRight(claim.signatures))) continue;
      if (claim.standing instanceof Revoked) {
        const { at, suspended } = claim.standing;
        if (!suspended && at <= question.at) this.revoked.add(question.certificate);
        return false;
      }
      isGood = true;
    }
    return isGood;
  }

  async #claims(question: Question, end: number): Promise<Claim[]> {
    const { answers, lists } = this.#store;
    const naming: Naming = (hash, certificate) => this.#names.get(certificate)?.[hash] ?? NAMELESS;
    const claims: (Claim | undefined)[] = [];
    for (const { item } of answers.filter((answer) => answer.end <= end)) {
      if (!this.#checks.maySpend(item.data.raw.length / SEARCHED_BYTES_PER_CHECK)) break;
      await this.#learnNames(question.issuer, item);
      claims.push(attempt(() => claimOfOcsp(item, question, naming)));
    }
    for (const { item } of lists.filter((list) => list.end <= end)) {
      // Searching a long list for a certificate takes as long as hashing it.
      const isByIssuer = sameBytes(item.issuer, question.issuer.subject) && this.#checks.may(item.signed);
      if (isByIssuer) claims.push(attempt(() => claimOfList(item, question)));
    }
    return claims.filter((claim) => claim !== undefined);
  }

  async #learnNames(issuer: CertificateFields, { certificates }: OcspAnswer): Promise<void> {
    for (const each of [issuer, ...certificates]) {
      if (this.#names.has(each)) continue;
      const { name, key } = namedParts(each);
      const hashed = async (hash: string) => ({
        name: await digestOf(hash, name),
        key: await digestOf(hash, key),
      });
      this.#names.set(each, { sha1: await hashed('sha1'), sha256: await hashed('sha256') });
    }
  }

  async #areRight(signatures: readonly SignatureBy[]): Promise<boolean> {
    for (const { by, signatureAlgorithm, digest, signed, signature } of signatures) {
      if (!this.#checks.may(signed)) return false;
      if (!(await isSignedBy(by, signatureAlgorithm, digest, signed, signature))) return false;
    }
    return true;
  }
}

const NAMELESS: Named = { name: new Uint8Array(), key: new Uint8Array() };
