import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { checkSealKey } from '../../../shared/sealing/keys/check.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { chainOf } from '../../../shared/sealing/long-term/chain.ts';
import { toPkcs12 } from '../../support/demo-keys.ts';
import { LIMITED_CHAINS, limitedChain } from '../../support/limited-chains.ts';
import { now } from './sealing-kit.ts';

describe.each(LIMITED_CHAINS)('a chain with %s', (_, holds, limits) => {
  const { certificates, identity } = limitedChain(now, limits);
  const chain = certificates.map(readCertificate);
  const root = chain.slice(-1);

  it(`is ${holds ? 'taken' : 'refused'} up to a pinned root`, () => {
    expect(chainOf({ certificates: chain, anchors: root }, now).isWhole).toBe(holds);
  });

  it(`is ${holds ? 'taken' : 'refused'} for the key of a seal`, async () => {
    const check = checkSealKey(pkcs12Key(toPkcs12(identity, 'x'), 'x'), now);
    if (holds) await expect(check).resolves.toBeUndefined();
    else await expect(check).rejects.toMatchObject({ code: 'certificate_chain', permanent: true });
  });
});
