import {
  constants,
  type KeyObject,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  sign as signMessage,
  verify as verifyMessage,
} from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import forge from 'node-forge';
import type { Key } from './keys.ts';

/**
 * Signatures over a message, as `node:crypto` makes them, or over a digest that the caller made, which it does not take:
 * there the padding is put round the digest here.
 */

export type SigningAlgorithm = 'RSASSA_PKCS1_V1_5_SHA_256' | 'RSASSA_PSS_SHA_256' | 'ECDSA_SHA_256';
export type MessageType = 'RAW' | 'DIGEST';

export const algorithmsOf = (key: Key): SigningAlgorithm[] =>
  key.settings.spec === 'ECC_NIST_P256'
    ? ['ECDSA_SHA_256']
    : ['RSASSA_PKCS1_V1_5_SHA_256', 'RSASSA_PSS_SHA_256'];

const pssPadding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

export function sign(key: Key, algorithm: SigningAlgorithm, type: MessageType, message: Buffer): Buffer {
  const privateKey = key.privateKey();
  if (type === 'RAW') return signMessage('sha256', message, nodeKey(privateKey, algorithm));
  if (algorithm === 'ECDSA_SHA_256') {
    return Buffer.from(
      p256.sign(message, scalarOf(privateKey), { prehash: false, lowS: false, format: 'der' }),
    );
  }
  if (algorithm === 'RSASSA_PKCS1_V1_5_SHA_256') {
    return privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, digestInfo(message));
  }
  const encoded = pss().encode(digesting(message), modulusBits(privateKey));
  return privateEncrypt(
    { key: privateKey, padding: constants.RSA_NO_PADDING },
    Buffer.from(encoded, 'binary'),
  );
}

export function verify(
  key: Key,
  algorithm: SigningAlgorithm,
  type: MessageType,
  message: Buffer,
  signature: Buffer,
): boolean {
  const publicKey = key.publicKey();
  if (type === 'RAW') return verifyMessage('sha256', message, nodeKey(publicKey, algorithm), signature);
  try {
    if (algorithm === 'ECDSA_SHA_256') {
      return p256.verify(signature, message, pointOf(publicKey), {
        prehash: false,
        lowS: false,
        format: 'der',
      });
    }
    if (algorithm === 'RSASSA_PKCS1_V1_5_SHA_256') {
      const padding = constants.RSA_PKCS1_PADDING;
      return publicDecrypt({ key: publicKey, padding }, signature).equals(digestInfo(message));
    }
    const encoded = publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, signature);
    return pss().verify(message.toString('binary'), encoded.toString('binary'), modulusBits(publicKey));
  } catch {
    // What cannot be unpadded or parsed was not signed by this key.
    return false;
  }
}

const nodeKey = (key: KeyObject, algorithm: SigningAlgorithm) =>
  algorithm === 'RSASSA_PSS_SHA_256' ? { key, ...pssPadding } : { key };

/** DER of DigestInfo for SHA-256, before the digest itself (RFC 8017, section 9.2). */
const sha256Prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const digestInfo = (digest: Buffer) => Buffer.concat([sha256Prefix, digest]);

const pss = () =>
  forge.pss.create({
    md: forge.md.sha256.create(),
    mgf: forge.mgf.mgf1.create(forge.md.sha256.create()),
    saltLength: 32,
  });

const digesting = (digest: Buffer) => ({
  ...forge.md.sha256.create(),
  digest: () => forge.util.createBuffer(digest.toString('binary')),
});

const modulusBits = (key: KeyObject) => key.asymmetricKeyDetails?.modulusLength ?? 0;

const scalarOf = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url');

function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}
