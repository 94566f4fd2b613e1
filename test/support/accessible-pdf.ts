import { PDFDocument, PDFName } from 'pdf-lib';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { craft } from '../unit/sealing/craft.ts';
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

/** A PDF/UA-2 original: a PDF 2.0 with one Document at the root of its structure, and a picture on its page. */
export function accessiblePdf2(): Buffer {
  const content = '/Figure <</MCID 0>> BDC /CS cs 0.5 sc 10 10 50 50 re f EMC';
  const xmp = XMP.replace('<pdfuaid:part>1', '<pdfuaid:rev>2024</pdfuaid:rev><pdfuaid:part>2');
  const stream = (dict: string, data: string) =>
    `<<${dict} /Length ${Buffer.byteLength(data)}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
  const objects = {
    1: '<</Type /Catalog /Pages 2 0 R /Lang (en) /MarkInfo <</Marked true>> /ViewerPreferences <</DisplayDocTitle true>> /Metadata 9 0 R /StructTreeRoot 6 0 R>>',
    2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /StructParents 0 /Resources <</ColorSpace <</CS 5 0 R>>>>>>',
    4: stream('', content),
    5: '[/CalGray <</WhitePoint [0.95 1 1.09]>>]',
    6: '<</Type /StructTreeRoot /K 7 0 R /ParentTree <</Nums [0 [8 0 R]]>> /ParentTreeNextKey 1 /Namespaces [10 0 R]>>',
    7: '<</S /Document /P 6 0 R /K [8 0 R] /NS 10 0 R>>',
    8: '<</S /Figure /P 7 0 R /Pg 3 0 R /K 0 /Alt (A square) /NS 10 0 R>>',
    9: stream('/Type /Metadata /Subtype /XML', xmp),
    10: '<</Type /Namespace /NS (http://iso.org/pdf2/ssn)>>',
  };
  const pdf = craft({ objects });
  pdf.write('%PDF-2.0', 'latin1');
  return pdf;
}

const XMP = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Lease agreement</rdf:li></rdf:Alt></dc:title>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
