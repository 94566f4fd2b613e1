import { inflate } from '../../../shared/sealing/inflate.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { PdfArray, PdfDict, PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { beginningWith, craft, hybrid, manyPages, ONE_PAGE, relist, revise } from './craft.ts';
import { codeOf } from './inspected.ts';
import { PACKED, packing, SPACES, signature, withPage } from './intake-files.ts';

/** A table that stands before its objects, and ends the chain with /Prev 0. */
function tableFirst(): Buffer {
  const HEAD = '%PDF-1.7\n';
  const objects = Object.entries(ONE_PAGE).map(([num, object]) => `${num} 0 obj\n${object}\nendobj\n`);
  const tableAt = (begins: number): string => {
    const rows = objects.map((_, index) => begins + objects.slice(0, index).join('').length);
    const entries = rows.map((at) => `${String(at).padStart(10, '0')} 00000 n\r\n`).join('');
    return `xref\n0 4\n0000000000 65535 f\r\n${entries}trailer\n<</Size 4 /Root 1 0 R /Prev 0>>\n`;
  };
  const begins = HEAD.length + tableAt(0).length;
  return Buffer.from(`${HEAD}${tableAt(begins)}${objects.join('')}startxref\n${HEAD.length}\n%%EOF\n`);
}

const PREDICTED = '<</Predictor 15 /Columns 999 /Colors 1 /BitsPerComponent 8>>';

describe('accepted PDFs', () => {
  it.each([
    ['a plain file', craft({ objects: ONE_PAGE }), 1],
    ['a cross-reference stream', craft({ objects: ONE_PAGE, style: 'stream' }), 1],
    ['objects in object streams', craft({ objects: ONE_PAGE, style: 'stream', packed: [1, 2, 3] }), 1],
    ['19-byte entries in the table', craft({ objects: ONE_PAGE, entryEnd: '\n' }), 1],
    ['a chain that ends with /Prev 0', craft({ objects: ONE_PAGE, trailer: '/Prev 0' }), 1],
    ['such a chain behind a stream', beginningWith('<</Length 0>>\nstream\n\nendstream'), 1],
    ['such a chain, with the cross-reference before the objects', tableFirst(), 1],
    ['large objects that sealing leaves alone', craft({ objects: { ...ONE_PAGE, 4: `(${SPACES})` } }), 1],
    ['5,000 pages', craft({ objects: manyPages(5000) }), 5000],
    ['non-zero generations', craft({ objects: { ...ONE_PAGE, '4 3': '<<>>' } }), 1],
  ])('intake accepts %s', (_, pdf, pageCount) => {
    expect(inspectPdf(pdf)).toEqual({ ok: true, pageCount, signed: false, attachments: [] });
  });

  it('intake accepts a file with 300 revisions', () => {
    let pdf = craft({ objects: ONE_PAGE });
    for (let i = 0; i < 300; i += 1) pdf = revise(pdf, { objects: { 4: `(revision ${i})` } });
    expect(inspectPdf(pdf)).toMatchObject({ ok: true, pageCount: 1, signed: false });
  });

  it('intake accepts deleted objects', () => {
    const deleted = revise(craft({ objects: { ...ONE_PAGE, 4: '(old)' } }), { objects: {}, size: 5 })
      .toString('latin1')
      .replace(/(xref\n0 1\n.*\r\n)(?=trailer\n<<[^>]*\/Prev)/, '$14 1\n0000000000 00001 f\r\n');
    const file = new PdfFile(Buffer.from(deleted, 'latin1'), new Budget(inflate));
    expect(file.xref.entries.get(4)).toEqual({ kind: 'free' });
    expect(codeOf(Buffer.from(deleted, 'latin1'))).toBe('ok');
  });

  it('intake accepts packed objects that are listed again', () => {
    expect(codeOf(relist(PACKED, [[4, 7, 0]]))).toBe('ok');
    expect(codeOf(packing([4, 5]))).toBe('ok');
  });

  it('intake accepts a hybrid file whose pages are listed only in its hidden stream', () => {
    expect(codeOf(hybrid(ONE_PAGE, [3]))).toBe('ok');
  });

  it('intake accepts a hybrid file whose hidden stream has what pages do not draw', () => {
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R>>',
      4: '<</Type /StructTreeRoot /K 5 0 R>>',
      5: '<</S /Document /Pg 3 0 R>>',
    };
    expect(codeOf(hybrid(objects, [4, 5]))).toBe('ok');
  });

  it.each<[string, number, string, Record<string, string>]>([
    ['no parameters', 222, '/Filter /FlateDecode', {}],
    ['parameters without a predictor', 222, '/Filter /FlateDecode /DecodeParms <</Columns 999>>', {}],
    ['a list of filters and no parameters', 222, '/Filter [/FlateDecode]', {}],
    ['a list of no parameters', 222, '/Filter [/FlateDecode] /DecodeParms [null]', {}],
    ['a predictor', 111, '/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 999>>', {}],
    ['one in another object', 111, '/Filter /FlateDecode /DecodeParms 6 0 R', { 6: PREDICTED }],
    ['one that a list names', 111, '/Filter [/Fl] /DecodeParms [6 0 R]', { 6: PREDICTED }],
  ])('an object stream is decoded as other programs do: %s', (_, width, entries, others) => {
    const pdf = withPage(`/First 5 ${entries}`, others);
    expect(codeOf(pdf)).toBe('ok');
    const page = new PdfFile(pdf, new Budget(inflate)).resolve(new PdfRef(3, 0));
    const box = page instanceof PdfDict ? page.get('MediaBox') : null;
    expect(box instanceof PdfArray ? box.items[2]?.value : box).toBe(width);
  });

  it('a document is reported as signed, even if the signature field inherits its type', () => {
    expect(inspectPdf(craft({ objects: { ...ONE_PAGE, ...signature() } }))).toMatchObject({ signed: true });
    const inherited = {
      ...ONE_PAGE,
      ...signature(),
      5: '<</FT /Sig /T (A) /Kids [7 0 R]>>',
      7: '<</T (B) /V 6 0 R>>',
    };
    expect(inspectPdf(craft({ objects: inherited }))).toMatchObject({ signed: true });
  });

  it('a document is reported as signed by any of the fields that stand in its form itself', () => {
    const fields = '<</FT /Tx /T (B)>> <</FT /Sig /T (A) /V 6 0 R>>';
    const form = `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields}]>>>>`;
    expect(inspectPdf(craft({ objects: { ...ONE_PAGE, ...signature(), 1: form } }))).toMatchObject({
      signed: true,
    });
  });

  it('a field whose look is no dictionary is accepted', () => {
    const form = '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [<</FT /Tx /T (A) /AP 7>>]>>>>';
    expect(codeOf(craft({ objects: { ...ONE_PAGE, 1: form } }))).toBe('ok');
  });

  it.each<[string, string]>([
    ['its list of fields', `/AcroForm <<${'/Fields []'.repeat(130_000)}>>`],
    ['that it has no form', '/AcroForm null'.repeat(130_000)],
  ])('intake accepts a file that says very often %s', (_, entries) => {
    const objects = { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${entries}>>` };
    expect(inspectPdf(craft({ objects }))).toMatchObject({ ok: true });
  });

  it.each(['(a\\tb.\\344)', '(a\\rb)', '<61\r62>', '<FEFF00E4D83DDE00>', '<EFBBBFC3A4>', '()'])(
    'intake accepts a field with the name %s',
    (name) => {
      const objects = {
        ...ONE_PAGE,
        1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [<</FT /Tx /T ${name}>>]>>>>`,
      };
      expect(inspectPdf(craft({ objects }))).toMatchObject({ ok: true });
    },
  );

  it('an empty signature field is not a signature', () => {
    const empty = { ...ONE_PAGE, ...signature(), 5: '<</FT /Sig /T (A)>>' };
    expect(inspectPdf(craft({ objects: empty }))).toMatchObject({ ok: true, signed: false });
  });

  it('intake accepts certifications with P=2, P=3 or no P, which allow signatures', () => {
    for (const permission of ['/P 2', '/P 3', '']) {
      const reference = `/Reference [<</TransformMethod /DocMDP /TransformParams <<${permission} /V /1.2>>>>]`;
      expect(codeOf(craft({ objects: { ...ONE_PAGE, ...signature(reference) } }))).toBe('ok');
    }
  });
});

const withStore = (store: string): Buffer =>
  craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /DSS ${store}>>` }, size: 100 });

describe('PDFs that could be sealed, and yet no proofs or pages added', () => {
  it.each(['<</Certs 7>>', '<</OCSPs (x)>>', '<</CRLs 99 0 R>>', '99 0 R'])(
    'a file whose security store is %s is refused',
    (store) => {
      expect(codeOf(withStore(store))).toBe('pdf_damaged');
    },
  );

  it.each(['<<>>', '<</Certs [] /VRI 7>>', '<</Certs [99 0 R]>>', 'null'])(
    'a file whose security store is %s is accepted',
    (store) => {
      expect(codeOf(withStore(store))).toBe('ok');
    },
  );
});
