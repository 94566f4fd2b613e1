import { textOf } from '../../../admin/text.ts';

it.each([
  ['a control sequence', 'red \u001b[31mletters', 'red  [31mletters'],
  ['an override of direction', 'Ann \u202egpj.exe', 'Ann  gpj.exe'],
  ['an isolate', '\u2066Ann\u2069', ' Ann '],
])('a table shows %s as a blank', (_, name, shown) => {
  const lines = textOf([{ name, id: 'end' }]).split('\n');
  expect(lines.some((line) => line.includes(`${shown}  end`))).toBe(true);
});

it('the columns of a table stand under each other, also after letters that are twice as wide, accents and emoji', () => {
  const names = ['田中', '한글', 'Ann', 'Zoe\u0308', '😀', '「ｱ」'];
  expect(textOf(names.map((name) => ({ name, id: 1 })))).toBe(
    [
      '  name   id',
      '  田中   1',
      '  한글   1',
      '  Ann    1',
      '  Zoe\u0308    1',
      '  😀     1',
      '  「ｱ」  1',
      '',
    ].join('\n'),
  );
});
