import { PDFDocument, StandardFonts } from 'pdf-lib';

const PARAGRAPH =
  'The landlord lets the flat to the tenant for use as a home. The rent falls due on the second day of each month. ' +
  'The tenant looks after the flat with care, and the landlord keeps it in the condition that was agreed.';

/** A contract as a sender would send it: so many pages of A4 with text. */
export async function contractPdf(pages = 3): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const serif = await pdf.embedFont(StandardFonts.TimesRoman);
  const bold = await pdf.embedFont(StandardFonts.TimesRomanBold);
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842]);
    page.drawText(number === 1 ? 'Lease agreement' : `Section ${number}`, {
      x: 64,
      y: 760,
      size: 24,
      font: bold,
    });
    for (let block = 0; block < 5; block++) {
      page.drawText(`${block + 1}.  ${PARAGRAPH}`, {
        x: 64,
        y: 710 - block * 100,
        size: 12,
        lineHeight: 18,
        maxWidth: 467,
        font: serif,
      });
    }
    page.drawText(`Page ${number}`, { x: 280, y: 48, size: 10, font: serif });
  }
  return pdf.save();
}
