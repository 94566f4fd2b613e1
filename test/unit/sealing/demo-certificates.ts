import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../../admin/demo-keys.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { makeTestAuthority } from '../../support/timestamp-authority.ts';

function make(now: Date) {
  const ca = makeDemoCa(now);
  const identity = makeDemoSealIdentity(ca, { now });
  const key = pkcs12Key(toPkcs12(identity, 'secret'), 'secret');
  return { ca, identity, key, tsa: makeTestAuthority({ now }) };
}

let made: ReturnType<typeof make> | undefined;

/** One set for all tests that load this file once: making RSA keys takes time. */
export function demoCertificates(now: Date) {
  made ??= make(now);
  return made;
}
