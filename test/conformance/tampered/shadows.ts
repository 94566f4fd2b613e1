import { craft, revise, startXrefOf } from '../../unit/sealing/craft.ts';
import { type Kind, UNPROVED } from './kinds.ts';

/**
 * Shadow attacks and attacks by incremental saving. A forger prepares a document whose hidden content shows only after it
 * was sealed.
 */

const streamOf = (text: string, entries = ''): string =>
  `<<${entries} /Length ${text.length}>>\nstream\n${text}\nendstream`;
const textOf = (text: string): string => `BT /F 24 Tf 60 700 Td (${text}) Tj ET /Cover Do`;
const pageOf = (content: number): string =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Annots [11 0 R]` +
  ' /Resources <</Font <</F 5 0 R>> /XObject <</Cover 6 0 R>>>>>>';
const catalogOf = (pages: number): string =>
  `<</Type /Catalog /Pages ${pages} 0 R /AcroForm <</Fields [11 0 R] /DA (/F 12 Tf 0 g) /DR <</Font <</F 5 0 R>>>>>>>>`;
const fontOf = (entries = ''): string => `<</Type /Font /Subtype /Type1 /BaseFont /Helvetica ${entries}>>`;
const fieldOf = (value: string): string =>
  `<</Type /Annot /Subtype /Widget /FT /Tx /T (Price) /V (${value}) /Rect [60 600 260 630] /P 3 0 R /F 4 /DA (/F 12 Tf 0 g) /AP <</N 12 0 R>>>>`;
const look = (value: string): string =>
  streamOf(`BT /F 12 Tf 5 10 Td (${value}) Tj ET`, '/Type /XObject /Subtype /Form /BBox [0 0 200 30]');
const cover = (drawing: string): string =>
  streamOf(drawing, '/Type /XObject /Subtype /Form /BBox [0 0 595 842]');

/** A second version of an object hides behind the first one of the number before it. */
const hiding = (object: string, num: number, hidden: string): string =>
  `${object}\nendobj\n${num} 0 obj\n${hidden}`;

const OTHER_FONT = fontOf('/Encoding <</Differences [49 /nine]>>');

/** The document that the forger gives to be sealed. */
export const prepared = (): Buffer =>
  craft({
    objects: {
      1: catalogOf(2),
      2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
      3: pageOf(4),
      4: streamOf(textOf('Price: EUR 1')),
      5: fontOf(),
      6: cover('1 g 60 400 200 40 re f'),
      7: hiding('(seven)', 3, pageOf(8)),
      8: streamOf(textOf('Price: EUR 9')),
      9: hiding('(nine)', 5, OTHER_FONT),
      10: hiding('(ten)', 6, cover('')),
      11: fieldOf('1'),
      12: look('1'),
      13: catalogOf(14),
      14: '<</Type /Pages /Kids [15 0 R] /Count 1>>',
      15: pageOf(8).replace('/Parent 2 0 R', '/Parent 14 0 R'),
    },
  });

const SIZE = 60;
const entry = (num: number, offset: number): string =>
  `${num} 1\n${String(offset).padStart(10, '0')} 00000 n\r\n`;
const table = (entries: string): string => `xref\n0 1\n0000000000 65535 f\r\n${entries}`;
const ending = (bytes: Buffer, at: number, root = '1 0 R'): string =>
  `trailer\n<</Size ${SIZE} /Root ${root} /Prev ${startXrefOf(bytes)}>>\nstartxref\n${at}\n%%EOF\n`;
const append = (bytes: Buffer, text: string): Buffer => Buffer.concat([bytes, Buffer.from(text, 'latin1')]);

/** An update without a single object: its table gives a number that is in use to a hidden object. */
const pointed =
  (num: number) =>
  (bytes: Buffer): Buffer => {
    const hidden = bytes.indexOf(`\nendobj\n${num} 0 obj\n`, bytes.indexOf(`\n${num} 0 obj\n`) + 20);
    return append(bytes, table(entry(num, hidden + '\nendobj\n'.length)) + ending(bytes, bytes.length));
  };

const rewritten =
  (objects: Record<string, string>, trailer = '') =>
  (bytes: Buffer): Buffer =>
    revise(bytes, { objects, trailer, size: SIZE });

const NEW_CONTENT = `4 0 obj\n${streamOf(textOf('Price: EUR 9'))}\nendobj\n`;

/** The seal's dictionary, as it stands. */
const sealText = (bytes: Buffer): string => {
  const text = bytes.toString('latin1');
  const begins = text.lastIndexOf(' 0 obj', text.lastIndexOf('/Type /Sig\n'));
  return text.slice(text.lastIndexOf('\n', begins) + 1, text.indexOf('endobj', begins) + 'endobj\n'.length);
};

const encrypted = rewritten({ 50: '<</Filter /Standard /V 1 /R 2 /O (a) /U (b) /P -4>>' }, '/Encrypt 50 0 R');

/** An update of no object that some programs find fault with: they search for objects, and find the hidden ones. */
const searched =
  ({ rows = '', trailer = '', objects = '' }) =>
  (bytes: Buffer): Buffer => {
    const end = ending(bytes, bytes.length + objects.length).replace('/Root', `${trailer} /Root`);
    return append(bytes, objects + table(rows) + end);
  };

/** A table calls an object free, and the stream that it names lists it: some programs do not see the object. */
const hiddenByHybrid =
  (num: number) =>
  (bytes: Buffer): Buffer => {
    const at = bytes.indexOf(`\n${num} 0 obj\n`) + 1;
    const data = String.fromCharCode(1, ...[24, 16, 8, 0].map((shift) => (at >> shift) & 0xff), 0);
    const dict = `/Type /XRef /Size ${SIZE} /W [1 4 1] /Index [${num} 1] /Root 1 0 R`;
    return searched({
      objects: `50 0 obj\n${streamOf(data, dict)}\nendobj\n`,
      rows: `${num} 1\n0000000000 00001 f\r\n`,
      trailer: `/XRefStm ${bytes.length}`,
    })(bytes);
  };

const ATTACKS: Record<string, (bytes: Buffer) => Buffer> = {
  'hide: a cover emptied': rewritten({ 6: cover('') }),
  'hide: a cover laid over all': rewritten({ 6: cover('1 g 0 0 595 842 re f') }),
  'hide: a cover freed': (bytes) =>
    append(bytes, `${table('6 1\n0000000000 00001 f\r\n')}${ending(bytes, bytes.length)}`),
  'hide: a cover from programs that do not know hybrid files': hiddenByHybrid(6),
  'search: rows of 19 bytes': searched({ rows: '50 1\n0000000000 00001 f\n' }),
  'search: missing information': searched({ trailer: '/Info 59 0 R' }),
  'search: a second catalog': searched({ trailer: '/Root 13 0 R' }),
  'search: an object that no table lists': searched({ objects: NEW_CONTENT }),
  'replace: a font with other digits': rewritten({ 5: OTHER_FONT }),
  'replace: a field with another value': rewritten({ 11: fieldOf('9'), 12: look('9') }),
  'replace: a field with another look': rewritten({ 12: look('9') }),
  'replace: a field with another value that is not drawn': rewritten({ 11: fieldOf('9') }),
  'replace: a field moved': rewritten({ 11: fieldOf('1').replace('[60 600', '[10 10') }),
  'replace: a field locked against the eye': rewritten({ 11: fieldOf('1').replace('/F 4', '/F 2') }),
  'replace: default look of all fields': rewritten({
    1: catalogOf(2).replace('/DA (/F 12 Tf 0 g)', '/DA (/F 12 Tf 1 g) /NeedAppearances true'),
  }),
  'hide and replace: another page': pointed(3),
  'hide and replace: another font': pointed(5),
  'hide and replace: another cover': pointed(6),
  'hide and replace: another catalog': (bytes) =>
    append(bytes, table('') + ending(bytes, bytes.length, '13 0 R')),
  'hide and replace: another tree of pages': rewritten({ 1: catalogOf(14) }),
  'replace: content': rewritten({ 4: streamOf(textOf('Price: EUR 9')) }),
  'incremental saving: an object without a table': (bytes) => append(bytes, NEW_CONTENT),
  'incremental saving: an object and a trailer without a table': (bytes) =>
    append(bytes, NEW_CONTENT + ending(bytes, startXrefOf(bytes))),
  'incremental saving: a table without a trailer': (bytes) =>
    append(
      bytes,
      `${NEW_CONTENT}${table(entry(4, bytes.length))}startxref\n${bytes.length + NEW_CONTENT.length}\n%%EOF\n`,
    ),
  'incremental saving: no end': (bytes) =>
    append(
      bytes,
      NEW_CONTENT +
        table(entry(4, bytes.length)) +
        ending(bytes, bytes.length + NEW_CONTENT.length).replace('%%EOF\n', ''),
    ),
  'incremental saving: with a copy of the seal': (bytes) => {
    const copy = sealText(bytes);
    const objects = NEW_CONTENT + copy;
    const entries =
      entry(4, bytes.length) + entry(Number.parseInt(copy, 10), bytes.length + NEW_CONTENT.length);
    return append(bytes, objects + table(entries) + ending(bytes, bytes.length + objects.length));
  },
  'incremental saving: a start that leads back': (bytes) =>
    append(bytes, `${NEW_CONTENT}startxref\n${startXrefOf(bytes)}\n%%EOF\n`),
  'incremental saving: encrypted': encrypted,
  'incremental saving: two trailers': (bytes) =>
    append(
      bytes,
      table('') +
        ending(bytes, bytes.length).replace(
          'startxref',
          `trailer\n<</Root 13 0 R /Size ${SIZE}>>\nstartxref`,
        ),
    ),
};

export const SHADOWS: readonly Kind[] = Object.entries(ATTACKS).map(([name, attack]) => ({
  name,
  shapes: ['prepared'],
  tamper: ({ bytes }) => attack(bytes),
  ...(attack === encrypted && { right: UNPROVED }),
}));
