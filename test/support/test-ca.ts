import { type DemoIdentity, makeDemoCa } from './demo-keys.ts';

/** A CA whose key is made at once; an RSA key takes long. */
export const testCa = (now: Date, commonName?: string, issuer?: DemoIdentity): DemoIdentity =>
  makeDemoCa(now, commonName, issuer, {}, 'ecdsa-p256');
