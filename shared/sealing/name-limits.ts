import { children, childrenOf, contextTag, type DerNode, decode, hex, readOid, TAGS } from './der.ts';

/**
 * The subjects that an authority allows in the certificates below it (RFC 5280, 4.2.1.10). Limits of other names, such as
 * mail addresses, are left out: nothing here reads those names.
 */
export interface NameLimits {
  /** Empty: all that are not excluded. */
  permitted: readonly Name[];
  excluded: readonly Name[];
}

/** A name's parts as text that can be compared, from the country down. */
type Name = readonly string[];

const DIRECTORY_NAME = contextTag(4);

/** Throws a DerError. */
export function readNameLimits(value: Uint8Array): NameLimits {
  const parts = childrenOf(decode(value), TAGS.sequence);
  const subtrees = (number: number): Name[] =>
    parts
      .filter(({ tag }) => tag === contextTag(number))
      .flatMap(children)
      .flatMap(directoryNames);
  return { permitted: subtrees(0), excluded: subtrees(1) };
}

function directoryNames(subtree: DerNode): Name[] {
  const [base] = childrenOf(subtree, TAGS.sequence);
  return base?.tag === DIRECTORY_NAME ? children(base).map(({ raw }) => readName(raw)) : [];
}

export function isWithin({ permitted, excluded }: NameLimits, subject: Uint8Array): boolean {
  const name = readName(subject);
  const isUnder = (base: Name): boolean => base.every((part, index) => part === name[index]);
  return (permitted.length === 0 || permitted.some(isUnder)) && !excluded.some(isUnder);
}

const readName = (name: Uint8Array): Name =>
  childrenOf(decode(name), TAGS.sequence).map((part) =>
    childrenOf(part, TAGS.set).map(comparable).sort().join('+'),
  );

/** UTF8String, PrintableString, TeletexString, IA5String, BMPString. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [TAGS.utf8String, 'utf-8'],
  [0x13, 'latin1'],
  [0x14, 'latin1'],
  [0x16, 'latin1'],
  [0x1e, 'utf-16be'],
]);

/** Normalizes (RFC 5280, 7.1), so that another encoding of a name cannot evade a limit. */
function comparable(attribute: DerNode): string {
  const [type, value] = childrenOf(attribute, TAGS.sequence);
  return `${readOid(type)}=${value ? textOf(value) : ''}`;
}

function textOf({ tag, content, raw }: DerNode): string {
  const encoding = ENCODINGS.get(tag);
  if (encoding === undefined && tag !== UNIVERSAL_STRING) return hex(raw);
  const text = encoding ? new TextDecoder(encoding).decode(content) : fromUniversal(content);
  return text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

const UNIVERSAL_STRING = 0x1c;
const LAST_CHARACTER = 0x10ffff;

/** Decodes UniversalString: four bytes for each character. */
function fromUniversal(content: Uint8Array): string {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  return Array.from({ length: Math.floor(content.length / 4) }, (_, index) =>
    String.fromCodePoint(Math.min(view.getUint32(index * 4), LAST_CHARACTER)),
  ).join('');
}
