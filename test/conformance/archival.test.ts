import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import { HashedOriginal } from '../../shared/sealing/original.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { sealOwn } from '../../shared/sealing/seal-own.ts';
import { makeEvidenceFile } from '../../shared/stamping/evidence-file.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { accessiblePdf, accessiblePdf2 } from '../support/accessible-pdf.ts';
import { archivalPdf } from '../support/archival-pdf.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../support/demo-keys.ts';
import { evidenceInput } from '../support/evidence-input.ts';
import { drawnSignature, pageInput, signer } from '../support/signature-input.ts';
import { makeTestAuthority, timestamperOf } from '../support/timestamp-authority.ts';
import {
  askDss,
  askOpensslCms,
  askOpensslTs,
  askPdfsig,
  askPyhanko,
  askQpdf,
  askVerapdf,
  requireJudges,
  type Verdicts,
} from './judges.ts';
import { writeTrust } from './trust.ts';

/** The evidence file, and sealed documents that are PDF/A or PDF/UA: judged as signatures, and by the standard that they claim. */

const folder = join(import.meta.dirname, '../../.cache/conformance/archival');
const trust = join(folder, 'trust');
const now = new Date();
const ca = makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' });
const tsa = makeTestAuthority({ now, algorithm: 'rsa' });
const timestamp = timestamperOf(tsa);
const keys = {
  rsa: pkcs12Key(toPkcs12(makeDemoSealIdentity(ca, { now, algorithm: 'rsa' }), 'x'), 'x'),
  ec: pkcs12Key(toPkcs12(makeDemoSealIdentity(ca, { now }), 'x'), 'x'),
};

const SIGNERS = [
  signer('Aino Virtanen'),
  signer('Δημήτριος Иванов', { signature: { type: 'drawn', png: drawnSignature() } }),
  ...['山田太郎', 'محمد علي', 'דוד כהן', 'देवनागरी त्रि', 'สมชาย น้ำ', 'ශ්‍රී', '김철수', 'Ann 😀'].map((name) =>
    signer(name),
  ),
];

const evidence = async (count: number, key = keys.rsa, onPage = {}): Promise<Uint8Array> => {
  const input = evidenceInput(count, { onPage: () => onPage, state: { mode: 'test' } });
  const pdf = await makeEvidenceFile({ ...input, signers: count === 1 ? SIGNERS : input.signers });
  return sealOwn({ pdf, key, timestamp, now, reason: 'Evidence of request 1' });
};
const drawing = { signature: { type: 'drawn', png: drawnSignature() } } as const;

const sealed = async (pdf: Buffer | Promise<Buffer>, withPage: boolean): Promise<Uint8Array> => {
  const signaturePage = await makeSignaturePage(pageInput({ test: true, signers: SIGNERS }));
  const original = new HashedOriginal(await pdf);
  const page = withPage && { signaturePage };
  return (await seal({ original, ...page, key: keys.rsa, timestamp, now, reason: 'Sealed' })).bytes;
};

const FILES: Record<string, [standards: string, make: () => Promise<Uint8Array>]> = {
  'evidence, every script': ['PDF/A-3b, PDF/UA-1', () => evidence(1)],
  'evidence, 3 signers, ECDSA': ['PDF/A-3b, PDF/UA-1', () => evidence(3, keys.ec)],
  'evidence, 20 drawn signatures': ['PDF/A-3b, PDF/UA-1', () => evidence(20, keys.rsa, drawing)],
  'PDF/A-1b': ['PDF/A-1b', () => sealed(archivalPdf(1), true)],
  'PDF/A-2b': ['PDF/A-2b', () => sealed(archivalPdf(2), true)],
  'PDF/A-3b': ['PDF/A-3b', () => sealed(archivalPdf(3), true)],
  'PDF/A-1b, without a page': ['PDF/A-1b', () => sealed(archivalPdf(1), false)],
  'PDF/UA-1': ['PDF/UA-1', () => sealed(accessiblePdf(), true)],
  'PDF/UA-1, without a page': ['PDF/UA-1', () => sealed(accessiblePdf(), false)],
  'PDF/UA-2': ['PDF/UA-2', () => sealed(accessiblePdf2(), true)],
};

const pathOf = (name: string): string => join(folder, `${name.replaceAll(/\W+/g, '-')}.pdf`);

let dss: Verdicts;
let pyhanko: Verdicts;
let verapdf: Verdicts;

beforeAll(async () => {
  requireJudges();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeTrust(trust, [ca, tsa.ca], [], now);
  for (const [name, [, make]] of Object.entries(FILES)) writeFileSync(pathOf(name), await make());
  const files = Object.keys(FILES).map(pathOf);
  [dss, pyhanko, verapdf] = await Promise.all([
    askDss(trust, files),
    askPyhanko(trust, files),
    askVerapdf(files),
  ]);
}, 240_000);

describe.each(Object.entries(FILES))('%s', (name, [standards]) => {
  it('is what it claims to be', () => {
    expect(verapdf.get(pathOf(name))).toEqual(
      standards.split(', ').map((told) => ({ valid: true, told, notes: '' })),
    );
  });

  it('carries a seal that every judge calls valid', async () => {
    const file = pathOf(name);
    for (const verdicts of [dss.get(file), pyhanko.get(file)])
      expect(verdicts).toEqual([expect.objectContaining({ valid: true })]);
    expect(dss.get(file)?.[0]?.notes ?? '').not.toContain('changes restricted');
    expect(await askPdfsig(file)).toMatchObject({ valid: true });
    expect(await askOpensslCms(trust, file)).toMatchObject({ valid: true });
    expect(await askOpensslTs(trust, file)).toMatchObject({ valid: true });
    expect(await askQpdf(file)).toBe(0);
  });
});

it.each([1, 2, 3] as const)('the metadata of a PDF/A-%d original is untouched', async (part) => {
  const original = await archivalPdf(part);
  const bytes = readFileSync(pathOf(`PDF/A-${part}b`));
  expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
  expect(bytes.subarray(original.length).includes('/Type /Metadata')).toBe(false);
});
