import { textString } from './pdf/text.ts';
import type { SealPlan } from './plan.ts';

/**
 * Makes the first signature of a document certify it (DocMDP, P=2): validators then report any later change of what is
 * shown, while further signatures, a DSS and document timestamps stay allowed. P=2 also allows filling in forms, so the
 * existing fields are locked by name (FieldMDP); locking all would forbid the next signature field.
 */
export function certification({ signed, catalog, form }: SealPlan): string {
  if (signed) return '';
  const references = [
    '<</Type /SigRef /TransformMethod /DocMDP /TransformParams <</Type /TransformParams /V /1.2 /P 2>>>>',
  ];
  if (form.lockable.length > 0) {
    const names = form.lockable.map(textString).join('\n');
    references.push(
      `<</Type /SigRef /TransformMethod /FieldMDP /Data ${catalog.ref} /TransformParams <</Type /TransformParams /V /1.2 /Action /Include /Fields [${names}]>>>>`,
    );
  }
  return `/Reference [${references.join('\n')}]\n`;
}
