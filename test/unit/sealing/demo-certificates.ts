import { makeDemoCa, makeDemoSealIdentity } from '../../support/demo-keys.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { makeTestAuthority } from '../../support/timestamp-authority.ts';

function make(now: Date) {
  const ca = makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' });
  const identity = makeDemoSealIdentity(ca, { now, algorithm: 'rsa' });
  const key = sealKeyOf(identity);
  return { ca, identity, key, tsa: makeTestAuthority({ now, algorithm: 'rsa' }) };
}

let made: ReturnType<typeof make> | undefined;

/** One set for all tests that load this file once: making RSA keys takes time. */
export function demoCertificates(now: Date) {
  made ??= make(now);
  return made;
}
