import { CONTENTS_BYTES } from './append.ts';
import { sha256 } from './certificate.ts';
import { isValidAt } from './certificate-fields.ts';
import { type SignatureParts, signedAttributes, signedData } from './cms.ts';
import { SealError } from './errors.ts';
import { type DigestBy, SEAL_DIGESTS } from './keys/algorithm.ts';
import { type KeyCertificates, signChecked } from './keys/check.ts';
import type { SealKey } from './keys/port.ts';
import type { LongTerm } from './level.ts';
import type { Timestamp, Timestamper } from './timestamp.ts';

export interface SealSigner {
  key: SealKey;
  timestamp: Timestamper;
  now: Date;
  /** For levels above B-T. */
  longTerm?: LongTerm | undefined;
}

/** Makes the CMS of a PAdES B-T signature: signed by the key, with a timestamp over the signature. */
export async function makeSignature(
  digestBy: DigestBy,
  { key, timestamp }: SealSigner,
  { own, chain }: KeyCertificates,
): Promise<{ contents: Buffer; stamp: Timestamp }> {
  const attributes = signedAttributes(digestBy(SEAL_DIGESTS[key.algorithm]), own);
  const signature = await signChecked(key, own, attributes);
  const parts = { attributes, signature, algorithm: key.algorithm, chain };
  const stamp = await timestamp(sha256(signature), bytesLeft(parts));
  // By its own clock, which may differ from ours, the key was checked before.
  if (!isValidAt(own, stamp.time)) {
    const detail = `the key's certificate is not valid at the authority's time, ${stamp.time.toISOString()}`;
    throw new SealError('timestamp_unavailable', detail);
  }
  return { contents: signedData({ ...parts, timestampToken: stamp.token }), stamp };
}

/** The size of the smallest real tokens. */
const MIN_TOKEN_BYTES = 512;
/** Room for the longer DER lengths of what contains the token. */
const LENGTH_BYTES = 16;

/** The space left in the signature for the timestamp token. */
function bytesLeft(parts: Omit<SignatureParts, 'timestampToken'>): number {
  const without = signedData({ ...parts, timestampToken: new Uint8Array() }).length + LENGTH_BYTES;
  const left = CONTENTS_BYTES - without;
  if (left >= MIN_TOKEN_BYTES) return left;
  const detail = `the signature takes ${without} of ${CONTENTS_BYTES} bytes without its timestamp`;
  throw new SealError('seal_too_large', detail);
}
