import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { sealIt, signaturePage } from './sealing-kit.ts';

/** pdf-lib reads sealed files independently of the code under test. */
export const reopen = (bytes: Uint8Array): Promise<PDFDocument> =>
  PDFDocument.load(bytes, { updateMetadata: false });

export async function sealed(original: Buffer, pages = 1) {
  expect(inspectPdf(original)).toMatchObject({ ok: true });
  const { bytes } = await sealIt(original, { signaturePage: await signaturePage(pages) });
  expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
  expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true });
  return { bytes, document: await reopen(bytes) };
}

export const formOf = (document: PDFDocument): PDFDict =>
  document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
