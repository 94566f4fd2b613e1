import { deflateSync } from 'node:zlib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { catalog, craft, manyPages, onePage, revise, startXrefOf } from './craft.ts';

const codeOf = (bytes: Uint8Array): string => {
  const result = inspectPdf(bytes);
  return result.ok ? 'ok' : result.code;
};
const replaced = (pdf: Buffer, from: string, to: string): Buffer => {
  expect(pdf.toString('latin1')).toContain(from);
  return Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');
};
const signature = (extra = ''): Record<string, string> => ({
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R] /SigFlags 3>>>>',
  5: '<</FT /Sig /T (A) /V 6 0 R /Subtype /Widget /Rect [0 0 0 0]>>',
  6: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <300B06092A864886F70D010702> ${extra}>>`,
});

describe('What intake accepts', () => {
  it.each([
    ['a plain file', craft({ objects: onePage }), 1],
    ['a cross-reference stream', craft({ objects: onePage, style: 'stream' }), 1],
    ['objects in object streams', craft({ objects: onePage, style: 'stream', packed: [1, 2, 3] }), 1],
    ['19-byte entries in the table', craft({ objects: onePage, entryEnd: '\n' }), 1],
    ['junk before the header', craft({ objects: onePage, junk: 'HTTP/1.1 200 OK\r\n\r\n' }), 1],
    ['a chain that ends with /Prev 0', craft({ objects: onePage, trailer: '/Prev 0' }), 1],
    ['5,000 pages', craft({ objects: manyPages(5000) }), 5000],
    ['non-zero generations', craft({ objects: { ...onePage, '4 3': '<<>>' } }), 1],
  ])('takes %s', (_, pdf, pageCount) => {
    expect(inspectPdf(pdf)).toEqual({ ok: true, pageCount, signed: false });
  });

  it('takes 300 revisions', () => {
    let pdf = craft({ objects: onePage });
    for (let i = 0; i < 300; i += 1) pdf = revise(pdf, { objects: { 4: `(revision ${i})` } });
    expect(inspectPdf(pdf)).toEqual({ ok: true, pageCount: 1, signed: false });
  });

  it('takes a hybrid file whose pages are visible in its stream alone', () => {
    const hidden = craft({ objects: onePage, style: 'stream', packed: [3] });
    const stream = startXrefOf(hidden);
    const at = (num: number): string => String(hidden.indexOf(`${num} 0 obj`)).padStart(10, '0');
    const table = `xref\n0 4\n0000000000 65535 f\r\n${at(1)} 00000 n\r\n${at(2)} 00000 n\r\n0000000000 00000 f\r\n`;
    const trailer = `trailer\n<</Size 6 /Root 1 0 R /XRefStm ${stream}>>\nstartxref\n${hidden.length}\n%%EOF\n`;
    expect(codeOf(Buffer.concat([hidden, Buffer.from(table + trailer)]))).toBe('ok');
  });

  it('sees that a document is signed, also when a field inherits its type', () => {
    expect(inspectPdf(craft({ objects: { ...onePage, ...signature() } }))).toMatchObject({ signed: true });
    const inherited = {
      ...onePage,
      ...signature(),
      5: '<</FT /Sig /T (A) /Kids [7 0 R]>>',
      7: '<</T (B) /V 6 0 R>>',
    };
    expect(inspectPdf(craft({ objects: inherited }))).toMatchObject({ signed: true });
  });

  it('does not call an empty signature field a signature', () => {
    const empty = { ...onePage, ...signature(), 5: '<</FT /Sig /T (A)>>' };
    expect(inspectPdf(craft({ objects: empty }))).toMatchObject({ ok: true, signed: false });
  });

  it('takes certifications that allow signatures, whether P is 2, 3 or left out', () => {
    for (const permission of ['/P 2', '/P 3', '']) {
      const reference = `/Reference [<</TransformMethod /DocMDP /TransformParams <<${permission} /V /1.2>>>>]`;
      expect(codeOf(craft({ objects: { ...onePage, ...signature(reference) } }))).toBe('ok');
    }
  });
});

describe('What intake refuses', () => {
  it.each([
    ['not_a_pdf', 'text', Buffer.from('hello')],
    ['not_a_pdf', 'nothing', Buffer.alloc(0)],
    ['pdf_damaged', 'a header alone', Buffer.from('%PDF-1.7\n')],
    ['pdf_damaged', 'a file cut short', craft({ objects: manyPages(50) }).subarray(0, 2000)],
    [
      'pdf_encrypted',
      'an encrypted file',
      craft({ objects: { ...onePage, 4: '<<>>' }, trailer: '/Encrypt 4 0 R' }),
    ],
    ['pdf_no_pages', 'no pages', craft({ objects: { 1: catalog, 2: '<</Type /Pages /Kids [] /Count 0>>' } })],
    [
      'pdf_damaged',
      'a wrong page count',
      craft({ objects: { ...onePage, 2: '<</Kids [3 0 R] /Count 7>>' } }),
    ],
    [
      'pdf_damaged',
      'a page tree that loops',
      craft({ objects: { 1: catalog, 2: '<</Kids [2 0 R] /Count 1>>' } }),
    ],
    [
      'pdf_damaged',
      'a page listed twice',
      craft({ objects: { ...onePage, 2: '<</Kids [3 0 R 3 0 R] /Count 2>>' } }),
    ],
    [
      'pdf_damaged',
      'a page that is missing',
      craft({ objects: { ...onePage, 2: '<</Kids [3 0 R 9 0 R] /Count 2>>' } }),
    ],
    ['pdf_damaged', 'a page that is only a tree', craft({ objects: { 1: catalog, 2: '<</Type /Page>>' } })],
    ['pdf_damaged', 'a catalog without pages', craft({ objects: { ...onePage, 1: '<<>>' } })],
    [
      'pdf_damaged',
      'fields that are no list',
      craft({ objects: { ...onePage, 1: '<</Pages 2 0 R /AcroForm <</Fields 7>>>>' } }),
    ],
    [
      'pdf_dynamic_form',
      'a dynamic form',
      craft({ objects: { ...onePage, 1: '<</Pages 2 0 R /NeedsRendering true>>' } }),
    ],
    ['pdf_damaged', 'references in a circle', craft({ objects: { ...onePage, 2: '4 0 R', 4: '2 0 R' } })],
    ['pdf_too_complex', 'a huge /Size', craft({ objects: onePage, size: 2_000_000_000 })],
  ])('answers %s for %s', (code, _, pdf) => {
    expect(codeOf(pdf)).toBe(code);
  });

  it('tells a person why, in a sentence', () => {
    const result = inspectPdf(Buffer.from('hello'));
    expect(result).toEqual({
      ok: false,
      code: 'not_a_pdf',
      reason: 'The file is not a PDF.',
      detail: expect.any(String),
    });
  });

  it.each([
    ['a certification with P 1', '/Reference [<</TransformMethod /DocMDP /TransformParams <</P 1>>>>]'],
    ['a lock on all fields', '/Reference [<</TransformMethod /FieldMDP /TransformParams <</Action /All>>>>]'],
    [
      'a lock on all fields but some',
      '/Reference [<</TransformMethod /FieldMDP /TransformParams <</Action /Exclude>>>>]',
    ],
  ])('answers pdf_certified for %s', (_, reference) => {
    expect(codeOf(craft({ objects: { ...onePage, ...signature(reference) } }))).toBe('pdf_certified');
  });

  it('answers pdf_certified when only the catalog knows of the certification', () => {
    const objects = {
      ...onePage,
      ...signature('/Reference [<</TransformMethod /DocMDP /TransformParams <</P 1>>>>]'),
      1: '<</Pages 2 0 R /Perms <</DocMDP 6 0 R>>>>',
    };
    expect(codeOf(craft({ objects }))).toBe('pdf_certified');
  });

  it.each([
    ['has its contents twice', signature('/Contents <3000>')],
    ['is cut short', { ...signature(), 6: '<</Type /Sig /Contents <3082FFFF06092A864886F70D010702>>>' }],
    ['holds other data', { ...signature(), 6: '<</Type /Sig /Contents <300B06092A864886F70D010703>>>' }],
    ['holds no CMS', { ...signature(), 6: '<</Type /Sig /Contents (text)>>' }],
    [
      'is no object of its own',
      { ...signature(), 5: '<</FT /Sig /T (A) /V <</Contents <300B06092A864886F70D010702>>>>>' },
    ],
  ])('answers pdf_damaged when an earlier signature %s, over which validators stumble', (_, objects) => {
    expect(codeOf(craft({ objects: { ...onePage, ...objects } }))).toBe('pdf_damaged');
  });

  it('does not believe a cross-reference that points elsewhere', () => {
    const pdf = craft({ objects: onePage });
    expect(codeOf(replaced(pdf, '2 0 obj', '8 0 obj'))).toBe('pdf_damaged');
  });
});

describe('Files made to hurt', () => {
  const within = (milliseconds: number, pdf: Uint8Array): string => {
    const begun = performance.now();
    const code = codeOf(pdf);
    expect(performance.now() - begun).toBeLessThan(milliseconds);
    return code;
  };

  it('gives up on /Prev loops, over one section or many', () => {
    const pdf = craft({ objects: onePage, trailer: '/Prev 0000000000' });
    const self = replaced(pdf, '/Prev 0000000000', `/Prev ${String(startXrefOf(pdf)).padStart(10, '0')}`);
    expect(within(1000, self)).toBe('pdf_damaged');
  });

  it('gives up on 50,000 arrays or dictionaries inside one another', () => {
    const arrays = '['.repeat(50_000) + ']'.repeat(50_000);
    const dicts = '<</A '.repeat(50_000) + '>>'.repeat(50_000);
    expect(within(1000, craft({ objects: { ...onePage, 1: `<</Pages 2 0 R /X ${arrays}>>` } }))).toBe(
      'pdf_too_complex',
    );
    expect(within(1000, craft({ objects: { ...onePage, 3: dicts } }))).toBe('pdf_too_complex');
  });

  it('gives up on a page tree 50,000 levels deep', () => {
    const levels = Array.from({ length: 50_000 }, (_, i) => [i + 2, `<</Kids [${i + 3} 0 R] /Count 1>>`]);
    const objects = { 1: catalog, ...Object.fromEntries(levels), 50002: '<</Type /Page>>' };
    expect(within(5000, craft({ objects }))).toBe('pdf_too_complex');
  });

  it('gives up on cross-reference and object streams that explode', () => {
    const bomb = deflateSync(Buffer.alloc(60 * 1024 * 1024)).toString('latin1');
    const objstm = `<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bomb.length}>>\nstream\n${bomb}\nendstream`;
    const packed = craft({ objects: { ...onePage, 9: objstm }, style: 'stream', packed: [3] });
    const text = packed.toString('latin1');
    const xref = `1 0 obj\n<</Type /XRef /Size 5 /Root 1 0 R /W [1 4 1] /Filter /FlateDecode /Length ${bomb.length}>>\nstream\n${bomb}\nendstream\nendobj\nstartxref\n9\n%%EOF\n`;
    expect(within(2000, Buffer.from(`%PDF-1.7\n${xref}`, 'latin1'))).toBe('pdf_too_complex');
    const swapped = text.replace(
      /\d+ 0 obj\n<<\/Type \/ObjStm \/N 1 \/First \d+ /,
      (head) => `${head.split(' ')[0]} 0 obj\n${objstm}\nendobj\n%`,
    );
    expect(within(2000, Buffer.from(swapped, 'latin1'))).toMatch(/^pdf_/);
  });

  it('gives up on a table that claims four thousand million entries', () => {
    const text = craft({ objects: onePage }).toString('latin1').replace('xref\n0 1', 'xref\n0 4294967295');
    expect(within(1000, Buffer.from(text, 'latin1'))).toBe('pdf_damaged');
  });

  it('gives up on object numbers that no reader must handle', () => {
    const text = craft({ objects: onePage }).toString('latin1').replace('xref\n0 1', 'xref\n99999999 1');
    expect(within(1000, Buffer.from(text, 'latin1'))).toBe('pdf_too_complex');
  });

  it('gives up on an object stream that lies in itself or names its length inside itself', () => {
    const pdf = craft({ objects: onePage, style: 'stream', packed: [3] });
    const length = /\/ObjStm .*?\/Length (\d+)/.exec(pdf.toString('latin1'))?.[1] ?? '';
    expect(within(1000, replaced(pdf, `/Length ${length}>>`, '/Length 3 0 R>>'))).toBe('pdf_damaged');
  });

  it('gives up on a dictionary with millions of values in little time and memory', () => {
    const wide = `<</Pages 2 0 R /X [${'0 '.repeat(3_000_000)}]>>`;
    expect(within(3000, craft({ objects: { ...onePage, 1: wide } }))).toBe('pdf_too_complex');
  });
});
