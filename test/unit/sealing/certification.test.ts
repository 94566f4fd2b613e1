import { PDFArray, PDFContext, PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { formOf, reopen, sealed } from './appended.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { sealIt } from './sealing-kit.ts';

describe('the certification', () => {
  const FIELDS = {
    ...ONE_PAGE,
    1: '<</Pages 2 0 R /AcroForm <</Fields [4 0 R 5 0 R 8 0 R]>>>>',
    4: '<</T (Buyer) /Kids [6 0 R 7 0 R]>>',
    5: '<</FT /Sig /T (Notary)>>',
    6: '<</FT /Tx /T (Name \\(full\\)) /Parent 4 0 R /Kids [9 0 R]>>',
    7: '<</FT /Btn /T <FEFF00C400DF> /Parent 4 0 R>>',
    8: '<</FT /Tx /T (\\200 \\2401)>>',
    9: '<</Subtype /Widget /Parent 6 0 R>>',
  };
  const referencesOf = (document: PDFDocument): PDFDict[] => {
    const fields = formOf(document).lookup(PDFName.of('Fields'), PDFArray).asArray();
    const field = document.context.lookup(fields.at(-1), PDFDict);
    const references = field.lookup(PDFName.of('V'), PDFDict).lookupMaybe(PDFName.of('Reference'), PDFArray);
    return (references?.asArray() ?? []).map((each) => document.context.lookup(each, PDFDict));
  };
  const method = (reference: PDFDict | undefined) =>
    reference?.lookup(PDFName.of('TransformMethod'))?.toString();
  const parameters = (reference: PDFDict | undefined) =>
    reference?.lookup(PDFName.of('TransformParams'), PDFDict) ?? PDFDict.withContext(PDFContext.create());

  const lockedNames = async (objects: Record<string, string>): Promise<string[]> => {
    const { document } = await sealed(craft({ objects }));
    const [, fieldMdp] = referencesOf(document);
    expect(method(fieldMdp)).toBe('/FieldMDP');
    expect(parameters(fieldMdp).lookup(PDFName.of('Action'))?.toString()).toBe('/Include');
    const names = parameters(fieldMdp).lookup(PDFName.of('Fields'), PDFArray).asArray();
    return names
      .map((name) => document.context.lookup(name, PDFString, PDFHexString)?.decodeText() ?? '')
      .toSorted();
  };

  it('the first signature of a document certifies it and allows further signatures', async () => {
    const { document } = await sealed(craft({ objects: ONE_PAGE }));
    const [docMdp, ...others] = referencesOf(document);
    expect(others).toEqual([]);
    expect(method(docMdp)).toBe('/DocMDP');
    expect(parameters(docMdp).lookup(PDFName.of('P'))?.toString()).toBe('2');
    const field = document.context.lookup(
      formOf(document).lookup(PDFName.of('Fields'), PDFArray).get(0),
      PDFDict,
    );
    const permissions = document.catalog.lookup(PDFName.of('Perms'), PDFDict);
    expect(permissions.get(PDFName.of('DocMDP'))).toBe(field.get(PDFName.of('V')));
  });

  it('the fields of a form are locked by their full names, and empty signature fields are not', async () => {
    expect(await lockedNames(FIELDS)).toEqual(['Buyer.Name (full)', 'Buyer.Äß', '• €1']);
  });

  it('a field is locked although another one has its name, and fields below it', async () => {
    const twice = {
      ...ONE_PAGE,
      1: '<</Pages 2 0 R /AcroForm <</Fields [4 0 R 5 0 R]>>>>',
      4: '<</T (Price) /FT /Tx>>',
      5: '<</T (Price) /Kids [6 0 R]>>',
      6: '<</T (Net) /FT /Tx /Parent 5 0 R>>',
    };
    expect(await lockedNames(twice)).toEqual(['Price', 'Price.Net']);
  });

  it('a document that carries signatures gets an approval signature', async () => {
    const once = (await sealIt(craft({ objects: FIELDS }))).bytes;
    const document = await reopen((await sealIt(once)).bytes);
    expect(referencesOf(document)).toEqual([]);
    const [, , , first] = formOf(document).lookup(PDFName.of('Fields'), PDFArray).asArray();
    const permissions = document.catalog.lookup(PDFName.of('Perms'), PDFDict);
    expect(permissions.get(PDFName.of('DocMDP'))).toBe(
      document.context.lookup(first, PDFDict).get(PDFName.of('V')),
    );
  });

  it('usage rights of an unsigned document are replaced', async () => {
    const objects = { ...ONE_PAGE, 1: '<</Pages 2 0 R /Perms <</UR3 9 0 R>>>>', 9: '<</Type /Sig>>' };
    const { document } = await sealed(craft({ objects }));
    const permissions = document.catalog.lookup(PDFName.of('Perms'), PDFDict);
    expect(permissions.keys().map(String)).toEqual(['/DocMDP']);
  });

  it('field names too long to be locked are refused', () => {
    const name = 'x'.repeat(300_000);
    const objects = {
      ...ONE_PAGE,
      1: '<</Pages 2 0 R /AcroForm <</Fields [4 0 R]>>>>',
      4: `<</T (${name}) /Kids [5 0 R 6 0 R 7 0 R]>>`,
      5: '<</T (a) /FT /Tx>>',
      6: '<</T (b) /FT /Tx>>',
      7: '<</T (c) /FT /Tx>>',
    };
    expect(inspectPdf(craft({ objects }))).toMatchObject({ ok: false, code: 'pdf_too_complex' });
  });
});

describe('the extension that a seal is before PDF 2.0', () => {
  const extensionsOf = async (objects: Record<string, string>): Promise<string> => {
    const { document } = await sealed(craft({ objects: { ...ONE_PAGE, ...objects } }));
    return (
      document.catalog.lookupMaybe(PDFName.of('Extensions'), PDFDict)?.toString().replaceAll(/\s+/g, ' ') ??
      ''
    );
  };
  const OURS = '/ESIC << /BaseVersion /1.7 /ExtensionLevel 1 >>';
  const ADOBE = '/ADBE <</BaseVersion /1.7 /ExtensionLevel 3>>';

  it.each<[string, Record<string, string>]>([
    ['has no extensions', {}],
    ['has others', { 1: `<</Pages 2 0 R /Extensions <<${ADOBE}>>>>` }],
    ['has others in an object', { 1: '<</Pages 2 0 R /Extensions 4 0 R>>', 4: `<<${ADOBE}>>` }],
    ['has an older version', { 1: '<</Pages 2 0 R /Version /1.4>>' }],
    ['has something else in their place', { 1: '<</Pages 2 0 R /Extensions 7>>' }],
  ])('is declared in a catalog that %s', async (_, objects) => {
    const found = await extensionsOf(objects);
    expect(found).toContain(OURS);
    expect(found.includes('/ADBE')).toBe(JSON.stringify(objects).includes('/ADBE'));
  });

  it.each<[string, Record<string, string>]>([
    ['is there', { 1: '<</Pages 2 0 R /Extensions <</ESIC <</BaseVersion /1.7 /ExtensionLevel 5>>>>>>' }],
    ['is not needed in PDF 2.0', { 1: '<</Pages 2 0 R /Version /2.0>>' }],
    ['is not needed by a version in an object', { 1: '<</Pages 2 0 R /Version 4 0 R>>', 4: '/2.0' }],
  ])('is not declared again if it %s', async (_, objects) => {
    expect(await extensionsOf(objects)).not.toContain(OURS);
  });
});

it('The header alone may say PDF 2.0, in which a seal is no extension', async () => {
  const original = craft({ objects: ONE_PAGE }).toString('latin1').replace('%PDF-1.7', '%PDF-2.0');
  const { bytes } = await sealed(Buffer.from(original, 'latin1'));
  expect(bytes.includes('/ESIC')).toBe(false);
});
