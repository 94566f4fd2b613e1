import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import forge from 'node-forge';
import { present } from '../../runtime/present.ts';
import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import { sameBytes } from '../der.ts';
import { SealError } from '../errors.ts';
import { attempt } from '../faults.ts';
import { algorithmOf, SEAL_DIGESTS } from './algorithm.ts';
import type { SealKey } from './port.ts';

/** A key and its certificates from a PKCS#12 file: RSA, or ECDSA on P-256 or P-384. */
export function pkcs12Key(file: Uint8Array, passphrase: string): SealKey {
  const { privateKey, certificates } = open(file, passphrase);
  const own = certificates.find((certificate) => certificate.x509.checkPrivateKey(privateKey));
  if (own === undefined) {
    throw new SealError('key_mismatch', 'no certificate in the PKCS#12 file belongs to its key');
  }
  const algorithm = algorithmOf(privateKey);
  return {
    certificateChain: chainOf(own, certificates).map(({ der }) => der),
    algorithm,
    sign: async (signedAttributes) => sign(SEAL_DIGESTS[algorithm], signedAttributes, privateKey),
  };
}

function open(file: Uint8Array, passphrase: string): { privateKey: KeyObject; certificates: Certificate[] } {
  try {
    const bytes = forge.util.createBuffer(Buffer.from(file).toString('latin1'));
    const bags = decrypt(forge.asn1.fromDer(bytes), passphrase).safeContents.flatMap(
      ({ safeBags }) => safeBags,
    );
    const certificates = bags
      .filter(({ type }) => type === forge.pki.oids.certBag)
      // Some cannot be read, such as a root from before X.509 v3: the chain may not need them.
      .flatMap((bag) => attempt(() => readCertificate(derOf(certificateNode(bag)))) ?? []);
    const keys = bags.filter(
      ({ type }) => type === forge.pki.oids.pkcs8ShroudedKeyBag || type === forge.pki.oids.keyBag,
    );
    const [bag] = keys;
    if (bag === undefined || keys.length > 1) throw new Error('there must be one private key');
    return { privateKey: privateKeyOf(bag), certificates };
  } catch (cause) {
    // The cause may quote the file or the passphrase, so it is dropped.
    const wrong = cause instanceof Error && /mac|password|decrypt/i.test(cause.message);
    throw new SealError('key_unreadable', wrong ? 'wrong passphrase' : 'no usable PKCS#12 file');
  }
}

/**
 * Of a passphrase, the MAC and old ciphers take UTF-16, today's ciphers UTF-8 (RFC 7292, B.1; RFC 8018), for which node-forge wants the bytes.
 * It takes one for both, so the second try leaves the MAC out, which is the last part.
 */
function decrypt(file: forge.asn1.Asn1, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(file, true, passphrase);
  } catch (error) {
    const utf8 = forge.util.encodeUtf8(passphrase);
    if (utf8 === passphrase || typeof file.value === 'string') throw error;
    try {
      return forge.pkcs12.pkcs12FromAsn1({ ...file, value: file.value.slice(0, 2) }, true, utf8);
    } catch {
      // Without the MAC, a wrong passphrase may decrypt to what looks like a damaged file.
      throw error;
    }
  }
}

const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');

/** node-forge parses certificates with RSA keys only; of others it keeps the ASN.1. */
function certificateNode({ cert, asn1 }: forge.pkcs12.Bag): forge.asn1.Asn1 {
  if (!cert) return present(asn1, 'certificate');
  const node = forge.pki.certificateToAsn1(cert);
  const [signed, , signature] = Array.isArray(node.value) ? node.value : [];
  // It writes the algorithm in its own way where that has parameters (RSASSA-PSS); the signed part keeps it as it was.
  const algorithm = Array.isArray(signed?.value) ? signed.value[2] : undefined;
  return signed && algorithm && signature ? { ...node, value: [signed, algorithm, signature] } : node;
}

/** node-forge does not know elliptic curves: it leaves `key` empty and the PKCS#8 structure in `asn1`. */
function privateKeyOf(bag: forge.pkcs12.Bag): KeyObject {
  if (bag.key) {
    const pkcs8 = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key));
    return createPrivateKey({ key: derOf(pkcs8), format: 'der', type: 'pkcs8' });
  }
  if (bag.asn1) return createPrivateKey({ key: derOf(bag.asn1), format: 'der', type: 'pkcs8' });
  throw new Error('empty key bag');
}

/** From the key's own certificate upwards, each once, whatever the order in the file. */
function chainOf(own: Certificate, all: readonly Certificate[]): Certificate[] {
  const chain = [own];
  for (let last: Certificate | undefined = own; last !== undefined; ) {
    const issued: Certificate = last;
    last = all.find((each) => !chain.some(({ der }) => sameBytes(der, each.der)) && isIssuedBy(issued, each));
    if (last) chain.push(last);
  }
  return chain;
}
