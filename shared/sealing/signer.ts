import { constants, createHash, type KeyObject, verify } from 'node:crypto';
import { isPss } from './algorithms.ts';
import { type Certificate, isRight, readCertificate } from './certificate.ts';
import { type Signed, sameBytes } from './der.ts';
import { SignatureFault } from './faults.ts';
import { readSignerClaims, type SignedData, signerAmong } from './signed-data.ts';

/**
 * Finds the signer's certificate, checks the signed attributes and the signature over them. `digestOf` computes the
 * digest of the content. Throws a SignatureFault.
 */
export function verifySigner(data: SignedData, digestOf: (algorithm: string) => Uint8Array): Certificate {
  const { signer } = data;
  const certificate = signerAmong(readCertificates(data), data);
  const claims = readSignerClaims(data);
  if (!sameBytes(claims.messageDigest, digestOf(claims.digest)))
    throw new SignatureFault('the message digest does not match');
  for (const { algorithm, digest } of claims.certificateDigests) {
    if (!sameBytes(digest, createHash(algorithm).update(certificate.der).digest()))
      throw new SignatureFault('the signature names another certificate');
  }
  if (!isSignatureRight(signer, certificate.x509.publicKey, claims.signatureDigest))
    throw new SignatureFault('the signature is wrong');
  return certificate;
}

export const readCertificates = ({ certificates }: SignedData): Certificate[] =>
  certificates.map(({ raw }) => readCertificate(raw));

export function isSignatureRight(
  { signed, signature, signatureAlgorithm }: Signed,
  key: KeyObject,
  digest: string,
): boolean {
  const options = isPss(signatureAlgorithm)
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : {};
  return isRight(() => verify(digest, signed, { key, ...options }, signature));
}
