import type { Increment } from './increment.ts';
import { type Edit, extendedArray, setEntry, withEdits } from './pdf/edit.ts';
import { PdfDict, PdfName, PdfRef } from './pdf/values.ts';
import type { SealPlan } from './plan.ts';

/**
 * Adds the field to the form, wherever the form is stored, or creates a form in the catalog. A certification is named in
 * /Perms, replacing usage rights: any change would break those anyway.
 */
export function updateCatalog(
  plan: SealPlan,
  increment: Increment,
  { field, signature }: { field: PdfRef; signature: PdfRef },
): void {
  const { catalog, form } = plan;
  const formEdits =
    form.dict === null
      ? setEntry(catalog.dict, 'AcroForm', `<</Fields [${field}] /SigFlags 3>>`)
      : [
          ...setEntry(form.dict, 'Fields', extendedArray(form.fields, String(field))),
          ...setEntry(form.dict, 'SigFlags', String(form.flags | 3)),
        ];
  if (form.dict && form.ref) increment.put(form.ref, ...withEdits(form.dict, formEdits));
  const catalogEdits = [
    ...(plan.signed ? [] : setEntry(catalog.dict, 'Perms', `<</DocMDP ${signature}>>`)),
    ...declareExtension(plan, increment),
    ...(form.ref ? [] : formEdits),
  ];
  if (catalogEdits.length > 0) increment.put(catalog.ref, ...withEdits(catalog.dict, catalogEdits));
}

const ESIC = '<</BaseVersion /1.7 /ExtensionLevel 1>>';

/** Before PDF 2.0 a PAdES signature is an extension, which the catalog declares (EN 319 142-1; ISO 32000-1, 7.12). */
function declareExtension({ file, catalog }: SealPlan, increment: Increment): Edit[] {
  const version = file.resolve(catalog.dict.get('Version'));
  if (file.headerVersion >= '2' || (version instanceof PdfName && version.name >= '2')) return [];
  const value = catalog.dict.get('Extensions');
  const extensions = file.resolve(value);
  if (!(extensions instanceof PdfDict)) return setEntry(catalog.dict, 'Extensions', `<</ESIC ${ESIC}>>`);
  if (extensions.get('ESIC') !== null) return [];
  const edits = setEntry(extensions, 'ESIC', ESIC);
  if (!(value instanceof PdfRef)) return edits;
  increment.put(file.lastReference(value), ...withEdits(extensions, edits));
  return [];
}
