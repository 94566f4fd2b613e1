import { COST, LIMITS } from './budget.ts';
import type { PdfFile } from './file.ts';
import { tooComplex } from './refusal.ts';
import { PdfDict, PdfRef, type PdfValue } from './values.ts';

/** The values of a name tree (ISO 32000-1, 7.9.6), as written. Skips malformed nodes. */
export function* nameTreeValues(file: PdfFile, root: PdfValue): Generator<PdfValue> {
  const visited = new Set<number>();
  const waiting: PdfValue[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PdfRef) {
      if (visited.has(next.num)) continue;
      visited.add(next.num);
      if (visited.size > LIMITS.nameTreeNodes || waiting.length > LIMITS.waiting)
        throw tooComplex('a name tree is too large');
    }
    // Many nodes may share a list of others.
    file.budget.spend(COST.value);
    const node = file.resolve(next);
    if (!(node instanceof PdfDict)) continue;
    for (const [index, value] of file.items(node.get('Names')).entries()) {
      file.budget.spend(COST.value);
      if (index % 2 === 1) yield value;
    }
    for (const kid of file.items(node.get('Kids'))) waiting.push(kid);
  }
}
