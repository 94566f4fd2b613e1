import { COST, LIMITS } from './budget.ts';
import type { PdfFile } from './file.ts';
import { tooComplex } from './refusal.ts';
import { PdfDict, type PdfValue } from './values.ts';
import { walk } from './walk.ts';

/** The values of one of the document's name trees (ISO 32000-1, 7.7.4 and 7.9.6), as written. Skips malformed nodes. */
export function* nameTreeValues(file: PdfFile, tree: string): Generator<PdfValue> {
  const trees = file.resolve(file.catalog.get('Names'));
  const visited = new Set<number>();
  const waiting = trees instanceof PdfDict ? [trees.get(tree)] : [];
  for (const { object: node } of walk(file, waiting, visited, TOO_LARGE)) {
    if (visited.size > LIMITS.nameTreeNodes) throw tooComplex(TOO_LARGE);
    // Many nodes may share a list of others.
    file.budget.spend(COST.value);
    if (!(node instanceof PdfDict)) continue;
    for (const [index, value] of file.items(node.get('Names')).entries()) {
      file.budget.spend(COST.value);
      if (index % 2 === 1) yield value;
    }
    for (const kid of file.items(node.get('Kids'))) waiting.push(kid);
  }
}

const TOO_LARGE = 'a name tree is too large';
