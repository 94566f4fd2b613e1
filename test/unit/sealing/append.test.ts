import { createHash } from 'node:crypto';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { buildIncrement, buildTimestampIncrement, writeUnsigned } from '../../../shared/sealing/append.ts';
import { openPdf, planSeal } from '../../../shared/sealing/plan.ts';
import { formOf, reopen, sealed } from './appended.ts';
import { craft, manyPages, ONE_PAGE, revise, startXrefOf } from './craft.ts';
import { demoSealing, now, sealIt, signaturePage } from './sealing-kit.ts';

const fieldNames = (document: PDFDocument): string[] =>
  formOf(document)
    .lookup(PDFName.of('Fields'), PDFArray)
    .asArray()
    .map((ref) =>
      document.context.lookup(ref, PDFDict).lookup(PDFName.of('T'), PDFString, PDFHexString).decodeText(),
    );

describe('the appended revision', () => {
  it.each([
    ['a table', craft({ objects: ONE_PAGE })],
    ['a stream', craft({ objects: ONE_PAGE, style: 'stream' })],
    [
      'a stream, with everything in object streams',
      craft({ objects: ONE_PAGE, style: 'stream', packed: [1, 2, 3] }),
    ],
    ['a table with 19-byte entries', craft({ objects: ONE_PAGE, entryEnd: '\n' })],
    ['a table, with no line end at the end', craft({ objects: ONE_PAGE }).subarray(0, -1)],
    [
      'a table, ending in CR',
      Buffer.concat([craft({ objects: ONE_PAGE }).subarray(0, -1), Buffer.from('\r')]),
    ],
  ])('the seal of %s keeps its cross-reference style and adds the page', async (style, original) => {
    const { bytes, document } = await sealed(original);
    expect(document.getPageCount()).toBe(2);
    const at = startXrefOf(bytes);
    expect(bytes.subarray(at, at + 4).toString() === 'xref').toBe(style.startsWith('a table'));
  });

  it('offsets count from the header when junk precedes it', async () => {
    // Intake refuses such files now; requests made before that still get their seal.
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE, junk: 'X-Junk: 1\r\n\r\n' }));
    const at = startXrefOf(bytes) + 'X-Junk: 1\r\n\r\n'.length;
    expect(bytes.subarray(at, at + 4).toString()).toBe('xref');
  });

  it('every page of a longer signature page is added, in order', async () => {
    const { document } = await sealed(craft({ objects: manyPages(3) }), 3);
    expect(document.getPages().map((page) => page.getWidth())).toEqual([200, 200, 200, 500, 500, 500]);
  });

  it('the added page inherits nothing from its new page tree', async () => {
    const tree =
      '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 10 10] /CropBox [1 1 9 9] /Rotate 90 /Resources <</Font <<>>>>>>';
    const { document } = await sealed(
      craft({ objects: { ...ONE_PAGE, 2: tree, 3: '<</Type /Page /Parent 2 0 R>>' } }),
    );
    const [first, added] = document.getPages();
    expect(first?.getRotation().angle).toBe(90);
    expect(added?.getRotation().angle).toBe(0);
    expect(added?.getSize()).toEqual({ width: 500, height: 700 });
    expect(added?.getCropBox()).toMatchObject({ width: 500, height: 700 });
    expect(added?.node.Resources()?.lookup(PDFName.of('Font'), PDFDict).keys()).toHaveLength(1);
  });

  it('pages are added to a list of kids that is an indirect object', async () => {
    const objects = { ...ONE_PAGE, 2: '<</Type /Pages /Count 4 0 R /Kids 5 0 R>>', 4: '1', 5: '[3 0 R]' };
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
      'whose list of fields is an indirect object',
      { 1: '<</Pages 2 0 R /AcroForm 4 0 R>>', 4: '<</Fields 6 0 R /DA (x)>>', 6: '[5 0 R]' },
    ],
    [
      'without a /Pages neighbour, everything inline',
      { 1: '<</AcroForm<</Fields[5 0 R]/DA(x)>>/Pages 2 0 R>>' },
    ],
  ])('a form %s keeps its fields and settings', async (_, objects) => {
    const original = craft({ objects: { ...ONE_PAGE, ...objects, 5: '<</FT /Tx /T (Name) /V (Ada)>>' } });
    const { document } = await sealed(original);
    expect(fieldNames(document)).toEqual(['Name', 'Seal']);
    expect(formOf(document).lookup(PDFName.of('DA'), PDFString).decodeText()).toBe('x');
    expect(formOf(document).lookup(PDFName.of('SigFlags'), PDFNumber).asNumber()).toBe(3);
  });

  it('the signature field gets a free name', async () => {
    const taken = {
      ...ONE_PAGE,
      1: '<</Pages 2 0 R /AcroForm <</Fields [5 0 R 6 0 R]>>>>',
      5: '<</FT /Sig /T (Seal)>>',
      6: '<</FT /Tx /T <FEFF005300650061006C0032>>>',
    };
    const { document } = await sealed(craft({ objects: taken }));
    expect(fieldNames(document)).toEqual(['Seal', 'Seal2', 'Seal3']);
  });

  it('the field’s name is unique among nested fields too, since EU DSS merges fields of one name', async () => {
    const nested = {
      ...ONE_PAGE,
      1: '<</Pages 2 0 R /AcroForm <</Fields [5 0 R]>>>>',
      5: '<</T (Parts) /Kids [6 0 R]>>',
      6: '<</FT /Tx /T (Seal)>>',
    };
    const { document } = await sealed(craft({ objects: nested }));
    expect(fieldNames(document)).toEqual(['Parts', 'Seal2']);
  });

  it('a form keeps its other flags', async () => {
    const flagged = { ...ONE_PAGE, 1: '<</Pages 2 0 R /AcroForm <</Fields [] /SigFlags 5>>>>' };
    const { document } = await sealed(craft({ objects: flagged }));
    expect(formOf(document).lookup(PDFName.of('SigFlags'), PDFNumber).asNumber()).toBe(7);
  });

  it('the catalog is not written again if nothing in it changes', async () => {
    const objects = { ...ONE_PAGE, 1: '<</Pages 2 0 R /AcroForm 4 0 R>>', 4: '<</Fields []>>' };
    const once = (await sealIt(craft({ objects }))).bytes;
    const twice = (await sealIt(once)).bytes;
    expect(once.toString('latin1').split('\n1 0 obj')).toHaveLength(3);
    expect(twice.toString('latin1').split('\n1 0 obj')).toHaveLength(3);
    expect(twice.toString('latin1').split('\n4 0 obj')).toHaveLength(4);
  });

  it('the seal does not appear on other pages that share a list of annotations', async () => {
    const objects = {
      ...manyPages(2),
      5: '[6 0 R]',
      6: '<</Type /Annot /Subtype /Text /Rect [0 0 9 9]>>',
      10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R>>',
      11: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R>>',
    };
    const { bytes } = await sealIt(craft({ objects }));
    const document = await reopen(bytes);
    expect(document.getPages().map((page) => page.node.Annots()?.size())).toEqual([1, 2]);
  });

  it('changed objects keep non-zero generations', async () => {
    const objects = {
      '1 2': '<</Type /Catalog /Pages 2 5 R>>',
      '2 5': '<</Type /Pages /Kids [3 1 R] /Count 1>>',
      '3 1': '<</Type /Page /Parent 2 5 R /MediaBox [0 0 9 9]>>',
    };
    const { bytes } = await sealed(craft({ objects, trailer: '/Root 1 2 R' }));
    expect(bytes.toString('latin1')).toMatch(/\n2 5 obj[\s\S]*\n\d{10} 00005 n/);
  });

  it.each(['table', 'stream'] as const)(
    'a %s names every object number in the end, those that nothing has as free ones',
    async (style) => {
      const original = craft({ objects: { ...ONE_PAGE, 5: '(five)', 9: '(nine)' }, style });
      const { bytes } = await sealed(original);
      const { xref } = openPdf(bytes).file;
      const kinds = Array.from({ length: xref.nextNumber }, (_, num) => xref.entries.get(num)?.kind);
      expect(kinds.slice(0, 10)).toEqual(
        Array.from({ length: 10 }, (_, num) => ([0, 4, 6, 7, 8].includes(num) ? 'free' : 'plain')),
      );
      expect(kinds).not.toContain(undefined);
    },
  );

  it('the seal’s table begins with object 0, since pdf.js misreads one that begins with a free object 1', async () => {
    const objects = {
      2: '<</Type /Catalog /Pages 3 0 R>>',
      3: '<</Type /Pages /Kids [4 0 R] /Count 1>>',
      4: '<</Type /Page /Parent 3 0 R /MediaBox [0 0 200 300]>>',
    };
    const { bytes } = await sealed(craft({ objects, trailer: '/Root 2 0 R' }));
    const table = bytes.subarray(startXrefOf(bytes)).toString('latin1');
    expect(table).toMatch(/^xref\n0 4\n(0{10} 65535 f\r\n){2}\d{10} 00000 n\r\n/);
  });

  it('unused numbers get no entry in a signed document, or in one with too many', async () => {
    const gaps = craft({ objects: { ...ONE_PAGE, 9: '(nine)' } });
    const freeIn = (bytes: Buffer): number => bytes.toString('latin1').split(' 65535 f').length - 1;
    const sealed = (await sealIt(gaps)).bytes;
    expect(freeIn(sealed.subarray(gaps.length))).toBe(6);
    const again = (await sealIt(revise(sealed, { objects: { 100: '(far)' } }))).bytes;
    expect(freeIn(again)).toBe(freeIn(sealed) + 1);
    const many = craft({ objects: { ...ONE_PAGE, 60000: '(far)' } });
    expect(freeIn((await sealIt(many)).bytes)).toBe(freeIn(many));
  });

  it('a signed document gets a signature and no page', async () => {
    const once = (await sealIt(craft({ objects: ONE_PAGE }))).bytes;
    const twice = await sealIt(once, { signaturePage: await signaturePage() });
    const document = await reopen(twice.bytes);
    expect(document.getPageCount()).toBe(1);
    expect(fieldNames(document)).toEqual(['Seal', 'Seal2']);
  });

  it('text in the original that looks like a placeholder is left alone', async () => {
    const lure = '/ByteRange [0 /********** /********** /**********] /Contents <0000> startxref 7 %%EOF';
    const original = craft({
      objects: { ...ONE_PAGE, 4: `(${lure})`, 5: `<</Length ${lure.length}>>\nstream\n${lure}\nendstream` },
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

  it('documents with 300 revisions or 5,000 pages are sealed', async () => {
    let revised = craft({ objects: ONE_PAGE });
    for (let i = 0; i < 300; i += 1) revised = revise(revised, { objects: { 4: `(${i})` } });
    await sealed(revised);
    const { document } = await sealed(craft({ objects: manyPages(5000) }));
    expect(document.getPageCount()).toBe(5001);
  });

  it('the first half of the file identifier stays and the second changes', async () => {
    const { bytes } = await sealed(craft({ objects: ONE_PAGE, trailer: '/ID [(first\\)) <00>]' }));
    expect(bytes.toString('latin1')).toMatch(/\/ID \[\(first\\\)\) <[\dA-F]{32}>\]/);
  });

  it('objects shared by several signature pages are copied once', async () => {
    const source = await PDFDocument.create();
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const image = await source.embedPng(pixel);
    for (let i = 0; i < 2; i += 1)
      source.addPage([500, 700]).drawImage(image, { x: 0, y: 0, width: 50, height: 50 });
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE }), { signaturePage: await source.save() });
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

describe('looks of the fields that the seal locks', () => {
  const LOOK = '<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 6>>\nstream\n0 0 m \nendstream';
  const form = (looks: Record<string, string>): Record<string, string> => ({
    ...ONE_PAGE,
    1: '<</Pages 2 0 R /AcroForm <</Fields [4 0 R 5 0 R]>>>>',
    4: '<</FT /Tx /T (Name) /AP <</N 6 0 R>>>>',
    5: '<</FT /Tx /T (Town) /AP <</N 6 0 R /D 7 0 R>>>>',
    ...looks,
  });
  const increment = (original: Buffer, isFollowed?: boolean): string => {
    const unsigned = buildIncrement(planSeal(original), { time: now, name: 'N' }, undefined, isFollowed);
    return writeUnsigned(original, unsigned).subarray(original.length).toString('latin1');
  };

  it('are written again, each once, if a revision will follow', () => {
    const added = increment(craft({ objects: form({ 6: LOOK, 7: LOOK }) }), true);
    expect(added.split(`6 0 obj\n${LOOK}\nendobj`)).toHaveLength(2);
    expect(added.split(`7 0 obj\n${LOOK}\nendobj`)).toHaveLength(2);
  });

  it('are written again for widgets of a field, and not for boxes to tick or signatures', () => {
    const looks = {
      4: '<</FT /Tx /T (Name) /Kids [8 0 R]>>',
      5: '<</FT /Btn /T (Box) /AS /Off /AP <</N 7 0 R>>>>',
      8: '<</Subtype /Widget /AP <</R 6 0 R>>>>',
    };
    const signature = { 9: '<</FT /Sig /T (Notary) /AP <</N 7 0 R>>>>' };
    const objects = form({ 6: LOOK, 7: LOOK, ...looks, ...signature });
    const fields = { 1: '<</Pages 2 0 R /AcroForm <</Fields [4 0 R 5 0 R 9 0 R]>>>>' };
    const added = increment(craft({ objects: { ...objects, ...fields } }), true);
    expect(added).toContain('6 0 obj');
    expect(added).not.toContain('7 0 obj');
  });

  it('are left alone if no revision will follow', () => {
    expect(increment(craft({ objects: form({ 6: LOOK, 7: LOOK }) }))).not.toContain('0 0 m');
  });

  it('are left alone if the document carries signatures, since the seal locks nothing then', async () => {
    const { bytes } = await sealIt(craft({ objects: form({ 6: LOOK, 7: LOOK }) }));
    expect(increment(bytes, true)).not.toContain('0 0 m');
  });

  it('are left alone if they are something else than streams', () => {
    expect(increment(craft({ objects: form({ 6: '(text)', 7: LOOK }) }), true)).not.toContain('6 0 obj');
  });

  it('are written again up to a megabyte of all together, and left alone beyond', () => {
    const withLookOf = (bytes: number): string => {
      const data = 'n '.repeat(bytes / 2);
      const look = `<</BBox [0 0 9 9] /Length ${data.length}>>\nstream\n${data}\nendstream`;
      return increment(craft({ objects: form({ 6: look, 7: LOOK }) }), true);
    };
    expect(withLookOf(1_048_000)).toContain('6 0 obj');
    expect(withLookOf(1_048_500)).not.toMatch(/[67] 0 obj/);
  });
});

it('the field of the seal is on the last page that is added', async () => {
  const { document } = await sealed(craft({ objects: ONE_PAGE }), 3);
  expect(document.getPages().map((page) => page.node.Annots()?.size() ?? 0)).toEqual([0, 0, 0, 1]);
  const [ref] = formOf(document).lookup(PDFName.of('Fields'), PDFArray).asArray();
  const field = document.context.lookup(ref, PDFDict);
  expect(field.get(PDFName.of('P'))).toBe(document.getPages().at(-1)?.ref);
});

it('a document timestamp has a field of its own name', async () => {
  const { bytes } = await sealIt(craft({ objects: ONE_PAGE }));
  const stamped = await reopen(writeUnsigned(bytes, buildTimestampIncrement(planSeal(bytes))));
  expect(fieldNames(stamped)).toEqual(['Seal', 'Timestamp']);
});

it('a document timestamp is on the page of the seal: on another one it might break PDF/UA', async () => {
  const { bytes } = await sealed(craft({ objects: ONE_PAGE }));
  const stamped = await reopen(writeUnsigned(bytes, buildTimestampIncrement(planSeal(bytes))));
  expect(stamped.getPages().map((page) => page.node.Annots()?.size() ?? 0)).toEqual([0, 2]);
});

describe('the seal', () => {
  it('the result holds the hash of its bytes and who sealed them', async () => {
    const result = await sealIt(craft({ objects: ONE_PAGE }));
    expect(result.sha256).toBe(createHash('sha256').update(result.bytes).digest('hex'));
    expect(result.sealedAt).toBe(now.toISOString());
    expect(result.technical).toMatchObject({
      subject: 'O=Signature Requests Demo, CN=Demo Seal',
      issuer: 'O=Signature Requests Demo, CN=Demo CA',
      algorithm: 'RSA with SHA-256',
      timestampAuthority: 'O=Signature Requests Demo, CN=Demo TSA',
    });
    expect(result.technical).not.toHaveProperty('level');
  });

  it('a reason cannot break out of its string, and the name is the certificate’s subject', async () => {
    const reason = 'Zürich 🖋 x) /SubFilter /adbe.pkcs7.detached (\\';
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE }), { reason });
    const document = await reopen(bytes);
    const [ref] = formOf(document).lookup(PDFName.of('Fields'), PDFArray).asArray();
    const signature = document.context.lookup(ref, PDFDict).lookup(PDFName.of('V'), PDFDict);
    const text = (key: string) => signature.lookup(PDFName.of(key), PDFString, PDFHexString).decodeText();
    const name = 'O=Signature Requests Demo, CN=Demo Seal';
    expect([text('Reason'), text('Name')]).toEqual([reason, name]);
    expect(signature.lookup(PDFName.of('SubFilter'), PDFName).asString()).toBe('/ETSI.CAdES.detached');
    expect(text('M')).toBe("D:20261121100000+00'00'");
  });

  it('an original that cannot be sealed is a permanent fault', async () => {
    await expect(sealIt(Buffer.from('hello'))).rejects.toMatchObject({
      code: 'original_unsealable',
      permanent: true,
    });
  });

  it('a chain too long for the reserved space is a permanent fault', async () => {
    const { key, ca } = demoSealing();
    const chain = [...key.certificateChain.slice(0, 1), ...Array.from({ length: 30 }, () => ca.certificate)];
    await expect(
      sealIt(craft({ objects: ONE_PAGE }), { key: { ...key, certificateChain: chain } }),
    ).rejects.toMatchObject({
      code: 'seal_too_large',
      permanent: true,
    });
  });
});
