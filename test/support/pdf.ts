import { PDFDocument, PDFName, PDFRawStream, StandardFonts } from 'pdf-lib';

/** A small PDF with text on each page. */
export async function makePdf(text = 'A contract', pages = 1): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= pages; page += 1)
    pdf.addPage([595, 842]).drawText(`${text}, page ${page}`, { x: 60, y: 760, size: 18, font });
  return Buffer.from(await pdf.save());
}

/** A PDF with so many attached files; the first has one byte, the second two. */
export async function makePdfWithFiles(count: number): Promise<Buffer> {
  const pdf = await PDFDocument.load(await makePdf());
  for (let number = 1; number <= count; number += 1)
    await pdf.attach(new Uint8Array(number), `file-${String(number).padStart(2, '0')}.xml`, {
      mimeType: 'text/xml',
    });
  return Buffer.from(await pdf.save());
}

/** A PDF of exactly so many bytes: a small one with a comment block after its header. */
export async function makePdfOfSize(bytes: number): Promise<Buffer> {
  const build = async (padding: number) => {
    const pdf = await PDFDocument.create();
    pdf.addPage([300, 300]);
    const stream = PDFRawStream.of(pdf.context.obj({}), new Uint8Array(padding).fill(0x20));
    pdf.catalog.set(PDFName.of('Padding'), pdf.context.register(stream));
    return Buffer.from(await pdf.save({ useObjectStreams: false }));
  };
  const overhead = (await build(bytes - 2_000)).length - (bytes - 2_000);
  const first = await build(bytes - overhead);
  return first.length === bytes ? first : build(bytes - overhead - (first.length - bytes));
}
