import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { Parser } from '../../../shared/sealing/pdf/parser.ts';
import {
  hasDuplicates,
  isWholeNumber,
  PdfDict,
  unclearNumberIn,
} from '../../../shared/sealing/pdf/values.ts';

function dict(text: string): PdfDict {
  const value = new Parser(Buffer.from(`<<${text}>>`), 0, new Budget(inflate)).value();
  if (value instanceof PdfDict) return value;
  throw new Error('not a dictionary');
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `/K${index} ${index}`).join(' ');

it.each([1, 63, 64, 65, 500])(
  'of %d keys, each has its value, and of two equal ones the last counts',
  (count) => {
    const values = dict(`${keys(count)} /K0 (again)`);
    expect(values.get('K0')).toMatchObject({ raw: Buffer.from('(again)') });
    if (count > 1) expect(values.get(`K${count - 1}`)).toBe(count - 1);
    expect(values.get('None')).toBeNull();
    expect(hasDuplicates(values)).toBe(true);
    expect(hasDuplicates(dict(keys(count)))).toBe(false);
  },
);

it('a number that is asked for must be written with digits alone', () => {
  const asked = new Set(['Prev', 'Size']);
  expect(unclearNumberIn(dict('/Size 1234567890 /Prev 0 /Other 1.5'), asked)).toBeUndefined();
  for (const written of ['+1', '1.0', '-1', '.5', '1 0 R', '(1)'])
    expect(unclearNumberIn(dict(`/Size 10 /Prev ${written}`), asked)).toBe('Prev');
});

it.each([
  [0, true],
  [Number.MAX_SAFE_INTEGER, true],
  [Number.MAX_SAFE_INTEGER + 1, false],
  [-1, false],
  [1.5, false],
  [true, false],
  [null, false],
])('%s is a whole number: %s', (value, is) => {
  expect(isWholeNumber(value)).toBe(is);
});
