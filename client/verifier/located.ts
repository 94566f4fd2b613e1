import { attempt } from '../../shared/sealing/faults.ts';
import { type FieldSignature, readForm } from '../../shared/sealing/form.ts';
import { refuseIfLocked } from '../../shared/sealing/locks.ts';
import { COST } from '../../shared/sealing/pdf/budget.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { PdfRefusal } from '../../shared/sealing/pdf/refusal.ts';
import { isName, type PdfDict, type PdfRef } from '../../shared/sealing/pdf/values.ts';
import { readContents, type SignatureContents } from '../../shared/sealing/signature-contents.ts';

/** A signature with the bytes that it covers, or null if its place or encoding is wrong. */
export interface Located {
  field: FieldSignature;
  contents: SignatureContents | null;
}

/** The signatures of a file in the order in which they were made. */
export const locate = (file: PdfFile): Located[] =>
  signaturesOf(file)
    .map((field): Located => ({ field, contents: contentsOf(file, field.value) }))
    .sort((a, b) => (a.contents?.end ?? 0) - (b.contents?.end ?? 0));

function contentsOf(file: PdfFile, signature: PdfDict): SignatureContents | null {
  // Many fields may name one signature.
  for (const { key, from, to } of signature.entries)
    if (key === 'Contents') file.budget.spend(COST.decodedByte, to - from);
  return attempt(() => readContents(file.bytes, signature)) ?? null;
}

export function isLocked(file: PdfFile, field: FieldSignature): boolean {
  try {
    refuseIfLocked(file, field);
    return false;
  } catch (error) {
    if (error instanceof PdfRefusal) return true;
    throw error;
  }
}

const signaturesOf = (file: PdfFile): readonly FieldSignature[] => readForm(file).signatures;

/** The signature of a revision whose contents start at this offset. */
export const signatureAt = (file: PdfFile, contentsFrom: number): FieldSignature | undefined =>
  signaturesOf(file).find(({ value }) =>
    value.entries.some(({ key, from }) => key === 'Contents' && from === contentsFrom),
  );

/** `signature` must be in the file itself. A dictionary in an object stream at the same offset is reported elsewhere. */
export const isInForm = (file: PdfFile, signature: PdfDict): boolean =>
  signaturesOf(file).some(({ value }) => value.from === signature.from);

/** True for the kinds of signatures that are judged. Others are timestamps or unknown. */
export const isDetached = (signature: PdfDict): boolean =>
  ['ETSI.CAdES.detached', 'adbe.pkcs7.detached'].some((name) => isName(signature.get('SubFilter'), name));

/** The fields with an appearance that was not rewritten together with the signature. */
export function drawnBefore(file: PdfFile, { value }: FieldSignature): string[] {
  const isWrittenWith = ({ num }: PdfRef): boolean => {
    const entry = file.xref.entries.get(num);
    return (
      entry?.kind === 'plain' && value.source === file.bytes && file.xref.base + entry.offset > value.from
    );
  };
  return [...readForm(file).drawn].flatMap(([name, looks]) =>
    looks.length > 0 && looks.every(isWrittenWith) ? [] : [name],
  );
}
