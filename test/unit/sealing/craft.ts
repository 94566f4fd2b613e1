import { deflateSync } from 'node:zlib';

/** PDFs written by hand, byte for byte, so that each oddity of real files can be made on purpose. */
export interface Crafted {
  /** Object number to its text; "7 1" stands for object 7 with generation 1. */
  objects: Record<string, string>;
  trailer?: string;
  style?: 'table' | 'stream';
  /** Objects that go into an object stream (style "stream" only). */
  packed?: number[];
  /** Bytes that end an entry of the table: 20 bytes by the book, 19 in many files. */
  entryEnd?: string;
  /** Bytes before the header; offsets count from the header. */
  junk?: string;
  size?: number;
}

export const CATALOG = '<</Type /Catalog /Pages 2 0 R>>';
export const ONE_PAGE: Record<string, string> = {
  1: CATALOG,
  2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300]>>',
};

/** One page more or less: `kids` pages from object 10 on. */
export function manyPages(kids: number): Record<string, string> {
  const numbers = Array.from({ length: kids }, (_, index) => index + 10);
  const pages = numbers.map((num) => [num, '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300]>>']);
  return {
    1: CATALOG,
    2: `<</Type /Pages /Kids [${numbers.map((num) => `${num} 0 R`).join(' ')}] /Count ${kids}>>`,
    ...Object.fromEntries(pages),
  };
}

/** Pages, each with fifteen links that are objects of their own. */
export function linkedPages(count: number): Record<string, string> {
  const { 1: catalog = '', 2: list = '', ...pages } = manyPages(count);
  const first = 10 + count;
  const linksOf = (page: number) => Array.from({ length: 15 }, (_, index) => first + page * 15 + index);
  const withLinks = Object.entries(pages).map(([num, page]) => {
    const refs = linksOf(Number(num) - 10).map((link) => `${link} 0 R`);
    return [num, page.replace('>>', ` /Annots [${refs.join(' ')}]>>`)];
  });
  const link =
    '<</Type /Annot /Subtype /Link /Border [0 0 1] /C [1 0 0] /Rect [10.1 20.5 30.7 40.2] /A <</S /GoTo /D (section.1)>>>>';
  const links = Array.from({ length: count * 15 }, (_, index) => [first + index, link]);
  return { 1: catalog, 2: list, ...Object.fromEntries(withLinks), ...Object.fromEntries(links) };
}

export function craft(crafted: Crafted): Buffer {
  const start = `${crafted.junk ?? ''}%PDF-1.7\n`;
  return Buffer.from(start + section(crafted, start.length, (crafted.junk ?? '').length), 'latin1');
}

/** A file whose first object, 10, is this one. */
export const beginningWith = (first: string, trailer = '/Prev 0'): Buffer =>
  craft({
    objects: {
      10: first,
      11: '<</Type /Catalog /Pages 12 0 R>>',
      12: '<</Type /Pages /Kids [13 0 R] /Count 1>>',
      13: '<</Type /Page /Parent 12 0 R /MediaBox [0 0 200 300]>>',
    },
    trailer: `/Root 11 0 R ${trailer}`,
  });

/** Two pages, the objects 10 and 11, behind a linearization dictionary that is true but for what is given. */
export function linearized(claims: Record<string, number> = {}): Buffer {
  const make = (length: number, table: number): Buffer => {
    const entries = { Linearized: 1, L: length, H: '[1 1]', O: 10, E: 1, N: 2, T: 1, ...claims };
    const dict = Object.entries(entries).map(([key, value]) => `/${key} ${value}`);
    const first = `%PDF-1.7\n1 0 obj\n<<${dict.join(' ')}>>\nendobj\n`.padEnd(table);
    const { 1: catalog = '', ...pages } = manyPages(2);
    const rest = [...Object.entries(pages), ['5', catalog]].map(
      ([num, object]) => `${num} 0 obj\n${object}\nendobj\n`,
    );
    const begins = table + 300;
    const offsets = rest.map((_, index) => begins + rest.slice(0, index).join('').length);
    const rows = offsets.map(
      (at, index) => `${rest[index]?.split(' ')[0]} 1\n${String(at).padStart(10, '0')} 00000 n\r\n`,
    );
    const own = `1 1\n${pad('%PDF-1.7\n'.length, 10)} 00000 n\r\n`;
    const xref = `xref\n${own}${rows.join('')}trailer\n<</Size 12 /Root 5 0 R>>\nstartxref\n0\n%%EOF\n`;
    return Buffer.from(`${first}${xref.padEnd(300)}${rest.join('')}startxref\n${table}\n%%EOF\n`);
  };
  return make(make(1000, 200).length, 200);
}

/** Adds a revision as some editor might have done. */
export function revise(pdf: Buffer, crafted: Omit<Crafted, 'junk'>): Buffer {
  const previous = startXrefOf(pdf);
  const trailer = `${crafted.trailer ?? ''} /Prev ${previous}`;
  return Buffer.concat([pdf, Buffer.from(section({ ...crafted, trailer }, pdf.length, 0), 'latin1')]);
}

/** Adds a revision that only lists packed objects again: each number with its object stream and its place there. */
export function relist(pdf: Buffer, packed: [num: number, container: number, index: number][]): Buffer {
  const num = 60;
  const rows = [...packed.map((row) => [row[0], 2, row[1], row[2]]), [num, 1, pdf.length, 0]];
  const data = rows.flatMap(([, type = 0, second = 0, third = 0]) => [type, ...bytes(second), third]);
  const index = rows.map(([first]) => `${first} 1`).join(' ');
  const dict = `<</Type /XRef /Size ${num + 1} /Root 1 0 R /Prev ${startXrefOf(pdf)} /W [1 4 1] /Index [${index}] /Length ${data.length}>>`;
  const head = Buffer.from(`${num} 0 obj\n${dict}\nstream\n`);
  const end = Buffer.from(`\nendstream\nendobj\nstartxref\n${pdf.length}\n%%EOF\n`);
  return Buffer.concat([pdf, head, Buffer.from(data), end]);
}

export const startXrefOf = (pdf: Buffer): number =>
  Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.subarray(-60).toString('latin1'))?.[1]);

interface Placed {
  num: number;
  gen: number;
  offset: number;
}

function section(crafted: Crafted, at: number, base: number): string {
  const packed = new Set(crafted.packed ?? []);
  const placed: Placed[] = [];
  let text = '';
  const put = (num: number, gen: number, content: string): void => {
    placed.push({ num, gen, offset: at + text.length - base });
    text += `${num} ${gen} obj\n${content}\nendobj\n`;
  };
  for (const [key, content] of Object.entries(crafted.objects)) {
    const [num = 0, gen = 0] = key.split(' ').map(Number);
    if (!packed.has(num)) put(num, gen, content);
  }
  const numbers = Object.keys(crafted.objects).map((key) => Number(key.split(' ')[0]));
  const size = crafted.size ?? Math.max(...numbers) + 1;
  const root = crafted.trailer?.includes('/Root') ? '' : '/Root 1 0 R';
  if (crafted.style !== 'stream') {
    const table = placed
      .map(
        ({ num, gen, offset }) =>
          `${num} 1\n${pad(offset, 10)} ${pad(gen, 5)} n${crafted.entryEnd ?? '\r\n'}`,
      )
      .join('');
    const where = at + text.length - base;
    return `${text}xref\n0 1\n${pad(0, 10)} 65535 f${crafted.entryEnd ?? '\r\n'}${table}trailer\n<</Size ${size} ${root} ${crafted.trailer ?? ''}>>\nstartxref\n${where}\n%%EOF\n`;
  }
  const container = size + 1;
  if (packed.size > 0) put(container, 0, objectStream([...packed], crafted.objects));
  const where = at + text.length - base;
  const rows = [
    ...placed.map(({ num, gen, offset }) => ({ num, row: [1, offset, gen] })),
    ...[...packed].map((num, index) => ({ num, row: [2, container, index] })),
    { num: size, row: [1, where, 0] },
  ].toSorted((a, b) => a.num - b.num);
  const width = packed.size > 256 ? 2 : 1;
  const data = Buffer.concat(
    rows.map(({ row: [type = 0, second = 0, third = 0] }) =>
      Buffer.from([type, ...bytes(second), ...bytes(third).slice(-width)]),
    ),
  );
  const index = rows.map(({ num }) => `${num} 1`).join(' ');
  const stream = deflateSync(data).toString('latin1');
  const dict = `<</Type /XRef /Size ${container + 1} ${root} ${crafted.trailer ?? ''} /W [1 4 ${width}] /Index [${index}] /Filter /FlateDecode /Length ${stream.length}>>`;
  return `${text}${size} 0 obj\n${dict}\nstream\n${stream}\nendstream\nendobj\nstartxref\n${where}\n%%EOF\n`;
}

export function objectStream(numbers: number[], objects: Record<string, string>): string {
  let offset = 0;
  const index = numbers.map((num) => {
    const entry = `${num} ${offset}`;
    offset += (objects[num] ?? '').length + 1;
    return entry;
  });
  const head = `${index.join(' ')} `;
  const body = numbers.map((num) => `${objects[num]} `).join('');
  const data = deflateSync(Buffer.from(head + body, 'latin1')).toString('latin1');
  return `<</Type /ObjStm /N ${numbers.length} /First ${head.length} /Filter /FlateDecode /Length ${data.length}>>\nstream\n${data}\nendstream`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');
const bytes = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff);

/** A hybrid file: its hidden stream has some of its objects, and its table calls these or others free. */
export function hybrid(objects: Record<string, string>, packed: number[], free = packed): Buffer {
  const hidden = craft({ objects, style: 'stream', packed });
  const numbers = Object.keys(objects).map(Number);
  const inUse = numbers
    .filter((num) => !packed.includes(num))
    .map((num) => `${num} 1\n${String(hidden.indexOf(`\n${num} 0 obj`) + 1).padStart(10, '0')} 00000 n\r\n`);
  const rows = [...inUse, ...[0, ...free].map((num) => `${num} 1\n0000000000 00000 f\r\n`)];
  const table = `xref\n${rows.join('')}`;
  const trailer = `trailer\n<</Size ${Math.max(...numbers) + 3} /Root 1 0 R /XRefStm ${startXrefOf(hidden)}>>\n`;
  const end = `startxref\n${hidden.length}\n%%EOF\n`;
  return Buffer.concat([hidden, Buffer.from(table + trailer + end)]);
}
