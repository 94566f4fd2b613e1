import { Increment } from '../increment.ts';
import { type Edit, extendedArray, setEntry, withEdits } from '../pdf/edit.ts';
import { damaged } from '../pdf/refusal.ts';
import { PdfDict, PdfRef, PdfStream } from '../pdf/values.ts';
import { openPdf } from '../plan.ts';
import type { ProvedChain } from './proof.ts';

/** The certificates and answers of a Document Security Store (EN 319 142-1, 5.4.2), as DER. */
export type Store = Readonly<Record<(typeof KINDS)[number], readonly Uint8Array[]>>;

const KINDS = ['Certs', 'OCSPs', 'CRLs'] as const;

/** Each certificate and answer once. */
export function storeOf(proved: readonly ProvedChain[]): Store {
  const proofs = proved.flatMap((each) => each.proofs);
  const answers = (wanted: 'ocsp' | 'crl') =>
    proofs.filter(({ kind }) => kind === wanted).map(({ der }) => der);
  return {
    Certs: unique(proved.flatMap(({ chain }) => chain.map(({ der }) => der))),
    OCSPs: unique(answers('ocsp')),
    CRLs: unique(answers('crl')),
  };
}

const unique = (all: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(all.map((der) => [Buffer.from(der).toString('latin1'), der])).values(),
];

/** The revision that adds a store to a file, or to the store that the file has. The same input gives the same bytes. */
export function storeIncrement(bytes: Uint8Array, store: Store): Uint8Array {
  const { file, catalog } = openPdf(bytes);
  const increment = new Increment(file);
  const value = catalog.dict.get('DSS');
  const old = file.resolve(value);
  const entries = KINDS.filter((kind) => store[kind].length > 0).map((kind) => {
    const known = old instanceof PdfDict ? file.array(old.get(kind), 'the list of a security store') : null;
    const added = store[kind].map((der) => putStream(increment, der)).join(' ');
    return { kind, list: extendedArray(known, added) };
  });
  if (old instanceof PdfDict) {
    const edits = entries.flatMap(({ kind, list }): Edit[] => setEntry(old, kind, list));
    const at = value instanceof PdfRef ? file.lastReference(value) : undefined;
    increment.put(at ?? catalog.ref, ...withEdits(at ? old : catalog.dict, edits));
  } else {
    const dict = `<<${entries.map(({ kind, list }) => `/${kind} ${list}`).join(' ')}>>`;
    const ref = increment.newRef();
    increment.put(ref, dict);
    increment.put(catalog.ref, ...withEdits(catalog.dict, setEntry(catalog.dict, 'DSS', String(ref))));
  }
  increment.finish();
  return Buffer.concat(increment.chunks);
}

function putStream(increment: Increment, der: Uint8Array): PdfRef {
  const ref = increment.newRef();
  increment.put(ref, `<</Length ${der.length}>>\nstream\n`, der, '\nendstream');
  return ref;
}

/** The part of a file's store that its objects from an offset on hold, in order. */
export function readStore(bytes: Uint8Array, from: number): Store {
  const { file, catalog } = openPdf(bytes);
  const dict = file.dict(catalog.dict.get('DSS'), 'the security store');
  const read = (kind: keyof Store): Uint8Array[] => {
    const list = file.array(dict.get(kind), 'the list of a security store');
    return (list?.items ?? []).flatMap(({ value }) => {
      const stream = file.resolve(value);
      if (!(stream instanceof PdfStream)) throw damaged('an entry of the security store is no stream');
      return stream.dict.source === bytes && stream.start >= from ? [file.decodedData(stream)] : [];
    });
  };
  return { Certs: read('Certs'), OCSPs: read('OCSPs'), CRLs: read('CRLs') };
}
