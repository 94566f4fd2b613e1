import { isExpectedAuthority, readCertificates } from '../../../client/verifier/certificates.ts';
import { Checks } from '../../../client/verifier/checks.ts';
import { proveSigner } from '../../../client/verifier/signer.ts';
import { sha256 } from '../../../shared/sealing/certificate.ts';
import { decodeFirst } from '../../../shared/sealing/der.ts';
import { readSignedData } from '../../../shared/sealing/signed-data.ts';
import { extensions, issueDemo, makeDemoCa } from '../../support/demo-keys.ts';
import { contentsOf } from '../../support/tampering.ts';
import { craft, ONE_PAGE } from '../sealing/craft.ts';
import { now, sealIt } from '../sealing/sealing-kit.ts';

/** A counter that allows so many more. */
function left(count: number): Checks {
  const checks = new Checks();
  checks.maySpend(2_000 - count);
  return checks;
}

describe('the signatures of certificates that are verified for one file', () => {
  it('count by their length too, to the last one that is allowed', () => {
    const checks = left(3);
    expect(checks.may(new Uint8Array(40_000))).toBe(true);
    expect(checks.may(new Uint8Array(1))).toBe(false);
  });

  it('are limited on the way from an authority to an expected certificate', async () => {
    const ca = makeDemoCa(now, 'CA');
    const leaf = issueDemo({
      commonName: 'Leaf',
      now,
      years: 3,
      issuer: ca,
      extensions: [extensions.keyUsage('digitalSignature')],
    });
    const [authority, root] = [leaf, ca].flatMap(({ certificate }) => readCertificates([certificate]));
    if (authority === undefined || root === undefined) throw new Error('unreadable');
    const expected = { fingerprints: new Set([sha256(root.der).toString('hex')]), certificates: [] };
    const isExpected = (checks: Checks) => isExpectedAuthority(authority, [root], expected, now, checks);
    expect(await isExpected(left(2))).toBe(true);
    await expect(isExpected(left(0))).rejects.toThrow('too many checks');
  });

  it('are limited among the certificates that come with a signature, once its digest is right', async () => {
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE }));
    const { from, to } = contentsOf(bytes);
    const hex = bytes.toString('latin1', from + 1, to - 1);
    const data = readSignedData(decodeFirst(Buffer.from(hex, 'hex')));
    const covered = [bytes.subarray(0, from), bytes.subarray(to)];
    await proveSigner(data, covered, left(5));
    await expect(proveSigner(data, covered, left(0))).rejects.toThrow('too many checks');
    await expect(proveSigner(data, [], left(0))).rejects.toThrow('digest does not match');
  });
});
