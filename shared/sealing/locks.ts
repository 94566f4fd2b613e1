import type { FieldSignature } from './form.ts';
import { type Budget, COST } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { PdfRefusal } from './pdf/refusal.ts';
import { readTextString } from './pdf/text.ts';
import { isName, PdfDict, type PdfObject, PdfString } from './pdf/values.ts';

/**
 * A certification with P=1, or a lock on all fields, forbids adding a signature field. P=2, P=3 and a missing P (which
 * means 2) allow it.
 */
export function refuseIfLocked(file: PdfFile, { value, lock }: FieldSignature): void {
  if (lock instanceof PdfDict && file.resolve(lock.get('P')) === 1) {
    throw new PdfRefusal('pdf_certified', 'a signature locks the document');
  }
  for (const { method, parameters } of transformsOf(file, value)) {
    if (isName(method, 'DocMDP') && file.resolve(parameters.get('P')) === 1) {
      throw new PdfRefusal('pdf_certified', 'a certification forbids changes');
    }
    const action = file.resolve(parameters.get('Action'));
    if (isName(method, 'FieldMDP') && (isName(action, 'All') || isName(action, 'Exclude'))) {
      throw new PdfRefusal('pdf_certified', 'a signature locks all fields');
    }
  }
}

/** True if a signature locks one of these fields: by its name, by that of an ancestor, or because it locks all or all but some. */
export function locksAnyOf(file: PdfFile, signature: PdfDict, names: readonly string[]): boolean {
  for (const { method, parameters } of transformsOf(file, signature)) {
    if (!isName(method, 'FieldMDP') || names.length === 0) continue;
    if (!isName(file.resolve(parameters.get('Action')), 'Include')) return true;
    const locked = lockedNames(file, parameters);
    if (names.some((name) => isLockedBy(name, locked, file.budget))) return true;
  }
  return false;
}

function lockedNames(file: PdfFile, parameters: PdfDict): Set<string> {
  const items = file.array(parameters.get('Fields'), 'the locked fields')?.items ?? [];
  return new Set(
    items.flatMap(({ value }) => {
      const name = file.resolve(value);
      if (!(name instanceof PdfString)) return [];
      // A signature may name one lock many times.
      file.budget.spend(COST.value);
      file.budget.spend(COST.decodedByte, name.raw.length);
      return [readTextString(name.raw)];
    }),
  );
}

/** Real names have a few parts. Each part costs a search, so a name of too many counts as locked. */
const MAX_NAME_PARTS = 100;

function isLockedBy(name: string, locked: ReadonlySet<string>, budget: Budget): boolean {
  budget.spend(COST.value);
  budget.spend(COST.scannedByte, name.length);
  if (locked.has(name)) return true;
  let dot = name.indexOf('.');
  for (let parts = 1; dot >= 0 && parts < MAX_NAME_PARTS; parts += 1) {
    budget.spend(COST.scannedByte, dot);
    if (locked.has(name.slice(0, dot))) return true;
    dot = name.indexOf('.', dot + 1);
  }
  return dot >= 0;
}

/** Changes that a certification allows: 1 none, 2 forms and signatures, 3 annotations too. Null: the signature certifies nothing. */
export function certificationOf(file: PdfFile, signature: PdfDict): number | null {
  for (const { method, parameters } of transformsOf(file, signature)) {
    if (!isName(method, 'DocMDP')) continue;
    const permissions = file.resolve(parameters.get('P'));
    return typeof permissions === 'number' ? permissions : 2;
  }
  return null;
}

function* transformsOf(
  file: PdfFile,
  signature: PdfDict,
): Generator<{ method: PdfObject; parameters: PdfDict }> {
  const references = file.array(signature.get('Reference'), "a signature's references");
  for (const item of references?.items ?? []) {
    file.budget.spend(COST.value);
    const reference = file.resolve(item.value);
    if (!(reference instanceof PdfDict)) continue;
    const parameters = file.resolve(reference.get('TransformParams'));
    if (parameters instanceof PdfDict)
      yield { method: file.resolve(reference.get('TransformMethod')), parameters };
  }
}
