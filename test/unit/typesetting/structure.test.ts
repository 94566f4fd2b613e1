import { PDFHexString } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { placeFacts } from '../../../shared/typesetting/facts.ts';
import type { Paper } from '../../../shared/typesetting/paper.ts';
import { TYPE } from '../../../shared/typesetting/style.ts';
import { drawTable } from '../../../shared/typesetting/table.ts';
import { plainPaper } from '../../support/paper.ts';
import { drawnSignature } from '../../support/signature-input.ts';

/** Screen readers are told this of tables and lists, as pdf.js reads it. */

interface Element {
  role?: string;
  id?: string;
  children?: Element[];
}

/** The elements of each page, as in `TD(P(Name))`, without the one that holds all. */
async function toldOf(paper: Paper): Promise<string[]> {
  const task = getDocument({ data: await paper.finish(), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const texts = textsById(await page.getTextContent({ includeMarkedContent: true }));
    const told = ({ role, id, children = [] }: Element): string =>
      role === undefined ? (texts.get(id ?? '') ?? '').trim() : `${role}(${children.map(told).join(' ')})`;
    const { children: [whole] = [] } = (await page.getStructTree()) as Element;
    pages.push((whole?.children ?? []).map(told).join(' '));
  }
  await task.destroy();
  return pages;
}

function textsById({ items }: { items: object[] }): Map<string, string> {
  const texts = new Map<string, string>();
  const open: string[] = [];
  for (const item of items as { type?: string; id?: string; str?: string }[]) {
    if (item.type === 'endMarkedContent') open.pop();
    else if (item.type) open.push(item.id ?? '');
    const id = open.findLast(Boolean);
    if (id && item.str !== undefined) texts.set(id, (texts.get(id) ?? '') + item.str);
  }
  return texts;
}

describe('a table', () => {
  it('a table has rows of cells, and its column headings once over all its pages', async () => {
    const paper = await plainPaper();
    const cell = (...texts: string[]) => texts.map((text) => paper.set(text, TYPE.body, 100));
    const rows = Array.from({ length: 80 }, (_, row) => [cell(String(row)), cell(`Name ${row}`, 'Note'), []]);
    const columns = [
      { heading: '', width: 60 },
      { heading: 'Name', width: 200 },
      { heading: 'More', width: 100 },
    ];
    drawTable(paper, columns, rows);
    const pages = await toldOf(paper);
    expect(pages.length).toBeGreaterThan(2);
    const heads = 'TR(TD() TH(P(Name)) TH(P(More)))';
    const told = rows.map((_, row) => `TR(TD(P(${row})) TD(P(Name ${row}) P(Note)) TD())`);
    // pdf.js tells of the rows on other pages too, without their texts.
    const own = pages.map((page) =>
      /^Table\((.*)\)$/.exec(page)?.[1]?.replaceAll(/TR\((?:T[DH]\(\) ?)+\) ?/g, ''),
    );
    expect(own.join(' ').replaceAll(/ +/g, ' ')).toBe([heads, ...told].join(' '));
  });

  it('the headings of a table are marked as those of columns', async () => {
    const paper = await plainPaper();
    drawTable(paper, [{ heading: 'Name', width: 200 }], [[[paper.set('Aino', TYPE.body, 100)]]]);
    expect(Buffer.from(await paper.finish()).toString('latin1')).toMatch(
      /\/S \/TH\s[^>]*\/A <<\s*\/O \/Table\s*\/Scope \/Column\s*>>/,
    );
  });
});

it('a picture is told of without invisible characters, which could turn the text around it', async () => {
  const paper = await plainPaper();
  const picture = paper.picture(drawnSignature());
  if (picture)
    paper.placePicture(picture, 'Aino\u202e\u200b Virtanen', { x: 60, top: 60, width: 60, height: 20 });
  const [, told] = /\/Alt (<\w+>)/.exec(Buffer.from(await paper.finish()).toString('latin1')) ?? [];
  expect(told).toBe(String(PDFHexString.fromText('Aino Virtanen')));
});

describe('facts', () => {
  it('facts are tagged as a list with label and value in one item: a continued fact has no label, and an empty one no item', async () => {
    const paper = await plainPaper();
    const fact = (label: string, value: string) => ({
      label: paper.set(label, TYPE.label, 100),
      value: paper.set(value, TYPE.body, 200),
    });
    placeFacts(paper, [fact('Sender', 'Acme'), fact('', 'of Turku'), fact('', '')], 60, 100, 110);
    expect(await toldOf(paper)).toEqual(['L(LI(LBody(P(Sender) P(Acme))) LI(LBody(P(of Turku))))']);
  });
});
