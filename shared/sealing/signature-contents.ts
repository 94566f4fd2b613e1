import { lacksLength, withLengths } from './ber.ts';
import { type DerNode, decode } from './der.ts';
import { SignatureFault } from './faults.ts';
import { latin1, stringBytes } from './pdf/text.ts';
import { type DictEntry, isName, isWholeNumber, PdfArray, type PdfDict } from './pdf/values.ts';

export interface SignatureContents {
  /** Offsets of the "<" of /Contents and just after its ">". Everything else up to `end` is signed. */
  from: number;
  to: number;
  /** The offset at which the signed revision ends. */
  end: number;
  cms: DerNode;
  /** PAdES requires DER. */
  isDer: boolean;
  isLowerCase: boolean;
}

/**
 * The CMS of a signature in the file and what it covers: one range from the first byte, interrupted only by /Contents.
 * The padding after the CMS must be zero. Throws a SignatureFault.
 */
export function readContents(bytes: Uint8Array, signature: PdfDict): SignatureContents {
  if (signature.source !== bytes) throw new SignatureFault('the signature is compressed');
  const { from, to } = soleEntry(signature, 'Contents');
  const range = soleEntry(signature, 'ByteRange').value;
  const numbers = range instanceof PdfArray ? range.items.map(({ value }) => value) : [];
  const [, , , after = null] = numbers;
  const covered = [0, from, to, after];
  const isWhole = numbers.length === 4 && numbers.every((number, index) => number === covered[index]);
  if (!isWhole || !isWholeNumber(after) || to + after > bytes.length)
    throw new SignatureFault('the signature does not cover what it must');
  const token = bytes.subarray(from, to);
  const text = latin1(token);
  if (!/^<(?:[\da-f]{2})*>$/i.test(text)) throw new SignatureFault('the signature is not hexadecimal');
  const padded = stringBytes(token);
  const { der, end } = withLengths(padded);
  if (padded.subarray(end).some((byte) => byte !== 0)) throw new SignatureFault('the padding was changed');
  const [isDer, isLowerCase] = [!lacksLength(padded), !/[A-F]/.test(text)];
  return { from, to, end: to + after, cms: decode(der), isDer, isLowerCase };
}

/** True for a document timestamp. */
export const isTimestamp = (signature: PdfDict): boolean =>
  isName(signature.get('SubFilter'), 'ETSI.RFC3161');

function soleEntry(dict: PdfDict, key: string): DictEntry {
  const [entry, ...more] = dict.entries.filter((each) => each.key === key);
  if (entry === undefined || more.length > 0) throw new SignatureFault(`there is not one /${key}`);
  return entry;
}
