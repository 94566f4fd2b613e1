import { sign } from 'node:crypto';
import { algorithmOf, SEAL_DIGESTS } from '../../shared/sealing/keys/algorithm.ts';
import type { SealKey } from '../../shared/sealing/keys/port.ts';
import type { DemoIdentity } from './demo-keys.ts';

/** The sealing key of an identity, without a PKCS#12 file: deriving a key for one and reading it take long. */
export const sealKeyOf = ({ certificate, privateKey, issuers }: DemoIdentity): SealKey => {
  const algorithm = algorithmOf(privateKey);
  return {
    certificateChain: [certificate, ...issuers],
    algorithm,
    sign: async (signedAttributes) => sign(SEAL_DIGESTS[algorithm], signedAttributes, privateKey),
  };
};
