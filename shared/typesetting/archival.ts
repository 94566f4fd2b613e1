import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import {
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import { glyphCountOf } from './truetype.ts';

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
 * Adds what PDF/A-3b requires besides embedded fonts (ISO 19005-3): output intent, metadata and a file identifier. With its
 * structure the file is PDF/UA-1 too (ISO 14289-1).
 */
export function makeArchival(document: PDFDocument, facts: DocumentFacts): void {
  const { context, catalog } = document;
  const srgb = readFileSync(new URL('./fonts/srgb.icc', import.meta.url));
  const profile = context.stream(deflateSync(srgb), { Filter: 'FlateDecode', N: 3 });
  const intent = {
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: context.register(profile),
  };
  catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
  // Uncompressed, so that archives find it without a PDF reader.
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

/** PDF/A requires a schema for properties that it does not define. */
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

/**
 * Defines the page's RGB as sRGB, which PDF/A requires in a document with an output intent of another colour space (ISO 19005-2,
 * 6.2.4.3).
 */
export function defineRgb(context: PDFContext): PDFRef {
  const srgb = {
    WhitePoint: [0.9505, 1, 1.089],
    Gamma: [2.2, 2.2, 2.2],
    Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
  };
  return context.register(context.obj({ DefaultRGB: ['CalRGB', srgb] }));
}

/**
 * Lists the glyphs of every embedded font, which PDF/A-1 asks of subsets (ISO 19005-1, 6.3.5), so that our pages keep an
 * archival document archival. Call it after the last glyph.
 */
export async function listGlyphs(document: PDFDocument): Promise<void> {
  await document.flush();
  const { context } = document;
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    const program = context.lookup(object.get(PDFName.of('FontFile2')));
    if (!(program instanceof PDFRawStream)) continue;
    const glyphs = glyphCountOf(inflateSync(program.contents));
    object.set(PDFName.of('CIDSet'), context.register(context.stream(firstBits(glyphs))));
  }
}

/** Bytes with this many ones, from the highest bit of the first byte. */
function firstBits(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  const unused = bits.length * 8 - count;
  if (unused > 0) bits[bits.length - 1] = (0xff << unused) & 0xff;
  return bits;
}
