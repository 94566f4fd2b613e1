import { createHash } from 'node:crypto';
import { algorithmId } from './algorithms.ts';
import { lacksLength, withLengths } from './ber.ts';
import { childrenOf, decode, octets, sameBytes, spanAt, TAGS } from './der.ts';
import { oid } from './der-encode.ts';
import { attempt, SignatureFault } from './faults.ts';
import type { FieldSignature } from './form.ts';
import { OIDS } from './oids.ts';
import { COST } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { damaged, PdfRefusal } from './pdf/refusal.ts';
import { isHexadecimal, stringBytes } from './pdf/text.ts';
import { isName, isWholeNumber, type PdfDict, PdfString } from './pdf/values.ts';
import { readSignedData, type SignedData } from './signed-data.ts';

/**
 * Validators fail on a malformed earlier signature before they reach ours: its CMS must be one hexadecimal string that
 * holds SignedData of the stated length.
 */
export function refuseIfUnreadable(file: PdfFile, signature: PdfDict): void {
  const contents = signature.entries.filter(({ key }) => key === 'Contents').map(({ value }) => value);
  const [only] = contents;
  const cms = contents.length === 1 && only instanceof PdfString ? hexBytes(file, only.raw) : null;
  if (cms === null || !isSignedData(cms)) throw damaged('an earlier signature cannot be read');
}

function hexBytes({ budget }: PdfFile, raw: Uint8Array): Uint8Array | null {
  if (!isHexadecimal(raw)) return null;
  // Many fields may name one signature.
  budget.spend(COST.decodedByte, raw.length);
  return stringBytes(raw);
}

const SIGNED_DATA_OID = oid(OIDS.signedData);

/** Ignores the padding after it. In BER the length may be left out. */
function isSignedData(cms: Uint8Array): boolean {
  const from = lacksLength(cms) ? 2 : attempt(() => spanAt(cms, 0).from);
  return (
    cms[0] === TAGS.sequence &&
    from !== undefined &&
    sameBytes(cms.subarray(from, from + SIGNED_DATA_OID.length), SIGNED_DATA_OID)
  );
}

/** Digest algorithms that earlier signatures may use, weak ones included: they are compared here, not trusted. */
const KNOWN_DIGESTS: ReadonlyMap<string, string> = new Map([
  [OIDS.md5, 'md5'],
  [OIDS.sha1, 'sha1'],
  [OIDS.sha224, 'sha224'],
  [OIDS.sha256, 'sha256'],
  [OIDS.sha384, 'sha384'],
  [OIDS.sha512, 'sha512'],
  [OIDS.sha3of256, 'sha3-256'],
  [OIDS.sha3of384, 'sha3-384'],
  [OIDS.sha3of512, 'sha3-512'],
]);

/** Refuses a signature whose digest does not match. One with unknown algorithms or encoding is not called broken. */
export function refuseIfBroken(file: PdfFile, { value }: FieldSignature): void {
  const ranges = readByteRange(file, value);
  if (ranges === null) throw new PdfRefusal('pdf_signature_broken', 'the byte range lies outside the file');
  const digestOf = (algorithm: string): Uint8Array => {
    const hash = createHash(algorithm);
    file.budget.spend(COST.hashedByte, ranges.length * HASH_CALL_BYTES);
    for (const range of ranges) {
      file.budget.spend(COST.hashedByte, range.length);
      hash.update(range);
    }
    return hash.digest();
  };
  if (contradicts(file, value, digestOf)) {
    throw new PdfRefusal('pdf_signature_broken', 'the digest of an earlier signature does not match');
  }
}

/** The cost of a call for an empty range, as a number of hashed bytes. */
const HASH_CALL_BYTES = 100;

/** Null if the signature covers bytes outside the file. */
function readByteRange(file: PdfFile, signature: PdfDict): Uint8Array[] | null {
  const list = file.array(signature.get('ByteRange'), 'a byte range');
  const numbers = (list?.items ?? []).map(({ value }) => {
    file.budget.spend(COST.value);
    return file.resolve(value);
  });
  if (numbers.length === 0 || numbers.length % 2 !== 0) return null;
  const ranges: Uint8Array[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    const [from = null, length = null] = numbers.slice(i, i + 2);
    if (!isWholeNumber(from) || !isWholeNumber(length) || from + length > file.bytes.length) return null;
    ranges.push(file.bytes.subarray(from, from + length));
  }
  return ranges;
}

/** True if the signature's digest is not that of the file. False for a signature that cannot be read. */
function contradicts(
  file: PdfFile,
  signature: PdfDict,
  digestOf: (algorithm: string) => Uint8Array,
): boolean {
  const contents = signature.get('Contents');
  const cms = contents instanceof PdfString ? hexBytes(file, contents.raw) : null;
  if (cms === null) return false;
  try {
    const data = readSignedData(decode(withLengths(cms).der));
    if (data.contentType === OIDS.tstInfo && data.content !== null)
      return contradictsImprint(data.content, digestOf);
    const kind = file.resolve(signature.get('SubFilter'));
    return contradictsDigest(data, isName(kind, 'adbe.pkcs7.sha1'), digestOf);
  } catch (error) {
    if (error instanceof SignatureFault) return false;
    throw error;
  }
}

/** The same for a document timestamp. */
function contradictsImprint(tstInfo: Uint8Array, digestOf: (algorithm: string) => Uint8Array): boolean {
  const [, , imprint] = childrenOf(decode(tstInfo), TAGS.sequence);
  const [algorithm, hashed] = childrenOf(imprint, TAGS.sequence);
  const known = KNOWN_DIGESTS.get(algorithmId(algorithm));
  return known !== undefined && !sameBytes(octets(hashed), digestOf(known));
}

function contradictsDigest(
  { content, signer }: SignedData,
  contentIsSha1: boolean,
  digestOf: (algorithm: string) => Uint8Array,
): boolean {
  const known = KNOWN_DIGESTS.get(signer.digestAlgorithm);
  const attribute = signer.attributes.get(OIDS.messageDigest);
  if (known === undefined || attribute === undefined) return false;
  const digest = octets(decode(attribute));
  if (content === null) return !sameBytes(digest, digestOf(known));
  if (contentIsSha1 && !sameBytes(content, digestOf('sha1'))) return true;
  return !sameBytes(digest, createHash(known).update(content).digest());
}
