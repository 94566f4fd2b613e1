import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { craft, ONE_PAGE } from './craft.ts';

const FILE = '<</Length 3>>\nstream\nabc\nendstream';
const sized = (params: string) => FILE.replace('<<', `<</Params ${params} `);
const PAGE = (entries: string) => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] ${entries}>>`;
const CATALOG = (entries: string) => `<</Type /Catalog /Pages 2 0 R ${entries}>>`;
const pin = (entries: string) => `<</Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] ${entries}>>`;
const A_SPECIFICATION = '<</Type /Filespec /UF (a.txt) /EF <</F 20 0 R>>>>';

const listed = (objects: Record<number, string>) =>
  inspectPdf(craft({ objects: { ...ONE_PAGE, 20: FILE, 21: FILE, ...objects } }));

describe('the attachments of a document', () => {
  it.each<[string, Record<number, string>]>([
    ['by name', { 1: CATALOG('/Names <</EmbeddedFiles <</Names [(a) 10 0 R]>>>>'), 10: A_SPECIFICATION }],
    [
      'by name, in another object',
      {
        1: CATALOG('/Names 11 0 R'),
        11: `<</EmbeddedFiles 12 0 R>>`,
        12: `<</Names [(a) ${A_SPECIFICATION}]>>`,
      },
    ],
    ['as the document’s', { 1: CATALOG(`/AF [${A_SPECIFICATION}]`) }],
    ['as a page’s', { 3: PAGE('/AF 11 0 R'), 11: `[${A_SPECIFICATION}]` }],
    ['by a pin on a page', { 3: PAGE('/Annots [11 0 R]'), 11: pin('/FS 10 0 R'), 10: A_SPECIFICATION }],
  ])('are listed if they are named %s', (_, objects) => {
    expect(listed(objects)).toMatchObject({ ok: true, attachments: [{ name: 'a.txt', size: 3 }] });
  });

  it('are listed once, however many places name them', () => {
    const objects = {
      1: CATALOG('/Names <</EmbeddedFiles <</Names [(a) 10 0 R (b) 10 0 R]>>>> /AF [10 0 R]'),
      3: PAGE('/AF [10 0 R] /Annots 12 0 R'),
      10: '<</Type /Filespec /UF (a.txt) /EF <</F 20 0 R /UF 20 0 R>>>>',
      11: pin('/FS 10 0 R'),
      12: '[11 0 R 11 0 R]',
    };
    expect(listed(objects)).toMatchObject({ attachments: [{ name: 'a.txt', size: 3 }] });
  });

  it('are listed with a second file of one specification', () => {
    const specification = '<</Type /Filespec /F (a.txt) /EF <</F 20 0 R /UF 21 0 R>>>>';
    expect(listed({ 1: CATALOG(`/AF [${specification}]`) })).toMatchObject({
      attachments: [{ name: 'a.txt' }, { name: 'a.txt' }],
    });
  });

  it.each([
    ['a link', '<</Type /Filespec /F (a.txt)>>'],
    ['no specification', '(a.txt)'],
    ['a specification without a stream', '<</Type /Filespec /F (a.txt) /EF <</F (text)>>>>'],
    ['a specification of a text', '<</Type /Filespec /F (a.txt) /EF (text)>>'],
  ])('are none where there is %s', (_, value) => {
    expect(listed({ 1: CATALOG(`/AF [${value}]`) })).toMatchObject({ ok: true, attachments: [] });
  });

  it('are none where a comment has a file', () => {
    const comment = pin(`/FS ${A_SPECIFICATION}`).replace('FileAttachment', 'Square');
    expect(listed({ 3: PAGE(`/Annots [${comment}]`) })).toMatchObject({ attachments: [] });
  });

  it.each([
    ['/UF (a.txt) /F (b.txt)', 'a.txt'],
    ['/F (b.txt) /UF <FEFF00E9>', 'é'],
    ['/F (b.txt)', 'b.txt'],
    ['/F 22 0 R', 'far.txt'],
    ['/UF /Name /F (b.txt)', 'b.txt'],
    ['', ''],
    [`/F (${'x'.repeat(300)})`, 'x'.repeat(255)],
    [`/F <FEFF${'D83DDE00'.repeat(200)}>`, `${'😀'.repeat(127)}\ufffd`],
  ])('have the name of %.40s', (names, name) => {
    const specification = `<</Type /Filespec ${names} /EF <</F 20 0 R>>>>`;
    expect(listed({ 1: CATALOG(`/AF [${specification}]`), 22: '(far.txt)' })).toMatchObject({
      attachments: [{ name }],
    });
  });

  it.each([
    ['<</Size 5000>>', 5000],
    ['23 0 R', 7],
    ['<</Size -1>>', 3],
    ['<</Size 1.5>>', 3],
    ['(none)', 3],
  ])('have the size that %s states, or that of what is stored', (params, size) => {
    expect(
      listed({ 1: CATALOG(`/AF [${A_SPECIFICATION}]`), 20: sized(params), 23: '<</Size 7>>' }),
    ).toMatchObject({
      attachments: [{ size }],
    });
  });

  it.each([
    ['a length that is too short', FILE.replace('3', '1')],
    ['a length beyond the file, which could grow to it once the file is sealed', FILE.replace('3', '9000')],
    ['a comment before its end', FILE.replace('abc', 'abc\n%')],
    ['its content in another file', FILE.replace('<<', '<</F (b.txt) ')],
  ])('are refused with %s, since programs would save different files', (_, file) => {
    expect(listed({ 1: CATALOG(`/AF [${A_SPECIFICATION}]`), 20: file })).toMatchObject({
      ok: false,
      code: 'pdf_damaged',
    });
  });

  it.each([
    [1_000, { ok: true }],
    [1_001, { ok: false, code: 'pdf_too_complex' }],
  ])('may be so many: %d', (count, answer) => {
    const numbers = Array.from({ length: count }, (_, index) => 100 + index);
    const files = numbers.map((num) => [num, FILE]);
    const list = numbers.map((num) => A_SPECIFICATION.replace('20 0 R', `${num} 0 R`)).join(' ');
    expect(listed({ 1: CATALOG(`/AF [${list}]`), ...Object.fromEntries(files) })).toMatchObject(answer);
  });
});
