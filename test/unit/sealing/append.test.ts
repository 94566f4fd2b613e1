import { createHash } from 'node:crypto';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { craft, manyPages, onePage, revise, startXrefOf } from './craft.ts';
import { demoSealing, now, sealIt, signaturePage } from './sealing-kit.ts';

/** pdf-lib reads independently of the code under test. */
const reopen = (bytes: Uint8Array): Promise<PDFDocument> =>
  PDFDocument.load(bytes, { updateMetadata: false });

async function sealed(original: Buffer, pages = 1) {
  expect(inspectPdf(original)).toMatchObject({ ok: true });
  const { bytes } = await sealIt(original, { signaturePage: await signaturePage(pages) });
  expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
  expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true });
  return { bytes, document: await reopen(bytes) };
}

const formOf = (document: PDFDocument): PDFDict => document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
const fieldNames = (document: PDFDocument): string[] =>
  formOf(document)
    .lookup(PDFName.of('Fields'), PDFArray)
    .asArray()
    .map((ref) =>
      document.context.lookup(ref, PDFDict).lookup(PDFName.of('T'), PDFString, PDFHexString).decodeText(),
    );

describe('The appended revision', () => {
  it.each([
    ['a table', craft({ objects: onePage })],
    ['a stream', craft({ objects: onePage, style: 'stream' })],
    [
      'a stream, with everything in object streams',
      craft({ objects: onePage, style: 'stream', packed: [1, 2, 3] }),
    ],
    ['a table with 19-byte entries', craft({ objects: onePage, entryEnd: '\n' })],
    ['a table, with no line end at the end', craft({ objects: onePage }).subarray(0, -1)],
    [
      'a table, ending in CR',
      Buffer.concat([craft({ objects: onePage }).subarray(0, -1), Buffer.from('\r')]),
    ],
  ])('keeps the cross-reference style of %s and adds the page', async (style, original) => {
    const { bytes, document } = await sealed(original);
    expect(document.getPageCount()).toBe(2);
    const at = startXrefOf(bytes);
    expect(bytes.subarray(at, at + 4).toString() === 'xref').toBe(style.startsWith('a table'));
  });

  it('counts offsets from the header when junk stands before it', async () => {
    const { bytes } = await sealed(craft({ objects: onePage, junk: 'X-Junk: 1\r\n\r\n' }));
    const at = startXrefOf(bytes) + 'X-Junk: 1\r\n\r\n'.length;
    expect(bytes.subarray(at, at + 4).toString()).toBe('xref');
  });

  it('adds every page of a longer signature page, in order', async () => {
    const { document } = await sealed(craft({ objects: manyPages(3) }), 3);
    expect(document.getPages().map((page) => page.getWidth())).toEqual([200, 200, 200, 500, 500, 500]);
  });

  it('lets the added page inherit nothing from the tree it is put into', async () => {
    const tree =
      '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 10 10] /CropBox [1 1 9 9] /Rotate 90 /Resources <</Font <<>>>>>>';
    const { document } = await sealed(
      craft({ objects: { ...onePage, 2: tree, 3: '<</Type /Page /Parent 2 0 R>>' } }),
    );
    const [first, added] = document.getPages();
    expect(first?.getRotation().angle).toBe(90);
    expect(added?.getRotation().angle).toBe(0);
    expect(added?.getSize()).toEqual({ width: 500, height: 700 });
    expect(added?.getCropBox()).toMatchObject({ width: 500, height: 700 });
    expect(added?.node.Resources()?.lookup(PDFName.of('Font'), PDFDict).keys()).toHaveLength(1);
  });

  it('puts pages into a list of kids that stands behind a reference', async () => {
    const objects = { ...onePage, 2: '<</Type /Pages /Count 4 0 R /Kids 5 0 R>>', 4: '1', 5: '[3 0 R]' };
    const { document } = await sealed(craft({ objects }));
    expect(document.getPageCount()).toBe(2);
    expect(document.catalog.Pages().lookup(PDFName.of('Count'), PDFNumber).asNumber()).toBe(2);
  });

  it.each([
    ['in the catalog', { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R] /DA (x)>>>>' }],
    [
      'in an object',
      { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 4 0 R>>', 4: '<</Fields [5 0 R] /DA (x)>>' },
    ],
    [
      'with its fields behind a reference',
      { 1: '<</Pages 2 0 R /AcroForm 4 0 R>>', 4: '<</Fields 6 0 R /DA (x)>>', 6: '[5 0 R]' },
    ],
    [
      'without a /Pages neighbour, everything inline',
      { 1: '<</AcroForm<</Fields[5 0 R]/DA(x)>>/Pages 2 0 R>>' },
    ],
  ])('keeps a form that stands %s', async (_, objects) => {
    const original = craft({ objects: { ...onePage, ...objects, 5: '<</FT /Tx /T (Name) /V (Ada)>>' } });
    const { document } = await sealed(original);
    expect(fieldNames(document)).toEqual(['Name', 'Seal']);
    expect(formOf(document).lookup(PDFName.of('DA'), PDFString).decodeText()).toBe('x');
    expect(formOf(document).lookup(PDFName.of('SigFlags'), PDFNumber).asNumber()).toBe(3);
  });

  it('finds a free name beside fields called like its own', async () => {
    const taken = {
      ...onePage,
      1: '<</Pages 2 0 R /AcroForm <</Fields [5 0 R 6 0 R]>>>>',
      5: '<</FT /Sig /T (Seal)>>',
      6: '<</FT /Tx /T <FEFF005300650061006C0032>>>',
    };
    const { document } = await sealed(craft({ objects: taken }));
    expect(fieldNames(document)).toEqual(['Seal', 'Seal2', 'Seal3']);
  });

  it('gives the first page a list of annotations of its own when pages share one', async () => {
    const objects = {
      ...manyPages(2),
      5: '[6 0 R]',
      6: '<</Type /Annot /Subtype /Text /Rect [0 0 9 9]>>',
      10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R>>',
      11: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R>>',
    };
    const { bytes } = await sealIt(craft({ objects }));
    const document = await reopen(bytes);
    expect(document.getPages().map((page) => page.node.Annots()?.size())).toEqual([2, 1]);
  });

  it('keeps generations that are not zero', async () => {
    const objects = {
      '1 2': '<</Type /Catalog /Pages 2 5 R>>',
      '2 5': '<</Type /Pages /Kids [3 1 R] /Count 1>>',
      '3 1': '<</Type /Page /Parent 2 5 R /MediaBox [0 0 9 9]>>',
    };
    const { bytes } = await sealed(craft({ objects, trailer: '/Root 1 2 R' }));
    expect(bytes.toString('latin1')).toMatch(/\n2 5 obj[\s\S]*\n\d{10} 00005 n/);
  });

  it('adds nothing but the signature to a document that is signed already', async () => {
    const once = (await sealIt(craft({ objects: onePage }))).bytes;
    const twice = await sealIt(once, { signaturePage: await signaturePage() });
    const document = await reopen(twice.bytes);
    expect(document.getPageCount()).toBe(1);
    expect(fieldNames(document)).toEqual(['Seal', 'Seal2']);
  });

  it('drops usage rights, which any change would break, when the document is not signed', async () => {
    const objects = { ...onePage, 1: '<</Pages 2 0 R /Perms <</UR3 9 0 R>>>>', 9: '<</Type /Sig>>' };
    const { document } = await sealed(craft({ objects }));
    expect(document.catalog.has(PDFName.of('Perms'))).toBe(false);
  });

  it('is not fooled by text that looks like its own placeholders', async () => {
    const lure = '/ByteRange [0 /********** /********** /**********] /Contents <0000> startxref 7 %%EOF';
    const original = craft({
      objects: { ...onePage, 4: `(${lure})`, 5: `<</Length ${lure.length}>>\nstream\n${lure}\nendstream` },
    });
    const { bytes } = await sealed(original);
    const range = bytes
      .subarray(original.length)
      .toString('latin1')
      .match(/\/ByteRange \[0 +(\d+) +(\d+) +(\d+) *\]/);
    const [, from = 0, to = 0, rest = 0] = (range ?? []).map(Number);
    expect(to + rest).toBe(bytes.length);
    expect([bytes[from], bytes[to - 1]]).toEqual(['<'.charCodeAt(0), '>'.charCodeAt(0)]);
    expect(from).toBeGreaterThan(original.length);
  });

  it('seals the same original after 300 revisions and with 5,000 pages', async () => {
    let revised = craft({ objects: onePage });
    for (let i = 0; i < 300; i += 1) revised = revise(revised, { objects: { 4: `(${i})` } });
    await sealed(revised);
    const { document } = await sealed(craft({ objects: manyPages(5000) }));
    expect(document.getPageCount()).toBe(5001);
  });

  it('keeps the first half of the file identifier and changes the second', async () => {
    const { bytes } = await sealed(craft({ objects: onePage, trailer: '/ID [(first\\)) <00>]' }));
    expect(bytes.toString('latin1')).toMatch(/\/ID \[\(first\\\)\) <[\dA-F]{32}>\]/);
  });

  it('copies fonts, pictures and shared parts of the signature page once', async () => {
    const source = await PDFDocument.create();
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const image = await source.embedPng(pixel);
    for (let i = 0; i < 2; i += 1)
      source.addPage([500, 700]).drawImage(image, { x: 0, y: 0, width: 50, height: 50 });
    const { bytes } = await sealIt(craft({ objects: onePage }), { signaturePage: await source.save() });
    const document = await reopen(bytes);
    const names = document
      .getPages()
      .slice(1)
      .map((page) => {
        const objects = page.node.Resources()?.lookup(PDFName.of('XObject'), PDFDict);
        return objects?.entries().map(([, ref]) => ref.toString());
      });
    expect(names[0]).toHaveLength(1);
    expect(names[0]).toEqual(names[1]);
    expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2);
  });
});

describe('The seal', () => {
  it('answers the hash of exactly the bytes it made, and who made them', async () => {
    const result = await sealIt(craft({ objects: onePage }));
    expect(result.sha256).toBe(createHash('sha256').update(result.bytes).digest('hex'));
    expect(result.sealedAt).toBe(now.toISOString());
    expect(result.technical).toMatchObject({
      subject: 'O=Signature Requests Demo, CN=Demo Seal',
      issuer: 'O=Signature Requests Demo, CN=Demo CA',
      algorithm: 'RSA with SHA-256',
      timestampAuthority: 'O=Signature Requests Demo, CN=Demo TSA',
    });
  });

  it('writes name, reason and place as text and nothing else, whatever they hold', async () => {
    const reason = 'x) /SubFilter /adbe.pkcs7.detached (\\';
    const { bytes } = await sealIt(craft({ objects: onePage }), {
      reason,
      name: 'Ελένη Ünal 🖋',
      location: 'Zürich',
    });
    const document = await reopen(bytes);
    const [ref] = formOf(document).lookup(PDFName.of('Fields'), PDFArray).asArray();
    const signature = document.context.lookup(ref, PDFDict).lookup(PDFName.of('V'), PDFDict);
    const text = (key: string) => signature.lookup(PDFName.of(key), PDFString, PDFHexString).decodeText();
    expect([text('Reason'), text('Name'), text('Location')]).toEqual([reason, 'Ελένη Ünal 🖋', 'Zürich']);
    expect(signature.lookup(PDFName.of('SubFilter'), PDFName).asString()).toBe('/ETSI.CAdES.detached');
    expect(text('M')).toBe("D:20261121100000+00'00'");
  });

  it('says that an original cannot be sealed, for good, when one gets this far', async () => {
    await expect(sealIt(Buffer.from('hello'))).rejects.toMatchObject({
      code: 'original_unsealable',
      permanent: true,
    });
  });

  it('fails for good when certificates do not fit into the room for the signature', async () => {
    const { key, ca } = demoSealing();
    const chain = [...key.certificateChain.slice(0, 1), ...Array.from({ length: 30 }, () => ca.certificate)];
    await expect(
      sealIt(craft({ objects: onePage }), { key: { ...key, certificateChain: chain } }),
    ).rejects.toMatchObject({
      code: 'seal_too_large',
      permanent: true,
    });
  });
});
