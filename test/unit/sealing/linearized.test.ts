import { inflate } from '../../../shared/sealing/inflate.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { refuseFalseLinearization } from '../../../shared/sealing/linearization.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { linearized } from './craft.ts';
import { codeOf, replaced } from './inspected.ts';

describe('linearized PDFs', () => {
  const length = linearized().length;

  it('are accepted', () => {
    expect(inspectPdf(linearized())).toMatchObject({ ok: true, pageCount: 2 });
    expect(codeOf(linearized({ O: 11, P: 1 }))).toBe('ok');
    const commented = linearized()
      .toString('latin1')
      .replace(/ {9}xref/, '% text  \nxref');
    expect(codeOf(Buffer.from(commented, 'latin1'))).toBe('ok');
  });

  it.each<[string, Record<string, number>]>([
    ['another number of pages', { N: 1 }],
    ['another first page', { O: 11 }],
    ['no page as the first', { O: 2 }],
    ['another page by its number', { P: 1 }],
    ['a page beyond the last', { P: 2 }],
  ])('are refused if their dictionary names %s, which some programs would believe', (_, claims) => {
    expect(codeOf(linearized(claims))).toBe('pdf_damaged');
    expect(codeOf(linearized({ ...claims, L: length + 20_000 }))).toBe('pdf_damaged');
    expect(codeOf(linearized({ ...claims, L: length - 1 }))).toBe('ok');
  });

  const [digit, ...digits] = String(length);

  it.each<[string, Record<string, number>, string, string]>([
    ['an object number with a sign', { N: 1 }, '1 0 obj\n<<', '+1 0 obj<<'],
    ['an object number with a point', { N: 1 }, '1 0 obj\n<<', '1. 0 obj<<'],
    ['a length with a minus', { N: 1 }, `/L ${length} /H`, `/L ${digit}-${digits.join('')}/H`],
    ['a number of pages with a minus', {}, '/E 1 /N 2 /T 1', '/E 1/N 2-1/T 1'],
    ['a first page with a minus', {}, ' /O 10 /E 1', '/O 10-1/E 1'],
    ['a number of the first page with a minus', { P: 0 }, '/N 2 /T 1 /P 0', '/N 2/T 1/P 0-1'],
  ])('are refused if their dictionary has %s, which programs read differently', (_, claims, from, to) => {
    const pdf = replaced(linearized(claims), from, to);
    expect(pdf).toHaveLength(linearized(claims).length);
    expect(codeOf(pdf)).toBe('pdf_damaged');
  });

  it('are looked at from the header on, as programs do', () => {
    const pdf = Buffer.concat([Buffer.from('junk\n'), linearized({ N: 1 })]);
    const file = new PdfFile(pdf, new Budget(inflate));
    expect(() => refuseFalseLinearization(file, () => [])).toThrow('contradicts');
  });

  it('are refused if another cross-reference follows their dictionary', () => {
    const text = linearized().toString('latin1');
    const begins = text.indexOf('xref');
    const table = text.slice(begins, text.indexOf('startxref')).replace('/Root', `/Prev ${begins} /Root`);
    const end = text.lastIndexOf('startxref');
    const other = `${text.slice(0, end)}${table}startxref\n${end}\n%%EOF\n`;
    expect(codeOf(Buffer.from(other, 'latin1'))).toBe('ok');
    const claimed = other.replace(`/L ${length}`, `/L ${other.length}`);
    expect(codeOf(Buffer.from(claimed, 'latin1'))).toBe('pdf_damaged');
  });
});
