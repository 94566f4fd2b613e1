import { type Faces, loadFaces } from '../../../shared/typesetting/fonts.ts';
import { setParagraph, widthOf } from '../../../shared/typesetting/paragraph.ts';
import { TYPE } from '../../../shared/typesetting/style.ts';

let faces: Faces;
beforeAll(async () => {
  faces = await loadFaces();
});

const set = (text: string, width = 120, options = {}) => setParagraph(faces, text, TYPE.body, width, options);

describe('a paragraph', () => {
  it.each([
    ['a very long word', 'x'.repeat(900)],
    ['many short words', 'to be or not to be '.repeat(60)],
    ['a long address', `${'a.very.long.name.'.repeat(9)}@${'sub-domain.'.repeat(9)}example.com`],
    ['a letter under a tower of marks', `e${'\u0301\u0327\u0330'.repeat(40)}`.repeat(30)],
    ['characters that no face has', '王小明のサイン'.repeat(30)],
    ['wide letters', 'Ǽ№'.repeat(200)],
  ])('never gets wider than it may with %s', (_, text) => {
    const { lines, face, style, width } = set(text);
    for (const line of lines) expect(widthOf(face, style.size, line)).toBeLessThanOrEqual(120);
    expect(width).toBeLessThanOrEqual(120);
  });

  it('loses nothing when it breaks a word', () => {
    const word = 'jean-francois.lefevre@subdomain.some-long-company-name.example.com';
    const { lines } = set(word);
    expect(lines.join('')).toBe(word);
    expect(lines.slice(0, -1).every((line) => /[-.@]$/.test(line))).toBe(true);
  });

  it('never parts a letter from its mark', () => {
    const { lines } = set('x\u0301'.repeat(200), 60);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line).toMatch(/^x/);
  });

  it('is cut to its lines with an ellipsis that still fits', () => {
    const { lines, face, style } = set('title '.repeat(900), 120, { maxLines: 3 });
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/title…$|titl?…$|…$/);
    expect(widthOf(face, style.size, lines[2] ?? '')).toBeLessThanOrEqual(120);
  });

  it('is set in one stand-in face where its own lacks a character', () => {
    const cyrillicSupplement = 'Ԕ';
    expect(setParagraph(faces, `Name ${cyrillicSupplement}`, TYPE.title, 400).face.name).toBe('sans');
    expect(setParagraph(faces, 'Name', TYPE.title, 400).face.name).toBe('serif');
  });

  it('balances a title over its lines', () => {
    const title = 'Lease agreement for the premises at Mannerheimintie 12, Helsinki';
    const plain = setParagraph(faces, title, TYPE.title, 480);
    const balanced = setParagraph(faces, title, TYPE.title, 480, { balanced: true });
    expect(balanced.lines).toHaveLength(plain.lines.length);
    expect(balanced.width).toBeLessThan(plain.width - 50);
  });

  it('sets an empty text as one empty line', () => {
    expect(set('').lines).toEqual(['']);
    expect(set(' \n\t ').lines).toEqual(['']);
  });
});
