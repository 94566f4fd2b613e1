import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import forge from 'node-forge';
import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import { SealError } from '../errors.ts';
import type { SealKey } from './port.ts';

/** A key and its certificates from a PKCS#12 file: RSA, or ECDSA on P-256. */
export function pkcs12Key(file: Uint8Array, passphrase: string): SealKey {
  const { privateKey, certificates } = open(file, passphrase);
  const own = certificates.find((certificate) => certificate.x509.checkPrivateKey(privateKey));
  if (own === undefined) {
    throw new SealError('key_mismatch', true, 'no certificate in the PKCS#12 file belongs to its key');
  }
  return {
    certificateChain: chainOf(own, certificates).map(({ der }) => der),
    algorithm: privateKey.asymmetricKeyType === 'ec' ? 'ecdsa-p256' : 'rsa',
    sign: async (signedAttributes) => sign('sha256', signedAttributes, privateKey),
  };
}

function open(file: Uint8Array, passphrase: string): { privateKey: KeyObject; certificates: Certificate[] } {
  try {
    const bytes = forge.util.createBuffer(Buffer.from(file).toString('latin1'));
    const p12 = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(bytes), true, passphrase);
    const bags = p12.safeContents.flatMap((content) => content.safeBags);
    const certificates = bags.filter(({ type }) => type === forge.pki.oids.certBag).map(certificateOf);
    const keys = bags.filter(
      ({ type }) => type === forge.pki.oids.pkcs8ShroudedKeyBag || type === forge.pki.oids.keyBag,
    );
    const [bag] = keys;
    if (bag === undefined || keys.length > 1) throw new Error('there must be one private key');
    return { privateKey: privateKeyOf(bag), certificates };
  } catch (cause) {
    // The cause may quote the file or the passphrase, so it is dropped.
    const wrong = cause instanceof Error && /mac|password|decrypt/i.test(cause.message);
    throw new SealError('key_unreadable', true, wrong ? 'wrong passphrase' : 'no usable PKCS#12 file');
  }
}

const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');

/** node-forge parses certificates with RSA keys only; of others it keeps the ASN.1. */
function certificateOf(bag: forge.pkcs12.Bag): Certificate {
  if (bag.cert) return readCertificate(derOf(forge.pki.certificateToAsn1(bag.cert)));
  if (bag.asn1) return readCertificate(derOf(bag.asn1));
  throw new Error('empty certificate bag');
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

/** From the key's own certificate upwards, whatever the order in the file. */
function chainOf(own: Certificate, all: readonly Certificate[]): Certificate[] {
  const chain = [own];
  for (let last: Certificate | undefined = own; last !== undefined; ) {
    const issued: Certificate = last;
    last = all.find((each) => !chain.includes(each) && isIssuedBy(issued, each));
    if (last) chain.push(last);
  }
  return chain;
}
