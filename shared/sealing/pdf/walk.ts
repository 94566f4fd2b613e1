import { type Budget, COST, LIMITS } from './budget.ts';
import { tooComplex } from './refusal.ts';
import { type PdfObject, PdfRef, type PdfValue } from './values.ts';

/**
 * Empties the list, to which the caller adds what each object leads to. Yields an indirect object once, and not at all if its
 * number is in `visited`. Refuses a file that keeps too many values waiting.
 */
export function* walk(
  file: { resolve(value: PdfValue): PdfObject; budget: Pick<Budget, 'spend'> },
  waiting: PdfValue[],
  visited: Set<number>,
  refusal: string,
): Generator<{ value: PdfValue; object: PdfObject }> {
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (waiting.length > LIMITS.waiting) throw tooComplex(refusal);
    file.budget.spend(COST.searchedValue);
    if (value instanceof PdfRef) {
      if (visited.has(value.num)) continue;
      visited.add(value.num);
    }
    yield { value, object: file.resolve(value) };
  }
}
