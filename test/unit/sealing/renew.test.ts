import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { firstEnd, holdsUntil } from '../../../shared/sealing/long-term/holds-until.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { renew } from '../../../shared/sealing/long-term/renew.ts';
import { Pki, plainRetrieve } from '../../support/pki/pki.ts';
import { sealAt, signerAt } from '../../support/pki/seal-at.ts';
import { makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { now } from './sealing-kit.ts';

const ORIGINAL = craft({ objects: ONE_PAGE });

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());
beforeEach(() => pki.repair());

const renewed = (bytes: Uint8Array) => {
  const { timestamp } = signerAt(pki, 'B-LTA');
  const anchors = [readCertificate(pki.root.certificate)];
  return renew(bytes, { prove: prover(plainRetrieve, () => pki.now), timestamp, anchors });
};

describe('a renewal', () => {
  it('adds another document timestamp after the bytes as they were', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const once = await renewed(bytes);
    const twice = await renewed(once);
    expect(once.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(twice.subarray(0, once.length).equals(once)).toBe(true);
    expect(twice.toString('latin1').match(/\/SubFilter \/ETSI\.RFC3161/g)).toHaveLength(3);
  });

  it('lasts as long as its own timestamp, wherever the form lists the fields', async () => {
    const missing = Array.from({ length: 90 }, (_, index) => `${index + 4} 0 R`);
    for (const fields of [missing, missing.toReversed()]) {
      const form = `/AcroForm <</Fields [${fields.join(' ')}]>>`;
      const original = craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${form}>>` } });
      const { bytes } = await sealAt(pki, 'B-LTA', original);
      const later = pki.issueAuthority('Later authority', 12);
      const tsa = makeTestAuthority({ now, ca: pki.root, signer: later });
      const timestamp = timestamperOf(tsa, () => now);
      const prove = prover(plainRetrieve, () => now);
      const once = await renew(bytes, { prove, timestamp, anchors: [readCertificate(pki.root.certificate)] });
      expect(holdsUntil(once)).toBe(readCertificate(later.certificate).notAfter.toISOString());
    }
  });

  it('fails rather than renew what cannot be proved any more', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    pki.setStanding(pki.authority, { revokedAt: now });
    await expect(renewed(bytes)).rejects.toMatchObject({ code: 'timestamp_unavailable' });
  });

  it('says that the proofs are missing where they cannot be had for the time being', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    for (const service of ['ocsp', 'list'] as const) pki.break('timestamps', service, { status: 500 });
    await expect(renewed(bytes)).rejects.toMatchObject({ code: 'revocation_unavailable', permanent: false });
  });

  it('is refused for a file without a document timestamp', async () => {
    const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL);
    await expect(renewed(bytes)).rejects.toMatchObject({ code: 'original_unsealable', permanent: true });
  });
});

it('the earliest of several ends counts, and without any there is none', () => {
  expect(firstEnd('2031-01-01', undefined, '2030-01-01', '2032-01-01')).toBe('2030-01-01');
  expect(firstEnd(undefined)).toBeNull();
});

it('a file below B-LTA has no end of its own', async () => {
  const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL);
  expect(holdsUntil(bytes)).toBeUndefined();
});
