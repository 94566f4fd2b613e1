import { COST, LIMITS } from '../../../shared/sealing/pdf/budget.ts';
import { type PdfObject, PdfRef, type PdfValue } from '../../../shared/sealing/pdf/values.ts';
import { walk } from '../../../shared/sealing/pdf/walk.ts';

let spent = 0;
const file = {
  resolve: (value: PdfValue): PdfObject => (value instanceof PdfRef ? value.num : value),
  budget: {
    spend: (cost: number) => {
      spent += cost;
    },
  },
};

it('a walk yields an indirect object once, a direct value each time, and no object that was visited before', () => {
  const one = new PdfRef(1, 0);
  const waiting: PdfValue[] = [true, one, new PdfRef(2, 0), true, one];
  const objects = [...walk(file, waiting, new Set([2]), 'too many')].map(({ object }) => object);
  expect(objects).toEqual([1, true, true]);
  expect(waiting).toEqual([]);
});

it('a walk pays for each value that it looks at, also for one that it does not yield', () => {
  spent = 0;
  const one = new PdfRef(1, 0);
  const objects = [...walk(file, [true, one, one], new Set(), 'too many')];
  expect(objects).toHaveLength(2);
  expect(spent).toBe(3 * COST.searchedValue);
});

it('a walk yields what is added to its list meanwhile', () => {
  const waiting: PdfValue[] = [new PdfRef(1, 0)];
  const seen: PdfObject[] = [];
  for (const { object } of walk(file, waiting, new Set(), 'too many')) {
    seen.push(object);
    if (object === 1) waiting.push(new PdfRef(2, 0), new PdfRef(1, 0));
  }
  expect(seen).toEqual([1, 2]);
});

it('a walk refuses a list that grows beyond the limit', () => {
  const atLimit: PdfValue[] = Array.from({ length: LIMITS.waiting + 1 }, () => null);
  expect(() => walk(file, atLimit, new Set(), 'too many').next()).not.toThrow();
  const beyond: PdfValue[] = Array.from({ length: LIMITS.waiting + 2 }, () => null);
  expect(() => walk(file, beyond, new Set(), 'too many').next()).toThrow(
    expect.objectContaining({ code: 'pdf_too_complex', detail: 'too many' }),
  );
});
