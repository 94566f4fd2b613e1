import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bits, derOf, type Node, NULL, nodeOf, oid, partsOf, sequence } from '../../../local/asn1.ts';

/** A certificate with its key. */
export interface Issuer {
  /** DER. */
  certificate: Uint8Array;
  key: KeyObject;
}

const ALGORITHMS: Record<string, [rsa: string, ec: string]> = {
  sha1: ['1.2.840.113549.1.1.5', '1.2.840.10045.4.1'],
  sha256: ['1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2'],
};

export function algorithmOf(key: KeyObject, digest = 'sha256'): Node {
  const [rsa = '', ec = ''] = ALGORITHMS[digest] ?? [];
  return key.asymmetricKeyType === 'ec' ? sequence(oid(ec)) : sequence(oid(rsa), NULL);
}

/** A structure with algorithm and signature after it, as OCSP answers and revocation lists have. */
export function signedBy(key: KeyObject, content: Node, more: Node[] = [], digest = 'sha256'): Node {
  const signature = sign(digest, derOf(content), key);
  return sequence(content, algorithmOf(key, digest), bits(signature), ...more);
}

/** The subject of a certificate, and the bits of its public key as their hash needs them. */
export function subjectOf(certificate: Uint8Array): { subject: Node; keyBits: Buffer } {
  const [, , , , , subject] = partsOf(partsOf(nodeOf(certificate))[0]);
  if (!subject) throw new Error('The certificate is malformed.');
  const { publicKey } = new X509Certificate(certificate);
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { subject, keyBits: spki.subarray(spki.length - keyLength(publicKey)) };
}

/** An EC point of P-256 takes 65 bytes. */
const keyLength = (key: KeyObject): number =>
  key.asymmetricKeyType === 'ec' ? 65 : key.export({ format: 'der', type: 'pkcs1' }).length;
