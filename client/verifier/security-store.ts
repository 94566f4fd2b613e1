import type { CertificateFields } from '../../shared/sealing/certificate-fields.ts';
import { DerError } from '../../shared/sealing/der.ts';
import { type RevocationList, readRevocationList } from '../../shared/sealing/long-term/list-claim.ts';
import { type OcspAnswer, readOcsp } from '../../shared/sealing/long-term/ocsp-claim.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { PdfRefusal } from '../../shared/sealing/pdf/refusal.ts';
import { PdfArray, PdfDict, PdfStream } from '../../shared/sealing/pdf/values.ts';
import { SignatureFault } from '../../shared/sealing/signed-data.ts';
import { readCertificates } from './certificates.ts';

/** Something that a file keeps for its validation, and the offset at which that ends. */
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

/** Decades of renewals fill a few dozen. */
const MAX_ENTRIES = 100;
const MAX_ENTRY_BYTES = 1024 * 1024;

/** Entries that cannot be read are left out: they prove nothing. */
export function readSecurityStore(file: PdfFile): SecurityStore {
  const store = attempt(() => {
    const catalog = file.dict(file.xref.trailer.get('Root'), 'the catalog');
    return file.resolve(catalog.get('DSS'));
  });
  const read = <T>(key: string, parse: (der: Uint8Array) => T | undefined): Kept<T>[] => {
    const list = store instanceof PdfDict ? attempt(() => file.resolve(store.get(key))) : null;
    if (!(list instanceof PdfArray)) return [];
    return list.items.slice(-MAX_ENTRIES).flatMap(({ value }) => {
      const kept = attempt(() => keptIn(file, file.resolve(value)));
      const item = kept && attempt(() => parse(kept.item));
      return kept && item ? [{ item, end: kept.end }] : [];
    });
  };
  return {
    certificates: read('Certs', (der) => readCertificates([der])[0]),
    answers: read('OCSPs', readOcsp),
    lists: read('CRLs', readRevocationList),
  };
}

function keptIn(file: PdfFile, value: unknown): Kept<Uint8Array> | undefined {
  if (!(value instanceof PdfStream) || value.dict.source !== file.bytes) return undefined;
  const item = file.decodedData(value);
  return item.length > MAX_ENTRY_BYTES
    ? undefined
    : { item, end: value.start + file.streamData(value).length };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const isFault =
      error instanceof SignatureFault || error instanceof DerError || error instanceof PdfRefusal;
    if (!isFault) throw error;
    return undefined;
  }
}
