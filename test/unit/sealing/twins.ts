import { childrenOf, decode, TAGS } from '../../../shared/sealing/der.ts';
import { integer, sequence } from '../../../shared/sealing/der-encode.ts';
import { type DemoIdentity, signed } from '../../support/demo-keys.ts';

/** Certificates of one name and key: each of them issued whatever one of them did, so ways through them multiply. */
export function twinsOf(ca: DemoIdentity, count: number, issuer = ca): DemoIdentity[] {
  const [tbs] = childrenOf(decode(ca.certificate), TAGS.sequence);
  const [version, , ...rest] = childrenOf(tbs, TAGS.sequence).map(({ raw }) => raw);
  return Array.from({ length: count }, (_, index) => {
    const parts = [version ?? new Uint8Array(), integer(index + 1), ...rest];
    return { ...ca, certificate: signed(sequence(...parts), issuer.privateKey) };
  });
}
