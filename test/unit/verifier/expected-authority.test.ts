import { isExpectedAuthority, readCertificates } from '../../../client/verifier/certificates.ts';
import { Checks } from '../../../client/verifier/checks.ts';
import { sha256 } from '../../../shared/sealing/certificate.ts';
import { LIMITED_CHAINS, limitedChain } from '../../support/limited-chains.ts';

const now = new Date('2026-11-24T10:00:00Z');

const DAY = 86_400_000;

/** True if the first of these certificates is expected by those who expect the last. */
async function isExpected(certificates: readonly Uint8Array[], time = now): Promise<boolean> {
  const [authority, ...others] = readCertificates(certificates);
  const root = others.at(-1);
  if (authority === undefined || root === undefined) throw new Error('unreadable');
  const expected = { fingerprints: new Set([sha256(root.der).toString('hex')]), certificates: [] };
  return isExpectedAuthority(authority, others, expected, time, new Checks());
}

it.each(LIMITED_CHAINS)(
  'an authority below an expected one is expected by a chain with %s: %s',
  async (_, holds, limits) => {
    expect(await isExpected(limitedChain(now, limits).certificates)).toBe(holds);
  },
);

it('an authority is expected by one that was valid at the time alone', async () => {
  const { certificates } = limitedChain(now, {});
  const [ends = now] = readCertificates(certificates.slice(-1)).map(({ notAfter }) => notAfter);
  expect(await isExpected(certificates, ends)).toBe(true);
  expect(await isExpected(certificates, new Date(ends.getTime() + 1))).toBe(false);
  expect(await isExpected(certificates, new Date(now.getTime() - 2 * DAY))).toBe(false);
});
