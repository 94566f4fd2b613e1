import { algorithmId, isPss, pssParameters } from '../../shared/sealing/algorithms.ts';
import type { CertificateFields, PublicKey } from '../../shared/sealing/certificate-fields.ts';
import { childrenOf, concat, type DerNode, decode, hex, TAGS } from '../../shared/sealing/der.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { OIDS } from '../../shared/sealing/oids.ts';

/** Digests and signatures with WebCrypto, which browsers and Node have. */

const NAMES: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

export async function digestOf(algorithm: string, ...parts: Uint8Array[]): Promise<Uint8Array> {
  const name = NAMES[algorithm];
  if (name === undefined) throw new Error(`no digest ${algorithm}`);
  return new Uint8Array(await crypto.subtle.digest(name, concat(parts)));
}

export const sha256Hex = async (bytes: Uint8Array): Promise<string> => hex(await digestOf('sha256', bytes));

/** The parameters with which WebCrypto verifies a signature. */
interface Scheme {
  key: RsaHashedImportParams | EcKeyImportParams;
  verify: AlgorithmIdentifier | RsaPssParams | EcdsaParams;
  /** Length of r and of s in bytes; null if it is not ECDSA. */
  half: number | null;
}

const CURVES: ReadonlyMap<string, { namedCurve: string; half: number }> = new Map([
  [OIDS.p256, { namedCurve: 'P-256', half: 32 }],
  [OIDS.p384, { namedCurve: 'P-384', half: 48 }],
  [OIDS.p521, { namedCurve: 'P-521', half: 66 }],
]);

const ECDSA: ReadonlySet<string> = new Set([
  OIDS.ecdsaWithSha256,
  OIDS.ecdsaWithSha384,
  OIDS.ecdsaWithSha512,
]);

function schemeOf(key: PublicKey, algorithm: DerNode | undefined, digest: string): Scheme | null {
  const hash = NAMES[digest];
  if (hash === undefined) return null;
  if (key.type === 'ec') {
    const curve = CURVES.get(key.curve ?? '');
    if (curve === undefined || !ECDSA.has(algorithmId(algorithm))) return null;
    const { namedCurve, half } = curve;
    return { key: { name: 'ECDSA', namedCurve }, verify: { name: 'ECDSA', hash }, half };
  }
  if (key.type !== 'rsa' || ECDSA.has(algorithmId(algorithm))) return null;
  if (!isPss(algorithm)) {
    const name = 'RSASSA-PKCS1-v1_5';
    return { key: { name, hash }, verify: { name }, half: null };
  }
  const parameters = pssParameters(algorithm);
  // WebCrypto uses the same hash for the message and the mask.
  if (parameters === undefined || parameters.maskDigest !== digest) return null;
  const { saltLength } = parameters;
  return { key: { name: 'RSA-PSS', hash }, verify: { name: 'RSA-PSS', saltLength }, half: null };
}

/** True if the signature over the data is right; null if it cannot be checked. */
export async function isSignedBy(
  { key }: Pick<CertificateFields, 'key'>,
  algorithm: DerNode | undefined,
  digest: string,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | null> {
  const scheme = schemeOf(key, algorithm, digest);
  if (scheme === null) return null;
  const imported = await importKey(key.spki, scheme);
  if (imported === null) return null;
  const value = scheme.half === null ? signature : fixedLength(signature, scheme.half);
  return crypto.subtle.verify(scheme.verify, imported, concat([value]), concat([data]));
}

/** Null if WebCrypto does not support the key. */
async function importKey(spki: Uint8Array, { key }: Scheme): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('spki', concat([spki]), key, false, ['verify']);
  } catch {
    return null;
  }
}

const isSet = (byte = 0): boolean => byte >= 0x80;

/** True if the length is written as DER has it, with one byte up to 127. No signature needs more than 255. */
const hasShortLength = ({ raw, content }: DerNode): boolean =>
  raw.length - content.length === (content.length < 0x80 ? 2 : 3);

/**
 * Converts r and s from DER, as in certificates and CMS, to the fixed length of WebCrypto. Returns zeros, which never verify, for
 * any other encoding, because other programs reject it.
 */
function fixedLength(signature: Uint8Array, half: number): Uint8Array {
  const value = new Uint8Array(2 * half);
  const whole = attempt(() => decode(signature));
  const numbers = attempt(() => childrenOf(whole, TAGS.sequence)) ?? [];
  if (!whole || numbers.length !== 2 || ![whole, ...numbers].every(hasShortLength)) return value;
  for (const [index, { tag, content }] of numbers.entries()) {
    const hasZero = content[0] === 0;
    const significant = content.subarray(hasZero ? 1 : 0);
    // DER has a leading zero exactly if the first bit, which would be the sign, is set.
    const isDer = tag === TAGS.integer && hasZero === isSet(significant[0]);
    if (!isDer || significant.length > half) return new Uint8Array(2 * half);
    value.set(significant, (index + 1) * half - significant.length);
  }
  return value;
}
