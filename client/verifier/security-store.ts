import type { CertificateFields } from '../../shared/sealing/certificate-fields.ts';
import { sameBytes } from '../../shared/sealing/der.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { type RevocationList, readRevocationList } from '../../shared/sealing/long-term/list-claim.ts';
import { type OcspAnswer, readOcsp } from '../../shared/sealing/long-term/ocsp-claim.ts';
import { MAX_ANSWER_BYTES } from '../../shared/sealing/long-term/retrieve.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { PdfArray, PdfDict, PdfStream, type PdfValue } from '../../shared/sealing/pdf/values.ts';
import { readCertificates } from './certificates.ts';

/** Validation data in a file, and its end offset. */
export interface Kept<T> {
  item: T;
  end: number;
}

/** The readable part of a Document Security Store (EN 319 142-1, 5.4.2). */
export interface SecurityStore {
  certificates: Kept<CertificateFields>[];
  answers: Kept<OcspAnswer>[];
  lists: Kept<RevocationList>[];
}

/** Decades of renewals need a few dozen. */
const MAX_ENTRIES = 100;
const MAX_LIST_BYTES = 1024 * 1024;

/** Skips unreadable entries: they prove nothing. */
export function readSecurityStore(file: PdfFile): SecurityStore {
  const store = attempt(() => file.resolve(file.catalog.get('DSS')));
  const read = <T>(key: string, maxBytes: number, parse: (der: Uint8Array) => T | undefined): Kept<T>[] => {
    const list = store instanceof PdfDict ? attempt(() => file.resolve(store.get(key))) : null;
    if (!(list instanceof PdfArray)) return [];
    return streamsIn(file, list).flatMap((stream) => {
      const kept = attempt(() => keptIn(file, stream, maxBytes));
      const item = kept && attempt(() => parse(kept.item));
      return kept && item ? [{ item, end: kept.end }] : [];
    });
  };
  return {
    certificates: unique(read('Certs', MAX_ANSWER_BYTES, (der) => readCertificates([der])[0])),
    answers: read('OCSPs', MAX_ANSWER_BYTES, readOcsp),
    lists: read('CRLs', MAX_LIST_BYTES, readRevocationList),
  };
}

/** False if the catalog names anything but a store as the standard has it: pyHanko then reports a change of the document. */
export function isStore(file: PdfFile): boolean {
  const value = file.catalog.get('DSS');
  const store = file.resolve(value);
  if (store === null) return true;
  const ofSignatures = file.entry(store, 'VRI');
  return (
    holdsProofs(file, value, ['Certs', 'OCSPs', 'CRLs'], ['Type', 'VRI']) &&
    (ofSignatures === null || (ofSignatures instanceof PdfDict && areOfSignatures(file, ofSignatures)))
  );
}

/** Of a signature's /Contents. */
const SHA1 = /^[A-Z\d]{40}$/;

const areOfSignatures = (file: PdfFile, { entries }: PdfDict): boolean =>
  entries.every(
    ({ key, value }) =>
      SHA1.test(key) && holdsProofs(file, value, ['Cert', 'OCSP', 'CRL'], ['Type', 'TU', 'TS']),
  );

/** True for a dictionary with lists of streams under the keys of `lists`. */
function holdsProofs(
  file: PdfFile,
  value: PdfValue,
  lists: readonly string[],
  others: readonly string[],
): boolean {
  const store = file.resolve(value);
  return (
    store instanceof PdfDict &&
    store.entries.every(({ key }) => lists.includes(key) || others.includes(key)) &&
    lists.every((key) => isListOfStreams(file, store.get(key)))
  );
}

function isListOfStreams(file: PdfFile, value: PdfValue): boolean {
  const list = file.resolve(value);
  if (!(list instanceof PdfArray)) return list === null;
  return list.items.every((item) => file.resolve(item.value) instanceof PdfStream);
}

/** Each stream once, even if the list refers to it several times. */
function streamsIn(file: PdfFile, list: PdfArray): PdfStream[] {
  const streams = new Map<number, PdfStream>();
  for (const { value } of list.items.slice(-MAX_ENTRIES)) {
    const stream = attempt(() => file.resolve(value));
    if (stream instanceof PdfStream) streams.set(stream.start, stream);
  }
  return [...streams.values()];
}

function keptIn(file: PdfFile, stream: PdfStream, maxBytes: number): Kept<Uint8Array> | undefined {
  const item = file.decodedData(stream);
  return item.length > maxBytes ? undefined : { item, end: stream.start + file.streamData(stream).length };
}

/** Each certificate once, at its first place: renewals add it again. */
function unique(certificates: readonly Kept<CertificateFields>[]): Kept<CertificateFields>[] {
  const inOrder = [...certificates].sort((a, b) => a.end - b.end);
  return inOrder.filter(
    ({ item }, index) => inOrder.findIndex((each) => sameBytes(each.item.der, item.der)) === index,
  );
}
