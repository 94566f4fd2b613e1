import { PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';

/** A PDF/A original for printing in black: colours mean nothing in it unless they bring their own colour space. */
export async function archivalPdf(part: 1 | 2 | 3): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = document;
  const page = document.addPage([595, 842]);
  page.pushOperators();
  page.node.set(PDFName.of('Contents'), context.register(context.stream('0.5 g 60 700 200 40 re f', {})));
  const intent = {
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('Grey'),
    DestOutputProfile: context.register(context.stream(greyProfile(), { N: 1 })),
  };
  catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
  const metadata = context.stream(Buffer.from(xmp(part)), { Type: 'Metadata', Subtype: 'XML' });
  catalog.set(PDFName.of('Metadata'), context.register(metadata));
  const identifier = PDFHexString.of('00112233445566778899aabbccddeeff');
  context.trailerInfo.ID = context.obj([identifier, identifier]);
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

const xmp = (part: number): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;

/** A grey ICC profile, version 2.1. */
function greyProfile(): Buffer {
  const white = Buffer.from('58595a20000000000000f6d6000100000000d32d', 'hex');
  const curve = Buffer.from('63757276000000000000000102330000', 'hex');
  const copyright = Buffer.concat([Buffer.from('text\0\0\0\0none\0', 'latin1'), Buffer.alloc(3)]);
  const description = Buffer.alloc(96);
  description.write('desc', 0, 'latin1');
  description.writeUInt32BE(5, 8);
  description.write('Grey', 12, 'latin1');
  const tags = [
    ['desc', description],
    ['cprt', copyright],
    ['wtpt', white],
    ['kTRC', curve],
  ] as const;
  const head = Buffer.alloc(132 + tags.length * 12);
  let end = head.length;
  tags.forEach(([name, content], index) => {
    head.write(name, 132 + index * 12, 'latin1');
    head.writeUInt32BE(end, 136 + index * 12);
    head.writeUInt32BE(content.length, 140 + index * 12);
    end += content.length;
  });
  head.writeUInt32BE(end, 0);
  head.writeUInt32BE(0x02100000, 8);
  head.write('mntrGRAYXYZ ', 12, 'latin1');
  [2026, 1, 1].forEach((each, index) => {
    head.writeUInt16BE(each, 24 + index * 2);
  });
  head.write('acsp', 36, 'latin1');
  white.copy(head, 68, 8);
  head.writeUInt32BE(tags.length, 128);
  return Buffer.concat([head, ...tags.map(([, content]) => content)]);
}
