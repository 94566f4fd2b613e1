import { isExpectedAuthority, readCertificates } from '../../../client/verifier/certificates.ts';
import { Checks } from '../../../client/verifier/checks.ts';
import { sha256 } from '../../../shared/sealing/certificate.ts';
import { LIMITED_CHAINS, limitedChain } from '../../support/limited-chains.ts';

const now = new Date('2026-11-24T10:00:00Z');

it.each(LIMITED_CHAINS)(
  'an authority below an expected one is expected by a chain with %s: %s',
  async (_, holds, limits) => {
    const [authority, ...others] = readCertificates(limitedChain(now, limits).certificates);
    const root = others.at(-1);
    if (authority === undefined || root === undefined) throw new Error('unreadable');
    const expected = { fingerprints: new Set([sha256(root.der).toString('hex')]), certificates: [] };
    expect(await isExpectedAuthority(authority, others, expected, now, new Checks())).toBe(holds);
  },
);
