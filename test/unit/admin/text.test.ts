import { textOf } from '../../../admin/text.ts';

it.each([
  ['a control sequence', 'red \u001b[31mletters', 'red  [31mletters'],
  ['an override of direction', 'Ann \u202egpj.exe', 'Ann  gpj.exe'],
  ['an isolate', '\u2066Ann\u2069', ' Ann '],
])('a table shows %s as a blank', (_, name, shown) => {
  const lines = textOf([{ name, id: 'end' }]).split('\n');
  expect(lines.some((line) => line.includes(`${shown}  end`))).toBe(true);
});
