/** Proofs that no certificate of a CA was revoked: OCSP answers (RFC 6960) and revocation lists (RFC 5280). */
import { type KeyObject, sign } from 'node:crypto';
import {
  bits,
  context,
  derOf,
  enumerated,
  extension,
  generalizedTime,
  implicit,
  type Node,
  NULL,
  nodeOf,
  octets,
  oid,
  partsOf,
  sequence,
  smallInteger,
  utcTime,
} from '../asn1.ts';

export interface Issuer {
  /** DER. */
  certificate: Uint8Array;
  key: KeyObject;
}

const OIDS = {
  basicAnswer: '1.3.6.1.5.5.7.48.1.1',
  listNumber: '2.5.29.20',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  sha256WithRsa: '1.2.840.113549.1.1.11',
};
const HOUR = 3_600_000;

export function answerOcspRequest(request: Uint8Array, ca: Issuer, now: Date): Buffer {
  const [list, extensions] = partsOf(partsOf(nodeOf(request))[0]);
  const [id] = partsOf(partsOf(list)[0]);
  if (!id) throw new Error('The OCSP request names no certificate.');
  const good = implicit(0, '');
  const { from, until } = validity(now);
  const content = sequence(
    context(1, subjectOf(ca)),
    generalizedTime(now),
    sequence(sequence(id, good, generalizedTime(from), context(0, generalizedTime(until)))),
    // The nonce, which is the only extension that clients send.
    ...(extensions ? [context(1, ...partsOf(extensions))] : []),
  );
  const answer = sequence(oid(OIDS.basicAnswer), octets(derOf(signed(content, ca))));
  return derOf(sequence(enumerated(0), context(0, answer)));
}

export function emptyRevocationList(ca: Issuer, now: Date): Buffer {
  const { from, until } = validity(now);
  const content = sequence(
    smallInteger(1),
    algorithmOf(ca.key),
    subjectOf(ca),
    utcTime(from),
    utcTime(until),
    context(0, sequence(extension(OIDS.listNumber, false, smallInteger(1)))),
  );
  return derOf(signed(content, ca));
}

const validity = (now: Date) => ({
  from: new Date(now.getTime() - HOUR),
  until: new Date(now.getTime() + 24 * HOUR),
});

export const algorithmOf = (key: KeyObject): Node =>
  key.asymmetricKeyType === 'ec'
    ? sequence(oid(OIDS.ecdsaWithSha256))
    : sequence(oid(OIDS.sha256WithRsa), NULL);

const signed = (content: Node, { key }: Issuer): Node =>
  sequence(content, algorithmOf(key), bits(sign('sha256', derOf(content), key)));

function subjectOf({ certificate }: Issuer): Node {
  const [, , , , , subject] = partsOf(partsOf(nodeOf(certificate))[0]);
  if (!subject) throw new Error('The certificate is malformed.');
  return subject;
}
