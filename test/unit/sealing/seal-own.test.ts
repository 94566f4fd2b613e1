import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { embeddedFile } from '../../../shared/sealing/embedded-file.ts';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { sealOwn, signedPart } from '../../../shared/sealing/seal-own.ts';
import { verifySeal } from '../../../shared/sealing/verify-seal.ts';
import { makeDemoSealIdentity } from '../../support/demo-keys.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { timestamperOf } from '../../support/timestamp-authority.ts';
import { revise } from './craft.ts';
import { demoSealing, now } from './sealing-kit.ts';

const attached = (bytes: Uint8Array, name: string) => embeddedFile(bytes, name, new Budget(inflate));

const REASON = 'Evidence of request 1';
const DATA = Buffer.from('{"facts":[1,2,3]}');

async function ownPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([500, 700]).drawText('Evidence', { x: 50, y: 600 });
  await document.attach(DATA, 'evidence.json', { mimeType: 'application/json' });
  return document.save({ useObjectStreams: false });
}

async function sealed(reason = REASON, pdf?: Uint8Array): Promise<Buffer> {
  const { key, tsa } = demoSealing();
  const timestamp = timestamperOf(tsa, () => now);
  return sealOwn({ pdf: pdf ?? (await ownPdf()), key, timestamp, now, reason });
}

const verify = (bytes: Uint8Array, reason = REASON) =>
  verifySeal(bytes, {
    original: signedPart(bytes),
    certificates: demoSealing().key.certificateChain.slice(0, 1),
    anchors: certificatesOfPem(demoSealing().tsa.authority.caPem),
    reason,
  });

describe('a PDF of ours sealed through SignPdf', () => {
  it('carries a seal over SHA-384 by a key on P-384', async () => {
    const { ca, tsa } = demoSealing();
    const key = sealKeyOf(makeDemoSealIdentity(ca, { now, algorithm: 'ecdsa-p384' }));
    const timestamp = timestamperOf(tsa, () => now);
    const bytes = await sealOwn({ pdf: await ownPdf(), key, timestamp, now, reason: REASON });
    const expected = { original: signedPart(bytes), certificates: key.certificateChain.slice(0, 1) };
    const anchors = certificatesOfPem(tsa.authority.caPem);
    expect(verifySeal(bytes, { ...expected, anchors, reason: REASON })).toMatchObject({
      valid: true,
      technical: { algorithm: 'ECDSA P-384 with SHA-384' },
    });
  });

  it('carries the same kind of seal as a document: certified, timestamped, over the whole file', async () => {
    const bytes = await sealed();
    expect(verify(bytes)).toMatchObject({ valid: true, pagesAdded: 0, sealedAt: now.toISOString() });
    expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true });
    expect(bytes.toString('latin1')).toContain('/TransformMethod /DocMDP');
  });

  it('still holds its attached file', async () => {
    expect(attached(await sealed(), 'evidence.json')).toEqual(new Uint8Array(DATA));
  });

  it.each<[string, string, () => Promise<Uint8Array>]>([
    ['sealed for something else', 'reason', () => sealed('Evidence of request 2')],
    ['not sealed', 'follow', ownPdf],
    ['with a byte changed', 'digest', async () => flipped(await sealed())],
    ['with a later revision', 'directly', async () => later(await sealed())],
    ['that is no PDF', 'header', async () => Buffer.from('nothing')],
  ])('a sealed PDF of ours is told apart from a file %s', async (_, fault, make) => {
    expect(verify(await make())).toEqual({ valid: false, fault: expect.stringContaining(fault) });
  });

  it('refuses a PDF whose text could be taken for the placeholder', async () => {
    const { key, tsa } = demoSealing();
    const timestamp = timestamperOf(tsa, () => now);
    const document = await PDFDocument.load(await ownPdf());
    const trap = PDFString.of('/ByteRange [0 /********** /********** /**********] /Contents <00>');
    document.catalog.set(PDFName.of('Trap'), trap);
    const pdf = await document.save({ useObjectStreams: false });
    await expect(sealOwn({ pdf, key, timestamp, now, reason: REASON })).rejects.toThrow('multiple ByteRange');
  });
});

describe('the part of such a file that was sealed', () => {
  /** A PDF whose end is named before it ends. */
  async function misleading(): Promise<Uint8Array> {
    const document = await PDFDocument.load(await ownPdf());
    document.catalog.set(PDFName.of('Trap'), PDFString.of('%%EOF'));
    return document.save({ useObjectStreams: false });
  }

  it.each([
    ['is the PDF as it was given', (bytes: Buffer) => bytes],
    ['is found before a later revision, too', later],
  ])('%s', async (_, change) => {
    const pdf = await misleading();
    expect(sameBytes(signedPart(change(await sealed(REASON, pdf))), endsWithEof(pdf))).toBe(true);
  });

  it('the sealed part of a file without a seal is its first revision, and of anything else than a PDF all bytes', async () => {
    const pdf = await ownPdf();
    expect(sameBytes(signedPart(later(Buffer.from(pdf))), endsWithEof(pdf))).toBe(true);
    expect(Buffer.from(signedPart(Buffer.from('nothing'))).toString()).toBe('nothing');
  });

  it('the sealed part of a file whose byte range cannot be read is found from its end', async () => {
    const pdf = await misleading();
    const bytes = await sealed(REASON, pdf);
    bytes.write('x', bytes.indexOf('/ByteRange [0 ') + '/ByteRange [0 '.length, 'latin1');
    expect(sameBytes(signedPart(bytes), endsWithEof(pdf))).toBe(true);
  });
});

const sameBytes = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Without a line feed at the end, if there is one. */
const endsWithEof = (pdf: Uint8Array) =>
  pdf.subarray(0, Buffer.from(pdf).lastIndexOf('%%EOF') + '%%EOF'.length);

function flipped(bytes: Buffer): Buffer {
  const at = bytes.indexOf('/MediaBox') + 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

function later(bytes: Buffer): Buffer {
  const root = /\/Root \d+ 0 R/.exec(bytes.toString('latin1'))?.[0] ?? '';
  return revise(bytes, { objects: { 99: '(more)' }, trailer: root });
}
