import { distinct } from '../der.ts';
import { Increment } from '../increment.ts';
import { type Edit, extendedArray, setEntry, withEdits } from '../pdf/edit.ts';
import { damaged } from '../pdf/refusal.ts';
import { type PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '../pdf/values.ts';
import { openPdf } from '../plan.ts';
import type { ProvedChain } from './proof.ts';

/** The certificates and answers of a Document Security Store (EN 319 142-1, 5.4.2), as DER. */
export type Store = Readonly<Record<(typeof KINDS)[number], readonly Uint8Array[]>>;

const KINDS = ['Certs', 'OCSPs', 'CRLs'] as const;

/** Each certificate and answer once. */
export function storeOf(proved: readonly ProvedChain[]): Store {
  const ders = (all: readonly { der: Uint8Array }[]) => distinct(all).map(({ der }) => der);
  const answers = Map.groupBy(
    proved.flatMap(({ proofs }) => proofs),
    ({ kind }) => kind,
  );
  return {
    Certs: ders(proved.flatMap(({ chain }) => chain)),
    OCSPs: ders(answers.get('ocsp') ?? []),
    CRLs: ders(answers.get('crl') ?? []),
  };
}

type Opened = ReturnType<typeof openPdf>;

/** Null if there is none; refuses anything else than a list. */
const listOf = ({ file, catalog }: Opened, kind: keyof Store): PdfArray | null =>
  file.array(file.entry(catalog.dict.get('DSS'), kind), 'the list of a security store');

/** A file's store and its lists. */
export const partsOfStore = (opened: Opened): PdfObject[] => [
  opened.file.resolve(opened.catalog.dict.get('DSS')),
  ...KINDS.map((kind) => listOf(opened, kind)),
];

/** Refuses a store that cannot be extended. Sealing may reuse the number of a missing object for one of its own. */
export function refuseBrokenStore({ file, catalog }: Opened): void {
  const value = catalog.dict.get('DSS');
  const store = file.resolve(value);
  const parts = store instanceof PdfDict ? KINDS.map((kind) => store.get(kind)) : [];
  if ([value, ...parts].some((part) => part instanceof PdfRef && file.resolve(part) === null))
    throw damaged('a part of the security store is missing');
  partsOfStore({ file, catalog });
}

/** The revision that adds a store to a file or extends its store. The same input gives the same bytes. */
export function storeIncrement(bytes: Uint8Array, store: Store): Uint8Array {
  const opened = openPdf(bytes);
  const { file, catalog } = opened;
  const increment = new Increment(file);
  const value = catalog.dict.get('DSS');
  const old = file.resolve(value);
  const entries = KINDS.filter((kind) => store[kind].length > 0).map((kind) => {
    const added = store[kind].map((der) => putStream(increment, der)).join(' ');
    return { kind, list: extendedArray(listOf(opened, kind), added) };
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

/** The entries added to a file's store after the first `end` bytes, in order. Does not check what else was added. */
export function readStore(bytes: Uint8Array, end: number): Store {
  const before = openPdf(bytes.subarray(0, end));
  const after = openPdf(bytes);
  const read = (kind: keyof Store): Uint8Array[] => {
    const known = listOf(before, kind)?.items.length ?? 0;
    const added = listOf(after, kind)?.items.slice(known) ?? [];
    return added
      .map(({ value }) => after.file.resolve(value))
      .filter((entry) => entry instanceof PdfStream)
      .map((stream) => after.file.decodedData(stream));
  };
  return { Certs: read('Certs'), OCSPs: read('OCSPs'), CRLs: read('CRLs') };
}
