import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { isIssuedBy, readCertificate } from '../../shared/sealing/certificate.ts';
import { DerError, hex } from '../../shared/sealing/der.ts';
import { integer } from '../../shared/sealing/der-encode.ts';
import { SignatureFault } from '../../shared/sealing/faults.ts';
import { ocspRequest, verifyOcsp, verifyRevocationList } from '../../shared/sealing/long-term/answers.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { tokenOfResponse, verifyNewToken } from '../../shared/sealing/timestamp-token.ts';
import { verifySeal } from '../../shared/sealing/verify-seal.ts';
import { extensions, issueDemo, makeDemoCa, makeDemoSealIdentity } from '../support/demo-keys.ts';
import { derDamage } from '../support/der-damage.ts';
import { answerOcspRequest } from '../support/pki/ocsp.ts';
import { DELEGATE } from '../support/pki/pki.ts';
import { revocationList } from '../support/pki/revocation-list.ts';
import { always } from '../support/property.ts';
import { sealKeyOf } from '../support/seal-key-of.ts';
import { cmsOf, contentsOf, withCmsBytes } from '../support/tampering.ts';
import { makeTestAuthority, timestamperOf } from '../support/timestamp-authority.ts';
import { craft, ONE_PAGE } from '../unit/sealing/craft.ts';
import { now, sealIt } from '../unit/sealing/sealing-kit.ts';

/** Timestamps, certificates, proofs and seals, which others signed, are damaged anywhere. */

const MOST_CPU_MICROSECONDS = 1_000_000;

interface Signed {
  der: Uint8Array;
  /** All that a reader learns from it, if it accepts it. */
  read(der: Uint8Array): unknown;
}

const ca = makeDemoCa(now, 'CA');
const issuer = readCertificate(ca.certificate);
const issue = (commonName: string, own: Uint8Array[]) =>
  issueDemo({ commonName, now, years: 3, issuer: ca, extensions: own });
const leaf = issue('Leaf', [extensions.keyUsage('digitalSignature')]);
const question = { certificate: readCertificate(leaf.certificate), issuer, at: now };
const tsa = makeTestAuthority({ now });

async function timestampAnswer(): Promise<Signed> {
  const imprint = createHash('sha256').update('a signature').digest();
  const random = Buffer.alloc(16, 7);
  let der = new Uint8Array();
  const answer: typeof fetch = async (_url, init) => {
    if (init?.body instanceof Uint8Array) der = new Uint8Array(tsa.answer(init.body));
    return new Response(der);
  };
  await timestamper([tsa.authority], { fetch: answer, now: () => now, randomBytes: () => random })(imprint);
  const expected = { imprint, nonce: integer(random), anchors: [readCertificate(tsa.ca.certificate)], now };
  const read = (damaged: Uint8Array) => {
    const { time, serial, policy, signer } = verifyNewToken(tokenOfResponse(damaged), expected);
    return { time, serial, policy, signer: hex(signer.der) };
  };
  return { der, read };
}

function ocspAnswer(): Signed {
  const { certificate, privateKey: key } = issue('Responder', DELEGATE);
  const nonce = Buffer.alloc(16, 7);
  const responder = { certificate, key, isDelegate: true };
  const der = answerOcspRequest(ocspRequest(question, nonce), responder, () => 'good', now);
  const read = (damaged: Uint8Array) => {
    const { issuedAt, until } = verifyOcsp(damaged, question);
    return { issuedAt, until };
  };
  return { der, read };
}

function list(): Signed {
  const der = revocationList({ certificate: ca.certificate, key: ca.privateKey }, [], now);
  const read = (damaged: Uint8Array) => {
    const { issuedAt, until } = verifyRevocationList(damaged, question);
    return { issuedAt, until };
  };
  return { der, read };
}

const certificate: Signed = {
  der: leaf.certificate,
  read: (damaged) => {
    const found = readCertificate(damaged);
    if (!isIssuedBy(found, issuer)) throw new DerError('not issued');
    return hex(found.signed);
  },
};

/** The CMS of a seal, in its place in the file. */
async function seal(): Promise<Signed> {
  const identity = makeDemoSealIdentity(ca, { now });
  const original = craft({ objects: ONE_PAGE });
  const timestamp = timestamperOf(tsa, () => now);
  const bytes = Buffer.from(
    (await sealIt(original, { key: sealKeyOf(identity), timestamp, reason: 'R' })).bytes,
  );
  const { from, to } = contentsOf(bytes);
  const anchors = [readCertificate(tsa.ca.certificate)];
  const expected = { original, certificates: [identity.certificate], anchors, reason: 'R' };
  const read = (damaged: Uint8Array) => {
    if (2 * damaged.length > to - from - 2) throw new DerError('no room');
    const found = verifySeal(withCmsBytes(bytes, damaged), expected);
    if (!found.valid) throw new DerError(found.fault);
    return { sealedAt: found.sealedAt, technical: found.technical };
  };
  return { der: cmsOf(bytes), read };
}

/** The answer of a reader, or its refusal. Anything else that it throws is a defect. */
function answerOf({ read }: Signed, der: Uint8Array): unknown {
  const before = process.threadCpuUsage();
  try {
    return read(der);
  } catch (error) {
    if (error instanceof SignatureFault || error instanceof DerError) return 'refused';
    throw error;
  } finally {
    expect(process.threadCpuUsage(before).user).toBeLessThan(MOST_CPU_MICROSECONDS);
  }
}

it.each<[string, number, () => Signed | Promise<Signed>]>([
  ['a timestamp', 1, timestampAnswer],
  ['an OCSP answer', 1, ocspAnswer],
  ['a revocation list', 1, list],
  ['a certificate', 1, () => certificate],
  ['a seal', 0.2, seal],
])('%s that is damaged anywhere is refused, or says what it said', async (_, share, make) => {
  const signed = await make();
  const said = signed.read(signed.der);
  const outcomes = new Set<boolean>();
  await always(
    fc.property(derDamage, (damage) => {
      const answer = answerOf(signed, damage(signed.der));
      outcomes.add(answer === 'refused');
      if (answer !== 'refused') expect(answer).toEqual(said);
    }),
    share,
  );
  // Neither outcome is the only one that was tried.
  expect(outcomes.size).toBe(2);
});
