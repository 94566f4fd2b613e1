import type { Increment } from '../../../shared/sealing/increment.ts';
import { removeEntry, setEntry, withEdits } from '../../../shared/sealing/pdf/edit.ts';
import type { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { PdfDict, PdfRef, type PdfValue } from '../../../shared/sealing/pdf/values.ts';
import {
  contentsOf,
  revised,
  stamped,
  withCatalogEntry,
  withPageEntry,
  withUnusedObject,
} from '../../support/tampering.ts';
import { HARMLESS, type Kind, plainKinds } from './kinds.ts';

/** Incremental updates that somebody appended after the seal. */

const refOf = (value: PdfValue | undefined): PdfRef => {
  if (value instanceof PdfRef) return value;
  throw new Error('There is no such object.');
};

/** The field of the last seal. */
function sealField(file: PdfFile): PdfRef {
  const fields = file.array(file.dict(file.catalog.get('AcroForm'), 'the form').get('Fields'), 'the fields');
  return refOf(fields?.items.at(-1)?.value);
}

const sealDictionary = (file: PdfFile): PdfRef => refOf(file.dict(sealField(file), 'a field').get('V'));

type Finder = (file: PdfFile) => PdfRef;

/** Writes an object anew with a key set; null takes the key away. */
const withKey =
  (find: Finder, key: string, text: string | null) =>
  (bytes: Buffer): Buffer =>
    revised(bytes, (file, increment) => {
      const ref = find(file);
      const dict = file.dict(ref, 'an object');
      increment.put(
        ref,
        ...withEdits(dict, text === null ? removeEntry(dict, key) : setEntry(dict, key, text)),
      );
    });

const inCatalog =
  (key: string, text: string) =>
  (bytes: Buffer): Buffer =>
    withCatalogEntry(bytes, key, text);
const inPage =
  (key: string, text: string) =>
  (bytes: Buffer): Buffer =>
    withPageEntry(bytes, key, text);
const inPages = (key: string, text: string) => withKey((file) => refOf(file.catalog.get('Pages')), key, text);
const inPageOfSeal = (key: string, text: string) =>
  withKey((file) => refOf(file.dict(sealField(file), 'the field').get('P')), key, text);
const inField = (key: string, text: string | null) => withKey(sealField, key, text);
const inSeal = (key: string, text: string | null) => withKey(sealDictionary, key, text);

const streamOf = (text: string, entries = ''): string =>
  `<<${entries} /Length ${text.length}>>\nstream\n${text}\nendstream`;

/** Adds a new object and refers to it in the catalog. */
const withObjectInCatalog = (bytes: Buffer, key: string, object: string): Buffer =>
  revised(bytes, (file, increment) => {
    const ref = increment.newRef();
    increment.put(ref, object);
    putCatalog(file, increment, key, String(ref));
  });

function putCatalog(file: PdfFile, increment: Increment, key: string, text: string): void {
  const root = refOf(file.xref.trailer.get('Root'));
  const dict = file.catalog;
  increment.put(root, ...withEdits(dict, setEntry(dict, key, text)));
}

const withField = (bytes: Buffer, type: string): Buffer =>
  revised(bytes, (file, increment) => {
    const field = increment.newRef();
    increment.put(field, `<</Type /Annot /Subtype /Widget /FT /${type} /T (More) /Rect [0 0 0 0] /F 132>>`);
    putCatalog(file, increment, 'AcroForm', `<</Fields [${sealField(file)} ${field}] /SigFlags 3>>`);
  });

/** Universal signature forgery: the seal's own dictionary loses what would have to be checked. */
const FORGED: Kind[] = [
  ...['null', '<>', '<00>', '<30800000>', '()', '[]', '0'].map((text) => ['Contents', text] as const),
  ...['null', '[]', '[0 0 0 0]', '[0 -1 0 -1]', '[0 1 2 3 4 5]', '(0)'].map(
    (text) => ['ByteRange', text] as const,
  ),
  ...['/adbe.x509.rsa_sha1', 'null', '/None'].map((text) => ['SubFilter', text] as const),
  ...['null', '/DocTimeStamp'].map((text) => ['Type', text] as const),
].map(([key, text]) => ({
  name: `the seal’s /${key} replaced by ${text}`,
  tamper: ({ bytes }) => inSeal(key, text)(bytes),
}));

/** Takes a key of the seal away where it stands, so that no offset changes. */
const erased =
  (key: string) =>
  (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    copy.write('X', copy.lastIndexOf(`/${key} `) + 1, 'latin1');
    return copy;
  };

/** Writes other numbers over the range where it stands. */
const withRange =
  (numbers: (from: number, to: number, after: number) => readonly number[]) =>
  (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    const { from, to } = contentsOf(bytes);
    const at = copy.lastIndexOf('/ByteRange [', from);
    const room = copy.indexOf(']', at) - at - '/ByteRange ['.length;
    const text = numbers(from, to, bytes.length - to).join(' ');
    copy.write(`/ByteRange [${text.padEnd(room)}]`, at, 'latin1');
    return copy;
  };

export const UPDATES: readonly Kind[] = [
  ...FORGED,
  {
    name: 'an object replaced by null',
    tamper: ({ bytes, random }) =>
      revised(bytes, (file, increment) => {
        const used = Array.from({ length: file.xref.nextNumber }, (_, num) => num).filter(
          (num) => file.xref.entries.get(num)?.kind === 'plain',
        );
        increment.put(new PdfRef(random.of(used), 0), 'null');
      }),
  },
  {
    name: 'an attachment replaced',
    shapes: ['evidence'],
    tamper: ({ bytes }) =>
      revised(bytes, (file, increment) => {
        for (let num = 1; num < file.xref.nextNumber; num += 1) {
          const object = file.object(new PdfRef(num, 0));
          if (!(object instanceof PdfDict) || object.get('EF') === null) continue;
          const embedded = refOf(file.dict(object.get('EF'), 'the file').get('F'));
          increment.put(embedded, streamOf('{"events":[]}', '/Type /EmbeddedFile'));
        }
      }),
  },
  ...plainKinds({
    'a stamp on a page': stamped,
    'a page turned': inPage('Rotate', '90'),
    'a page cropped': inPage('CropBox', '[0 0 10 10]'),
    'a page enlarged': inPage('MediaBox', '[0 0 5000 5000]'),
    'a page without content': inPage('Contents', '[]'),
    'a page without resources': inPage('Resources', '<<>>'),
    'a page with an action': inPage('AA', '<</O <</S /URI /URI (https://example.org)>>>>'),
    'a page without annotations': inPageOfSeal('Annots', '[]'),
    'a page of another unit': inPage('UserUnit', '3'),
    'the pages taken out': inPages('Kids', '[]'),
    'the count of pages changed': inPages('Count', '7'),
    'the pages turned': inPages('Rotate', '180'),
    'an action added': inCatalog('OpenAction', '<</S /URI /URI (https://example.org)>>'),
    'the names and attachments taken away': inCatalog('Names', 'null'),
    'the associated files taken away': inCatalog('AF', '[]'),
    'the form taken away': inCatalog('AcroForm', 'null'),
    'the form emptied': inCatalog('AcroForm', '<</Fields [] /SigFlags 3>>'),
    'layers added': inCatalog('OCProperties', '<</OCGs [] /D <<>>>>'),
    'the permissions taken away': inCatalog('Perms', 'null'),
    'page labels added': inCatalog('PageLabels', '<</Nums [0 <</P (A)>>]>>'),
    'the language changed': inCatalog('Lang', '(xx)'),
    'the version of the file changed': inCatalog('Version', '/1.3'),
    'outlines added': (bytes) => withObjectInCatalog(bytes, 'Outlines', '<</Type /Outlines>>'),
    'the tree of tags replaced': (bytes) =>
      withObjectInCatalog(bytes, 'StructTreeRoot', '<</Type /StructTreeRoot>>'),
    'a script added': (bytes) =>
      withObjectInCatalog(bytes, 'Names', '<</JavaScript <</Names [(a) <</S /JavaScript /JS (0)>>]>>>>'),
    'a field of text added': (bytes) => withField(bytes, 'Tx'),
    'the seal’s field moved': inField('Rect', '[0 0 500 500]'),
    'the seal’s field renamed': inField('T', '(Other)'),
    'the seal’s field given another look': inField('AP', '<</N <<>>>>'),
    'the seal’s field without its value': inField('V', 'null'),
    'the seal’s field of another type': inField('FT', '/Tx'),
    'the seal’s field with an action': inField('A', '<</S /URI /URI (https://example.org)>>'),
    'the seal’s dictionary replaced by a copy': inSeal('M', '(D:20200101000000Z)'),
    'the seal given another reason': inSeal('Reason', '(Approved)'),
    'the seal given another name': inSeal('Name', '(Somebody else)'),
    'the certification taken away': inSeal('Reference', null),
    'the certification loosened': inSeal(
      'Reference',
      '[<</Type /SigRef /TransformMethod /DocMDP /TransformParams <</Type /TransformParams /P 3 /V /1.2>>>>]',
    ),
    'the range taken away in its place': erased('ByteRange'),
    'the contents taken away in their place': erased('Contents'),
    'the range moved': withRange((from, to, after) => [0, from, to + 2, after - 2]),
    'the range shrunk': withRange((from, to, after) => [0, from, to, after - 20]),
    'the range grown': withRange((from, to, after) => [0, from, to, after + 20]),
    'the range begun later': withRange((from, to, after) => [10, from - 10, to, after]),
    'the range of nothing': withRange(() => [0, 0, 0, 0]),
    'the range of the first part alone': withRange((from) => [0, from, from, 0]),
    'the range beyond the file': withRange((from, to) => [0, from, to, 2 ** 31]),
  }),
  ...plainKinds(
    {
      'metadata added': (bytes) =>
        withObjectInCatalog(bytes, 'Metadata', streamOf('<x/>', '/Type /Metadata /Subtype /XML')),
      'an empty signature field added': (bytes) => withField(bytes, 'Sig'),
      'data for validation added': (bytes) => withObjectInCatalog(bytes, 'DSS', '<</Type /DSS /Certs []>>'),
      'an object that nothing uses added': withUnusedObject,
    },
    { right: HARMLESS },
  ),
];
