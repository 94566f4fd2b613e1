import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { renew } from '../../../shared/sealing/long-term/renew.ts';
import { Pki, plainRetrieve } from '../../support/pki/pki.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { longTermSigner, sealAt } from './long-term-kit.ts';
import { now } from './sealing-kit.ts';

const ORIGINAL = craft({ objects: ONE_PAGE });

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());
beforeEach(() => pki.repair());

const renewed = (bytes: Uint8Array) => {
  const { timestamp } = longTermSigner(pki, 'B-LTA');
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

  it('fails rather than renew what cannot be proved any more', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    pki.setStanding(pki.authority, { revokedAt: now });
    await expect(renewed(bytes)).rejects.toMatchObject({ code: 'timestamp_unavailable' });
  });

  it('is refused for a file without a document timestamp', async () => {
    const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL);
    await expect(renewed(bytes)).rejects.toMatchObject({ code: 'original_unsealable' });
  });
});
