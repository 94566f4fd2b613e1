import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { makeSignaturePage } from '../../../shared/stamping/signature-page.ts';
import { drawnSignature, pageInput, signer } from '../../support/signature-input.ts';
import { craft, hybrid } from './craft.ts';
import { sealIt } from './sealing-kit.ts';

/** The structure of the sealed document, as pdf.js reads it for screen readers. */

interface Node {
  role?: string;
  alt?: string;
  lang?: string;
  type?: string;
  children?: Node[];
}

const TEXT = 'BT /F 12 Tf 20 20 Td (Contract) Tj ET';
const CONTENT = `/P <</MCID 0>> BDC ${TEXT} EMC`;

/** A page with one paragraph; `root` and `tree` write its structure in their own way. */
const tagged = (root: string, others: Record<string, string> = {}) => ({
  1: '<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 6 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 4 0 R /StructParents 0 /Resources <</Font <</F 5 0 R>>>>>>',
  4: `<</Length ${CONTENT.length}>>\nstream\n${CONTENT}\nendstream`,
  5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  6: root,
  7: '<</S /Document /P 6 0 R /K [8 0 R]>>',
  8: '<</S /P /P 7 0 R /Pg 3 0 R /K 0>>',
  9: '[8 0 R]',
  ...others,
});

const USUAL = '<</Type /StructTreeRoot /K 7 0 R /ParentTree <</Nums [0 9 0 R]>> /ParentTreeNextKey 1>>';

async function structureOf(original: Buffer): Promise<(Node | null)[]> {
  expect(inspectPdf(original)).toMatchObject({ ok: true });
  const page = await makeSignaturePage(pageInput({ signers: [signer('Aino Virtanen')] }));
  const { bytes } = await sealIt(original, { signaturePage: page });
  expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true });
  return treesOf(bytes);
}

async function treesOf(bytes: Uint8Array): Promise<(Node | null)[]> {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 });
  const pdf = await task.promise;
  const trees = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    trees.push((await (await pdf.getPage(number)).getStructTree()) as Node | null);
  await task.destroy();
  return trees;
}

const alternativesIn = (node: Node): string[] => [
  ...(node.alt ? [node.alt] : []),
  ...(node.children ?? []).flatMap(alternativesIn),
];

const rolesIn = (node: Node): string[] => [
  ...(node.role ? [node.role] : []),
  ...(node.children ?? []).flatMap(rolesIn),
];

const isWithoutStructure = (page: Node | null | undefined): boolean =>
  !page || rolesIn(page).every((role) => role === 'Root');

describe('the structure of a sealed document', () => {
  it.each<[string, Record<string, string>]>([
    ['has one element', tagged(USUAL)],
    ['has a list of elements', tagged(USUAL.replace('/K 7 0 R', '/K [7 0 R]'))],
    [
      'has a list of elements in an object',
      tagged(USUAL.replace('/K 7 0 R', '/K 10 0 R'), { 10: '[7 0 R]' }),
    ],
    ['names no next key', tagged(USUAL.replace('/ParentTreeNextKey 1', ''))],
    ['names a next key that is taken', tagged(USUAL.replace('NextKey 1', 'NextKey 0'))],
    [
      'has a tree in an object',
      tagged(USUAL.replace('<</Nums [0 9 0 R]>>', '10 0 R'), { 10: '<</Nums [0 9 0 R]>>' }),
    ],
    [
      'has a tree with kids',
      tagged(USUAL.replace('/Nums [0 9 0 R]', '/Kids [10 0 R]'), {
        10: '<</Limits [0 0] /Nums [0 9 0 R]>>',
      }),
    ],
    [
      'has roles of its own, and a standard one that stays what it is',
      tagged(USUAL.replace('/K', '/RoleMap <</Title /H1 /Document /Document>> /K')),
    ],
    ['is its own tree', tagged('<</Type /StructTreeRoot /K 7 0 R /Nums [0 9 0 R] /ParentTree 6 0 R>>')],
    [
      'has pages as its tree',
      tagged(USUAL.replace('<</Nums [0 9 0 R]>>', '10 0 R'), {
        2: '<</Type /Pages /Kids [10 0 R] /Count 1>>',
        3: tagged(USUAL)[3].replace('/Type /Page', '/Type /Page /Limits [0 0] /Nums [0 9 0 R]'),
        10: '<</Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1>>',
      }),
    ],
  ])('a signature page joins a structure that %s', async (_, objects) => {
    for (const original of [craft({ objects }), craft({ objects, style: 'stream', packed: [6, 7, 8, 9] })]) {
      const [first, added] = await structureOf(original);
      expect(first && rolesIn(first)).toEqual(['Root', 'Document', 'P']);
      const roles = added ? rolesIn(added) : [];
      expect(roles.slice(0, 2)).toEqual(['Root', 'Document']);
      expect(roles).toContain('H1');
      expect(roles.filter((role) => role === 'P').length).toBeGreaterThan(10);
      expect(added?.children?.[0]?.lang).toBe('en');
    }
  });

  it.each<[string, Record<string, string>]>([
    ['has none', tagged(USUAL, { 1: '<</Type /Catalog /Pages 2 0 R>>' })],
    ['has no tree of parents', tagged('<</Type /StructTreeRoot /K 7 0 R>>')],
    ['has a tree without entries or kids', tagged(USUAL.replace('/Nums [0 9 0 R]', ''))],
    ['has a tree with an odd entry', tagged(USUAL.replace('/Nums [0 9 0 R]', '/Nums [0]'))],
    ['has an empty tree', tagged(USUAL.replace('/Nums [0 9 0 R]', '/Nums []'))],
    ['counts in halves', tagged(USUAL.replace('[0 9 0 R]', '[0.5 9 0 R]'))],
    ['has no key left', tagged(USUAL.replace('NextKey 1', 'NextKey 2147483647'))],
    ['has kids without limits', tagged(USUAL.replace('/Nums [0 9 0 R]', '/Kids [10 0 R]'), { 10: '<<>>' })],
    ['has no kids', tagged(USUAL.replace('/Nums [0 9 0 R]', '/Kids []'))],
    [
      'has kids with one limit',
      tagged(USUAL.replace('/Nums [0 9 0 R]', '/Kids [10 0 R]'), { 10: '<</Limits [0]>>' }),
    ],
    [
      'has kids that count in halves',
      tagged(USUAL.replace('/Nums [0 9 0 R]', '/Kids [10 0 R]'), { 10: '<</Limits [0 0.5]>>' }),
    ],
    [
      'has a tree with entries and kids',
      tagged(USUAL.replace('/Nums [0 9 0 R]', '/Nums [0 9 0 R] /Kids [10 0 R]'), {
        10: '<</Limits [0 0] /Nums [0 9 0 R]>>',
      }),
    ],
    ['gives our paragraphs another role', tagged(USUAL.replace('/K', '/RoleMap <</P /Artifact>> /K'))],
    [
      'gives our cells another role by way of a third one',
      tagged(USUAL.replace('/K', '/RoleMap 10 0 R /K'), { 10: '<</TD /Mine /Mine /NonStruct>>' }),
    ],
    ['has roles that are no dictionary', tagged(USUAL.replace('/K', '/RoleMap [] /K'))],
    ['has a number as its element', tagged(USUAL.replace('/K 7 0 R', '/K 7'))],
    ['has no elements', tagged(USUAL.replace('/K 7 0 R', ''))],
    ['is no dictionary', tagged('7')],
    [
      'stands in the catalog itself',
      tagged(USUAL, { 1: `<</Type /Catalog /Pages 2 0 R /StructTreeRoot ${USUAL}>>` }),
    ],
    [
      'is the list of pages',
      tagged(USUAL, {
        1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 2 0 R>>',
        2: '<</Type /Pages /Kids [3 0 R] /Count 1 /K 7 0 R /ParentTree <</Nums [0 9 0 R]>>>>',
      }),
    ],
    [
      'would be written again in many bytes',
      tagged(USUAL.replace('/Nums [0', `/Nums [${' '.repeat(1024 * 1024)}0`)),
    ],
    ['refers to an object that is not there', tagged(USUAL.replace('/K 7 0 R', '/K [7 0 R 99 0 R]'))],
    [
      'refers to another generation',
      tagged(USUAL.replace('<</Nums [0 9 0 R]>>', '10 1 R'), { 10: '<</Nums [0 9 0 R]>>' }),
    ],
    ['gives one key two values', tagged(USUAL.replace('/K 7 0 R', '/K 7 0 R /K 8 0 R'))],
    ['leads in a circle', tagged(USUAL.replace('/K 7 0 R', '/K 10 0 R'), { 10: '11 0 R', 11: '10 0 R' })],
  ])('a document whose structure %s is sealed, with its page without structure', async (_, objects) => {
    const [, added] = await structureOf(craft({ objects }));
    expect(isWithoutStructure(added)).toBe(true);
  });

  it.each<[string, string, Record<string, string>]>([
    ['entries', '/Nums [0 9 0 R 3 9 0 R]', {}],
    ['kids', '/Kids [10 0 R]', { 10: '<</Limits [0 3] /Nums [0 9 0 R 3 9 0 R]>>' }],
    ['entries out of order', '/Nums [3 9 0 R 0 9 0 R]', {}],
    [
      'kids that do not keep to their limits',
      '/Kids [10 0 R]',
      { 10: '<</Limits [0 0] /Nums [0 9 0 R 3 9 0 R]>>' },
    ],
  ])(
    'the pages that are added have the keys after the largest one of a tree of %s',
    async (_, tree, kids) => {
      const root = USUAL.replace('/Nums [0 9 0 R]', tree).replace('/ParentTreeNextKey 1', '');
      const signers = Array.from({ length: 12 }, (_signer, n) => signer(`Signer ${n}`));
      const { bytes } = await sealIt(craft({ objects: tagged(root, kids) }), {
        signaturePage: await makeSignaturePage(pageInput({ signers })),
      });
      const added = (await treesOf(bytes)).slice(1);
      expect(added.length).toBeGreaterThan(1);
      for (const page of added) expect(page && rolesIn(page)).toContain('Document');
      const text = bytes.toString('latin1');
      const end = 4 + added.length;
      expect(text).toContain(`/ParentTreeNextKey ${end}`);
      const keys = [...text.matchAll(/\/StructParents\s*(\d+)/g)].map(([, key]) => Number(key));
      expect(keys).toEqual([0, ...added.map((_page, index) => 4 + index)]);
      if (tree.startsWith('/Kids')) expect(text).toContain(`/Limits [4 ${end - 1}]`);
    },
  );

  /** PDF 2.0 wants one Document at the root. */
  const OF_PDF_2 = {
    7: '<</S /Document /P 6 0 R /K [8 0 R] /NS 10 0 R>>',
    10: '<</Type /Namespace /NS (http://iso.org/pdf2/ssn)>>',
  };

  it('a signature page joins the one Document of a structure by PDF 2.0', async () => {
    for (const root of [USUAL, USUAL.replace('/K 7 0 R', '/K [7 0 R]')]) {
      const [first, added] = await structureOf(craft({ objects: tagged(root, OF_PDF_2) }));
      expect(first && rolesIn(first)).toEqual(['Root', 'Document', 'P']);
      expect(added && rolesIn(added).slice(0, 4)).toEqual(['Root', 'Document', 'Document', 'P']);
    }
  });

  it.each<[string, Record<string, string>, string?]>([
    ['is of another namespace', { 10: '<</NS (http://iso.org/pdf/ssn)>>' }],
    ['is another element', { 7: OF_PDF_2[7].replace('/Document', '/Sect') }],
    ['has a list that could be a colour space', { 7: OF_PDF_2[7].replace('[8', '[/Indexed 8') }],
    ['has no list', { 7: OF_PDF_2[7].replace('[8 0 R]', '8 0 R') }],
    ['is a page', { 3: tagged(USUAL)[3].replace('>>>>>>', `>>>> ${OF_PDF_2[7].slice(2)}`) }, '3 0 R'],
    ['is not alone', {}, '[7 0 R 8 0 R]'],
  ])(
    'a signature page joins the root of a structure whose Document %s',
    async (_, others, kids = '7 0 R') => {
      const objects = tagged(USUAL.replace('/K 7 0 R', `/K ${kids}`), { ...OF_PDF_2, ...others });
      const [, added] = await structureOf(craft({ objects }));
      expect(added && rolesIn(added).slice(0, 3)).toEqual(['Root', 'Document', 'P']);
    },
  );

  it('a document whose structure a hybrid file hides is sealed, with its page without structure', async () => {
    const [, added] = await structureOf(hybrid(tagged(USUAL), [6]));
    expect(isWithoutStructure(added)).toBe(true);
  });

  it('a drawn signature is told by the name of whoever drew it, and heads and feet are passed over', async () => {
    const signature = { type: 'drawn', png: drawnSignature() } as const;
    const signers = Array.from({ length: 12 }, (_, n) => signer(`Signer ${n}`, { signature }));
    const pages = await treesOf(await makeSignaturePage(pageInput({ signers })));
    expect(pages.length).toBeGreaterThan(1);
    const alternatives = pages.flatMap((page) => (page ? alternativesIn(page) : []));
    expect(alternatives).toEqual(signers.map(({ nameAsSigned }) => nameAsSigned));
    expect(pages.flatMap((page) => (page ? rolesIn(page) : [])).filter((role) => role === 'H1')).toHaveLength(
      1,
    );
  });
});
