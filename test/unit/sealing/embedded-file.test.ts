import { embeddedFile } from '../../../shared/sealing/embedded-file.ts';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { craft, ONE_PAGE } from './craft.ts';

const stream = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`;

/** A file with these values in its tree of embedded files, and objects. */
const holding = (names: string, objects: Record<number, string> = {}) =>
  craft({
    objects: {
      ...ONE_PAGE,
      1: `<</Type /Catalog /Pages 2 0 R /Names 10 0 R>>`,
      10: `<</EmbeddedFiles <</Names [${names}]>>>>`,
      20: stream('first'),
      21: stream('second'),
      ...objects,
    },
  });

function fileIn(pdf: Uint8Array, name = 'a.json'): string | undefined {
  const bytes = embeddedFile(pdf, name, new Budget(inflate));
  return bytes && Buffer.from(bytes).toString();
}

const specification = (name: string, num = 20) => `<</UF ${name} /EF <</F ${num} 0 R>>>>`;

describe('an embedded file', () => {
  it.each<[string, Buffer, string]>([
    ['by its own name, not by that in the tree', holding(`(other) ${specification('(a.json)')}`), 'first'],
    ['in UTF-16', holding(`(x) ${specification('<FEFF0061002E006A0073006F006E>')}`), 'first'],
    ['behind others', holding(`(x) ${specification('(b)')} (y) ${specification('(a.json)', 21)}`), 'second'],
    [
      'behind references',
      holding('(x) 11 0 R', { 11: '<</UF 12 0 R /EF 13 0 R>>', 12: '(a.json)', 13: '<</F 21 0 R>>' }),
      'second',
    ],
    [
      'the first of two with one name',
      holding(`(x) ${specification('(a.json)')} (y) ${specification('(a.json)', 21)}`),
      'first',
    ],
    [
      'behind values that are no file, or have no content',
      holding(
        `(1) 7 (2) (text) (3) <</UF /a.json /EF <</F 20 0 R>>>> (4) <</UF (a.json)>> (5) <</UF (a.json) /EF 7>> (6) ${specification('(a.json)', 12)} (7) ${specification('(a.json)', 21)}`,
        { 12: '(no stream)' },
      ),
      'second',
    ],
  ])('is found %s', (_, pdf, content) => {
    expect(fileIn(pdf)).toBe(content);
  });

  it.each([
    ['if only the tree names it so', holding(`(a.json) ${specification('(b.json)')}`)],
    ['without a tree', holding('', { 10: '7' })],
    ['in what is no PDF', Buffer.from('nothing')],
  ])('is not found %s', (_, pdf) => {
    expect(fileIn(pdf)).toBeUndefined();
  });

  it('does not hide a fault of the program', () => {
    const pdf = holding(`(x) ${specification('(a.json)')}`, {
      20: `<</Length 1 /Filter /FlateDecode>>\nstream\nx\nendstream`,
    });
    const fault = new TypeError('a fault');
    const broken = new Budget(() => {
      throw fault;
    });
    expect(() => embeddedFile(pdf, 'a.json', broken)).toThrow(fault);
  });
});
