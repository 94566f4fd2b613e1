import { deflateSync } from 'node:zlib';
import { Random } from '../support/random.ts';
import { CATALOG, craft, manyPages, ONE_PAGE, revise } from '../unit/sealing/craft.ts';

/** PDFs made to cost time and memory: some by grammar, most by damage. The same seed makes the same file. */

/** The largest document that the service takes. */
const MAX_BYTES = 10 * 1024 * 1024;

const refs = (numbers: readonly number[]) => numbers.map((num) => `${num} 0 R`).join(' ');
const count = (length: number, first = 100) => Array.from({ length }, (_, index) => first + index);
const each = (numbers: readonly number[], text: string | ((num: number) => string)) =>
  Object.fromEntries(numbers.map((num) => [num, typeof text === 'string' ? text : text(num)]));
const stream = (data: Uint8Array, entries = '') =>
  `<<${entries} /Filter /FlateDecode /Length ${data.length}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
const withCatalog = (entries: string) => ({ ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${entries}>>` });

type Objects = Record<string, string>;

/** A value that is cheap to write and dear to read. */
function costlyValue(random: Random, bytes: number): string {
  const times = (text: string) => text.repeat(Math.max(1, Math.floor(bytes / text.length)));
  return random.of([
    () => `${times(' ')}0`,
    () => `${times('%x\n')}0`,
    () => `%${times('x')}\n0`,
    () => `(${times('x')})`,
    () => `(${times('(')}${times(')')})`,
    () => `(${times('\\n')})`,
    () => `<${times('41')}>`,
    () => `<${times(' ')}>`,
    () => `[${times(`/${'n'.repeat(4_000)} `)}]`,
    () => `[${times(`/${'#6e'.repeat(1_300)} `)}]`,
    () => times('0'),
    () => `[${times('0 ')}]`,
    () => `[${times('3 0 R ')}]`,
    () => `[${times('[]')}]`,
    () => `<<${times('/A 0')}>>`,
    () =>
      `<<${count(Math.floor(bytes / 12))
        .map((num) => `/K${num} 0`)
        .join('')}>>`,
    () => '['.repeat(99) + times('0 ') + ']'.repeat(99),
    () => '<</A '.repeat(50_000) + '>>'.repeat(50_000),
  ])();
}

/** Many references to one object, directly or each through an object of its own. */
function shared(random: Random, most: number): { objects: Objects; list: string } {
  const numbers = count(random.upTo(most));
  return random.below(2) === 0
    ? { objects: {}, list: '50 0 R '.repeat(numbers.length) }
    : { objects: each(numbers, '50 0 R'), list: refs(numbers) };
}

/** Each makes the objects of a file that one loop of the reader could be caught by. */
const GRAMMAR: readonly ((random: Random, size: number) => Objects)[] = [
  (random, size) => {
    const { objects, list } = shared(random, 60_000);
    const page = `<</Type /Page /MediaBox [0 0 9 9] /X ${costlyValue(random, size)}>>`;
    return { ...objects, 1: CATALOG, 2: `<</Kids [${list}] /Count ${list.length / 7}>>`, 50: page };
  },
  (random, size) => {
    const { objects, list } = shared(random, 60_000);
    const field = `<</FT /Sig /T (A) /V ${costlyValue(random, size)} /Kids [${list}]>>`;
    return { ...withCatalog(`/AcroForm <</Fields [${list}]>>`), ...objects, 50: field };
  },
  (random, size) => {
    const numbers = count(random.upTo(60_000));
    const kids = `[${refs(numbers)} ${'<<>>'.repeat(random.upTo(size / 4))}]`;
    return {
      ...withCatalog(`/AcroForm <</Fields 50 0 R>>`),
      ...each(numbers, (num) => `<</T (${num}) /Kids 50 0 R>>`),
      50: kids,
    };
  },
  (random, size) => {
    const numbers = count(random.upTo(20_000));
    const contents = `300B06092A864886F70D010702${'0'.repeat(size)}`;
    return {
      ...withCatalog(`/AcroForm <</Fields [${refs(numbers)}]>>`),
      ...each(numbers, (num) => `<</FT /Sig /T (${num}) /V 50 0 R>>`),
      50: `<</Type /Sig /Contents <${contents}> /ByteRange 51 0 R>>`,
      51: `[${'0 0 '.repeat(random.upTo(120_000))}]`,
    };
  },
  (random, size) => {
    const numbers = count(random.upTo(20_000));
    const sig = '/Type /Sig /Contents <300B06092A864886F70D010702> /ByteRange 51 0 R';
    return {
      ...withCatalog(`/AcroForm <</Fields [${refs(numbers)}]>>`),
      ...each(numbers, (num) => `<</FT /Sig /T (${num}) /V ${num + 30_000} 0 R>>`),
      ...each(
        numbers.map((num) => num + 30_000),
        `<<${sig}>>`,
      ),
      51: `[${'0 0 '.repeat(random.upTo(size / 4))}]`,
    };
  },
  (random, size) => {
    const numbers = count(random.upTo(100_000));
    const list = `[${refs(numbers)} ${costlyValue(random, size / 2)}]`;
    return {
      ...ONE_PAGE,
      3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 50 0 R>>`,
      50: list,
      ...each(numbers, random.of(['50 0 R', '<</A 50 0 R /Next 50 0 R>>', '<</AA 51 0 R /Kids 50 0 R>>'])),
      51: costlyValue(random, 500_000),
    };
  },
  (random, size) => ({
    ...ONE_PAGE,
    3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${'/Annots 0'.repeat(random.upTo(100_000))} /Annots [${'0 '.repeat(random.upTo(size / 2))}]>>`,
  }),
  (random) => {
    const text = random.of([
      Buffer.alloc(30_000_000),
      Buffer.alloc(30_000_000, '<a'),
      Buffer.alloc(30_000_000, 'a'),
    ]);
    return {
      ...withCatalog(`/AcroForm <</XFA [${'(x) 50 0 R '.repeat(random.upTo(20_000))}]>>`),
      50: stream(deflateSync(text)),
    };
  },
  (random, size) => {
    const { objects, list } = shared(random, 100_000);
    return {
      ...withCatalog(
        random.of([
          `/Names <</EmbeddedFiles <</Kids [${list}]>>>>`,
          `/Names <</JavaScript <</Kids [${list}] /Names [${list}]>>>>`,
          `/AF [${list}]`,
          `/OCProperties <</OCGs [${list}] /D <</BaseState /OFF /ON [${list}]>>>>`,
          `/Outlines <</First 50 0 R /Next 50 0 R>>`,
          `/OpenAction [${list}]`,
        ]),
      ),
      ...objects,
      50: `<</Kids [${list}] /EF <</F 51 0 R>> /UF ${costlyValue(random, size / 2)} /Usage 51 0 R>>`,
      51: '<</Length 1>>\nstream\nx\nendstream',
    };
  },
  (random, size) => {
    const { objects, list } = shared(random, 100_000);
    return {
      ...ONE_PAGE,
      3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources <</XObject [${list}] /Font 50 0 R>>>>`,
      ...objects,
      50: `<</Resources [${list}] /Type /OCMD /VE [${list}] /Alternates [${list}] /X ${costlyValue(random, size / 2)}>>`,
    };
  },
  (random, size) => {
    const numbers = count(random.upTo(150_000));
    return {
      ...withCatalog('/Outlines 100 0 R'),
      ...each(
        numbers,
        (num) => `<</Next ${num + 1} 0 R /First ${num + random.below(9)} 0 R /Parent 50 0 R>>`,
      ),
      50: costlyValue(random, size / 2),
    };
  },
];

/** A chain of cross-reference sections, or one that decompresses to much. */
const CROSS_REFERENCES: readonly ((random: Random) => Buffer)[] = [
  (random) => {
    const sections = random.upTo(150_000);
    let [text, previous] = ['%PDF-1.7\n', 0];
    for (let section = 0; section < sections; section += 1) {
      const at = text.length;
      text += `xref\n0 0\ntrailer\n<</Size 9${previous ? ` /Prev ${previous}` : ''}>>\n`;
      previous = at;
    }
    return Buffer.from(`${text}startxref\n${previous}\n%%EOF\n`, 'latin1');
  },
  (random) => {
    const entries = random.upTo(500_000);
    const table = '0000000009 00000 n\r\n'.repeat(entries);
    const start = '%PDF-1.7\n1 0 obj\n<</Pages 2 0 R>>\nendobj\n';
    return Buffer.from(
      `${start}xref\n0 ${entries}\n${table}trailer\n<</Size ${random.upTo(9_000_000)} /Root 1 0 R>>\nstartxref\n${start.length}\n%%EOF\n`,
      'latin1',
    );
  },
  (random) => {
    const columns = random.of([1, 6, 1_000]);
    const row = Buffer.alloc(columns + 1, random.below(256));
    row[0] = random.below(5);
    const data = deflateSync(Buffer.alloc(random.upTo(33_000_000), row));
    const repeats = Math.max(1, Math.min(random.upTo(300), Math.floor(9_000_000 / (data.length + 300))));
    let [text, previous] = ['%PDF-1.7\n', 0];
    for (let section = 0; section < repeats; section += 1) {
      const at = text.length;
      const parms = `/DecodeParms <</Predictor 12 /Columns ${columns}>>`;
      const entries = `/Type /XRef /Size 9 /Root 1 0 R /W [1 4 1] ${previous ? `/Prev ${previous}` : ''} ${random.of(['', parms])}`;
      text += `9 0 obj\n${stream(data, entries)}\nendobj\n`;
      previous = at;
    }
    return Buffer.from(`${text}startxref\n${previous}\n%%EOF\n`, 'latin1');
  },
  (random) => {
    const members = count(random.upTo(60_000));
    const objects = {
      1: CATALOG,
      2: `<</Kids [${refs(members)}] /Count ${members.length}>>`,
      ...each(members, `<</Type /Page /X ${costlyValue(random, random.upTo(20_000))}>>`),
    };
    return craft({ objects: within(objects), style: 'stream', packed: members });
  },
  overlapping,
];

/** Many objects of one object stream that overlap: each is white space before the same value, and reads it anew. */
function overlapping(random: Random): Buffer {
  const members = count(random.upTo(20_000));
  const objects = {
    ...withCatalog(
      random.of([
        `/AcroForm <</Fields [${refs(members)}]>>`,
        `/Names <</EmbeddedFiles <</Kids [${refs(members)}]>>>>`,
        `/OCProperties <</OCGs [${refs(members)}]>>`,
        `/OpenAction [${refs(members)}]`,
      ]),
    ),
    ...each(members, ''),
    90000: costlyValue(random, random.upTo(8_000_000)),
  };
  return craft({ objects, style: 'stream', packed: [...members, 90_000] });
}

/** Leaves objects out until the file can be at most as large as the service takes. */
function within(objects: Objects): Objects {
  let left = MAX_BYTES - 1_000;
  return Object.fromEntries(
    Object.entries(objects).filter(([, text]) => {
      left -= text.length + 60;
      return left > 0;
    }),
  );
}

const SEEDS = [
  craft({ objects: ONE_PAGE }),
  craft({ objects: manyPages(3), style: 'stream', packed: [2, 10, 11, 12] }),
  revise(craft({ objects: manyPages(3) }), { objects: { 1: CATALOG } }),
  craft({
    objects: {
      ...withCatalog('/AcroForm <</Fields [5 0 R]>> /Names <</EmbeddedFiles <</Names [(a) 6 0 R]>>>>'),
      5: '<</FT /Sig /T (A) /V 7 0 R>>',
      6: '<</Type /Filespec /UF (a.txt) /EF <</F 8 0 R>>>>',
      7: '<</Type /Sig /Contents <300B06092A864886F70D010702> /ByteRange [0 9 9 9]>>',
      8: '<</Length 1>>\nstream\nx\nendstream',
    },
  }),
];

/** Sets, removes, repeats or inserts bytes, often those that mean something in PDF. */
function damage(random: Random, pdf: Buffer): Buffer {
  const from = random.below(pdf.length);
  const length = 1 + random.below(60);
  const byte = random.below(2) === 0 ? random.below(256) : random.of([...Buffer.from('<>[]()/%R0129 ')]);
  return Buffer.concat(
    random.of([
      [pdf.subarray(0, from), Buffer.of(byte), pdf.subarray(from + 1)],
      [pdf.subarray(0, from), pdf.subarray(from + length)],
      [pdf.subarray(0, from + length), pdf.subarray(from)],
      [pdf.subarray(0, from), Buffer.alloc(random.upTo(2_000_000), byte), pdf.subarray(from)],
    ]),
  ).subarray(0, MAX_BYTES);
}

/** One file in five is made by grammar, since those are the large ones. */
export function hostilePdf(seed: number): Buffer {
  const random = new Random(seed);
  if (random.below(5) > 0) {
    let pdf = random.of(SEEDS);
    for (let changes = 1 + random.below(8); changes > 0; changes -= 1) pdf = damage(random, pdf);
    return pdf;
  }
  if (random.below(4) === 0) return random.of(CROSS_REFERENCES)(random).subarray(0, MAX_BYTES);
  const objects = random.of(GRAMMAR)(random, random.upTo(8_000_000));
  return craft({ objects: within(objects) });
}
