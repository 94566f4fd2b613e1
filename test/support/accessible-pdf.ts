import { PDFDocument, PDFName } from 'pdf-lib';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { pageInput } from './signature-input.ts';

/** A PDF/UA original, for readers with a screen reader: its structure tells what everything on its pages is. */
export async function accessiblePdf(): Promise<Buffer> {
  const tagged = await makeSignaturePage(pageInput());
  const document = await PDFDocument.load(tagged, { updateMetadata: false });
  const { context, catalog } = document;
  const metadata = context.stream(Buffer.from(XMP), { Type: 'Metadata', Subtype: 'XML' });
  catalog.set(PDFName.of('Metadata'), context.register(metadata));
  return Buffer.from(await document.save());
}

const XMP = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Lease agreement</rdf:li></rdf:Alt></dc:title>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
