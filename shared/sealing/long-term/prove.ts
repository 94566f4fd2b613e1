import { randomBytes } from 'node:crypto';
import { type Certificate, oneLine, readCertificate } from '../certificate.ts';
import type { CertificateFields } from '../certificate-fields.ts';
import { SealError } from '../errors.ts';
import { SignatureFault } from '../faults.ts';
import { addressesOf } from './addresses.ts';
import { ocspRequest, verifyOcsp, verifyRevocationList } from './answers.ts';
import { buildChain, chainOf, type Known } from './chain.ts';
import { type Proof, ProofFault, type ProvedChain, type Question, Revoked } from './proof.ts';
import { faultOf, RetrievalFault, type Retrieve } from './retrieve.ts';

/** Proves a chain, from data that is kept or from the network. Throws a SealError. */
export type Prove = (known: Known) => Promise<ProvedChain>;

/** Asks the addresses that the certificates name. Throws a SealError if a certificate is revoked or cannot be proved. */
export const prover =
  (retrieve: Retrieve, now: () => Date, timeMs = MAX_TIME_MS): Prove =>
  async (known) => {
    const at = now();
    const timely = withinTime(retrieve, timeMs);
    const chain = await buildChain(known, at, timely).catch((error) => {
      throw sealErrorOf(error, known.certificates[0]);
    });
    const ask = (question: Question) =>
      proofOf(question, timely).catch((error) => {
        throw sealErrorOf(error, question.certificate);
      });
    return { chain, proofs: await Promise.all(questionsOf(chain, at).map(ask)) };
  };

/** For a whole chain. A function has less than two minutes, and each address may take ten seconds. */
const MAX_TIME_MS = 40_000;

/** Refuses further calls once the time is over. */
function withinTime(retrieve: Retrieve, timeMs: number): Retrieve {
  const end = performance.now() + timeMs;
  return async (url, post) => {
    if (performance.now() >= end) throw new RetrievalFault('not asked, since the others took too long');
    return retrieve(url, post);
  };
}

const questionsOf = (chain: readonly Certificate[], at: Date): Question[] =>
  chain.slice(1).flatMap((issuer, index) => {
    const certificate = chain[index];
    return certificate ? [{ certificate, issuer, at }] : [];
  });

function sealErrorOf(error: unknown, certificate: CertificateFields | undefined): unknown {
  if (!(error instanceof SignatureFault)) return error;
  const subject = certificate ? oneLine(readCertificate(certificate.der).x509.subject) : 'no certificate';
  const isRevoked = error instanceof Revoked && !error.suspended;
  const code = isRevoked ? 'certificate_revoked' : 'revocation_unavailable';
  return new SealError(code, `${subject}: ${error.message}`, { cause: error });
}

/** Asks responders first, whose answers are small and fresh, then lists. Stops at the first that says revoked. */
async function proofOf(question: Question, retrieve: Retrieve): Promise<Proof> {
  const { ocsp, lists } = addressesOf(question.certificate);
  const ways = [
    ...ocsp.map((url) => ({ url, ask: () => askResponder(url, question, retrieve) })),
    ...lists.map((url) => ({ url, ask: async () => verifyRevocationList(await retrieve(url), question) })),
  ];
  const faults: string[] = [];
  for (const { url, ask } of ways) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Revoked) throw error;
      faults.push(`${new URL(url).host}: ${faultOf(error)}`);
    }
  }
  throw new ProofFault(faults.join('; ') || 'it names neither a responder nor a revocation list');
}

const NONCE_BYTES = 16;

async function askResponder(url: string, question: Question, retrieve: Retrieve): Promise<Proof> {
  const nonce = randomBytes(NONCE_BYTES);
  const body = ocspRequest(question, nonce);
  const answer = await retrieve(url, { contentType: 'application/ocsp-request', body });
  return verifyOcsp(answer, question, nonce);
}

/** Proves a chain from given certificates and answers issued until `latest`. Throws a SignatureFault otherwise. */
export function proveFrom(
  known: Known,
  answers: readonly Pick<Proof, 'kind' | 'der'>[],
  at: Date,
  latest = at,
): ProvedChain {
  const { chain, isWhole } = chainOf(known, at);
  if (!isWhole) throw new ProofFault('a certificate of the chain is missing');
  const proofs = questionsOf(chain, at).map((question) => proofAmong(answers, { ...question, latest }));
  return { chain, proofs };
}

function proofAmong(answers: readonly Pick<Proof, 'kind' | 'der'>[], question: Question): Proof {
  const faults = new Set<string>();
  for (const { kind, der } of answers) {
    try {
      return kind === 'ocsp' ? verifyOcsp(der, question) : verifyRevocationList(der, question);
    } catch (error) {
      if (error instanceof Revoked) throw error;
      faults.add(faultOf(error));
    }
  }
  throw new ProofFault([...faults].join('; ') || 'there is no proof that it was not revoked');
}
