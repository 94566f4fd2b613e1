import { sign } from 'node:crypto';
import type { SealKey } from '../../shared/sealing/keys/port.ts';
import type { DemoIdentity } from './demo-keys.ts';

/** The sealing key of an identity, without a PKCS#12 file: deriving a key for one and reading it take long. */
export const sealKeyOf = ({ certificate, privateKey, issuers }: DemoIdentity): SealKey => ({
  certificateChain: [certificate, ...issuers],
  algorithm: privateKey.asymmetricKeyType === 'ec' ? 'ecdsa-p256' : 'rsa',
  sign: async (signedAttributes) => sign('sha256', signedAttributes, privateKey),
});
