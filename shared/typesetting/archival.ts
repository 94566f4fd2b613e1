import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type PDFDocument, PDFHexString, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { srgbProfile } from './srgb.ts';

export interface Attachment {
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
}

export interface DocumentFacts {
  readonly title: string;
  readonly subject: string;
  readonly language: string;
  readonly producer: string;
  readonly createdAt: Date;
}

/**
 * Adds what PDF/A-3b asks for besides embedded fonts (ISO 19005-3): colours, metadata and a file identifier. With its
 * structure the file is PDF/UA-1 too (ISO 14289-1).
 */
export function makeArchival(document: PDFDocument, facts: DocumentFacts): void {
  const { context, catalog } = document;
  const profile = context.stream(deflateSync(srgbProfile()), { Filter: 'FlateDecode', N: 3 });
  const intent = {
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: context.register(profile),
  };
  catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
  // Plain, so that archives find it without a PDF reader.
  const metadata = context.stream(Buffer.from(xmp(facts)), { Type: 'Metadata', Subtype: 'XML' });
  catalog.set(PDFName.of('Metadata'), context.register(metadata));
  const identifier = PDFHexString.of(hex('sha256', `${facts.subject} ${facts.createdAt.toISOString()}`, 32));
  context.trailerInfo.ID = context.obj([identifier, identifier]);
}

/** Attaches a file that holds the document's facts as data. */
export function attachData(document: PDFDocument, attachment: Attachment, createdAt: Date): void {
  const { context, catalog } = document;
  const { name, content } = attachment;
  const date = PDFString.fromDate(createdAt);
  const file = context.register(
    context.stream(deflateSync(content), {
      Type: 'EmbeddedFile',
      Subtype: attachment.mimeType,
      Filter: 'FlateDecode',
      Params: {
        Size: content.length,
        CheckSum: PDFHexString.of(hex('md5', content)),
        CreationDate: date,
        ModDate: date,
      },
    }),
  );
  const specification: PDFRef = context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFString.of(name),
      UF: PDFHexString.fromText(name),
      Desc: PDFHexString.fromText(attachment.description),
      AFRelationship: 'Data',
      EF: { F: file, UF: file },
    }),
  );
  const names = { EmbeddedFiles: { Names: [PDFHexString.fromText(name), specification] } };
  catalog.set(PDFName.of('Names'), context.obj(names));
  catalog.set(PDFName.of('AF'), context.obj([specification]));
}

const hex = (algorithm: string, content: string | Uint8Array, digits?: number): string =>
  createHash(algorithm).update(content).digest('hex').slice(0, digits);

/** The metadata as XML (ISO 16684-1), equal to the information dictionary. */
function xmp({ title, subject, language, producer, createdAt }: DocumentFacts): string {
  const time = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const alternative = (text: string) =>
    `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance>
<pdfuaid:part>1</pdfuaid:part>
<dc:format>application/pdf</dc:format>
<dc:title>${alternative(title)}</dc:title>
<dc:description>${alternative(subject)}</dc:description>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
<pdf:Producer>${escaped(producer)}</pdf:Producer>
<xmp:CreateDate>${time}</xmp:CreateDate>
<xmp:ModifyDate>${time}</xmp:ModifyDate>
</rdf:Description>
${ACCESSIBILITY_SCHEMA}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}

/** PDF/A wants to be told of properties that it does not know. */
const ACCESSIBILITY_SCHEMA = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
