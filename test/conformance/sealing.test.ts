import { createHash, randomBytes, sign } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { PDFDocument } from 'pdf-lib';
import { inspectPdf } from '../../shared/sealing/intake.ts';
import { kmsKey } from '../../shared/sealing/keys/kms.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import type { SealKey } from '../../shared/sealing/keys/port.ts';
import { HashedOriginal } from '../../shared/sealing/original.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { type DemoIdentity, makeDemoCa, makeDemoSealIdentity, pem, toPkcs12 } from '../support/demo-keys.ts';
import { drawnSignature, pageInput, signer } from '../support/signature-input.ts';
import { fetchOf, makeTestAuthority } from '../support/timestamp-authority.ts';
import { craft, manyPages, revise, startXrefOf } from '../unit/sealing/craft.ts';
import {
  askDss,
  askOpensslCms,
  askOpensslTs,
  askPdfsig,
  askPyhanko,
  askQpdf,
  lastSignature,
  requireJudges,
  run,
  runPython,
  timestampOf,
  type Verdicts,
} from './judges.ts';
import { writeTrust } from './trust.ts';

const folder = join(import.meta.dirname, '../../.cache/conformance/seals');
const trust = join(folder, 'trust');
const now = new Date();

const root = makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' });
const issuing = makeDemoCa(now, 'Demo issuing CA', { issuer: root, algorithm: 'rsa' });
const tsa = makeTestAuthority({ now, algorithm: 'rsa' });
const identities = {
  rsa: makeDemoSealIdentity(issuing, { now, algorithm: 'rsa' }),
  ec: makeDemoSealIdentity(issuing, { now }),
  p384: makeDemoSealIdentity(issuing, { now, algorithm: 'ecdsa-p384' }),
};

const p12 = (identity: DemoIdentity): SealKey => pkcs12Key(toPkcs12(identity, 'x'), 'x');

/** KMS, but for the network: it signs what the adapter sends. */
function kms(identity: DemoIdentity): SealKey {
  mockClient(KMSClient)
    .on(SignCommand)
    .callsFake(async ({ Message }) => ({ Signature: sign('sha256', Message, identity.privateKey) }));
  const certificateChainPem = [identity.certificate, ...identity.issuers].map(pem).join('');
  return kmsKey({ client: new KMSClient({ region: 'eu-west-1' }), keyId: 'alias/seal', certificateChainPem });
}

const sealWith = async (original: Uint8Array, key: SealKey, signaturePage: Uint8Array): Promise<Buffer> => {
  // All nonces have the same length, so that a token can take another's place byte for byte.
  const nonce = (size: number) => Buffer.concat([Buffer.of(0x41), randomBytes(size - 1)]);
  const timestamp = timestamper([tsa.authority], { fetch: fetchOf(tsa), randomBytes: nonce });
  const texts = { reason: 'Sealed (for keeps) \\ Größe' };
  return (
    await seal({ original: new HashedOriginal(original), signaturePage, key, timestamp, now, ...texts })
  ).bytes;
};

const signers = (count: number): Promise<Uint8Array> =>
  makeSignaturePage(
    pageInput({
      signers: Array.from({ length: count }, (_, index) =>
        signer(
          `Δημήτριος Иванов-Virtanen ${index + 1}`,
          index === 1 ? { signature: { type: 'drawn', png: drawnSignature() } } : {},
        ),
      ),
    }),
  );

const modern = await PDFDocument.create();
for (let i = 0; i < 3; i += 1)
  modern.addPage([595, 842]).drawText(`Contract, page ${i + 1}`, { x: 60, y: 760 });
const withTable = Buffer.from(await modern.save({ useObjectStreams: false }));
const withStream = Buffer.from(await modern.save({ useObjectStreams: true }));
modern
  .getForm()
  .createTextField('Price')
  .addToPage(modern.getPage(0), { x: 60, y: 600, width: 200, height: 30 });
const withForm = Buffer.from(await modern.save({ useObjectStreams: false }));

async function throughQpdf(name: string, original: Buffer, ...args: string[]): Promise<Buffer> {
  const [from, to] = [join(folder, `${name}-in.pdf`), join(folder, `${name}-out.pdf`)];
  writeFileSync(from, original);
  expect((await run('qpdf', [...args, from, to])).code).toBe(0);
  return readFileSync(to);
}

/** A file for both old and new readers: the table hides what its stream shows. */
function hybrid(): Buffer {
  const hidden = craft({ objects: manyPages(2), style: 'stream', packed: [11] });
  const at = (num: number): string => String(hidden.indexOf(`\n${num} 0 obj`) + 1).padStart(10, '0');
  const rows = [1, 2, 10].map((num) => `${num} 1\n${at(num)} 00000 n\r\n`).join('');
  const table = `xref\n0 1\n0000000000 65535 f\r\n${rows}11 1\n0000000000 00000 f\r\n`;
  const trailer = `trailer\n<</Size 14 /Root 1 0 R /XRefStm ${startXrefOf(hidden)}>>\nstartxref\n${hidden.length}\n%%EOF\n`;
  return Buffer.concat([hidden, Buffer.from(table + trailer)]);
}

describe('seals judged by others', () => {
  const files = new Map<string, string>();
  const keep = (name: string, bytes: Uint8Array): void => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.pdf`);
    writeFileSync(file, bytes);
    files.set(name, file);
  };
  let dss: Verdicts;
  let pyhanko: Verdicts;

  beforeAll(async () => {
    requireJudges();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeTrust(trust, [root, tsa.ca], [issuing], now);

    const [one, twenty] = [await signers(1), await signers(20)];
    const linearized = await throughQpdf('linearized', withTable, '--linearize');
    const linearizedStreams = await throughQpdf(
      'linearized-streams',
      withTable,
      '--linearize',
      '--object-streams=generate',
    );
    const signed = await sealWith(withTable, p12(identities.ec), one);
    keep('RSA, PKCS#12, table, 1 signer', await sealWith(withTable, p12(identities.rsa), one));
    keep('RSA, PKCS#12, stream, 20 signers', await sealWith(withStream, p12(identities.rsa), twenty));
    keep('ECDSA, PKCS#12, stream, 1 signer', await sealWith(withStream, p12(identities.ec), one));
    keep('ECDSA, PKCS#12, table, 20 signers', await sealWith(withTable, p12(identities.ec), twenty));
    keep('P-384, PKCS#12, stream', await sealWith(withStream, p12(identities.p384), one));
    keep('P-384, signed before', await sealWith(signed, p12(identities.p384), one));
    keep('RSA, KMS, table', await sealWith(withTable, kms(identities.rsa), one));
    keep('ECDSA, KMS, stream', await sealWith(withStream, kms(identities.ec), one));
    keep('linearized', await sealWith(linearized, p12(identities.rsa), one));
    keep('linearized, with object streams', await sealWith(linearizedStreams, p12(identities.ec), one));
    keep('hybrid', await sealWith(hybrid(), p12(identities.rsa), one));
    keep('300 revisions', await sealWith(revisions(300), p12(identities.ec), one));
    keep('signed before', await sealWith(signed, p12(identities.rsa), one));
    keep(
      'signed twice before',
      await sealWith(await sealWith(signed, p12(identities.rsa), one), p12(identities.ec), one),
    );
    keep('with a form', await sealWith(withForm, p12(identities.rsa), one));
    keep(
      'with a form, signed before',
      await sealWith(await sealWith(withForm, p12(identities.ec), one), p12(identities.rsa), one),
    );
    const next = await sealWith(withForm, p12(identities.rsa), one);
    keep(SIGNED_LATER, await changedBy('sign', next, keyFile(identities.ec), 'x'));
    for (const permission of ['FILL_FORMS', 'ANNOTATE'] as const) {
      keep(
        certified(permission),
        await sealWith(await certify(withTable, permission), p12(identities.rsa), one),
      );
    }
    const all = [...files.values()];
    [dss, pyhanko] = await Promise.all([askDss(trust, all), askPyhanko(trust, all)]);
  }, 240_000);

  const names = [
    ['RSA, PKCS#12, table, 1 signer', 1],
    ['RSA, PKCS#12, stream, 20 signers', 1],
    ['ECDSA, PKCS#12, stream, 1 signer', 1],
    ['ECDSA, PKCS#12, table, 20 signers', 1],
    ['P-384, PKCS#12, stream', 1],
    ['P-384, signed before', 2],
    ['RSA, KMS, table', 1],
    ['ECDSA, KMS, stream', 1],
    ['linearized', 1],
    ['linearized, with object streams', 1],
    ['hybrid', 1],
    ['300 revisions', 1],
    ['signed before', 2],
    ['signed twice before', 3],
    ['with a form', 1],
    ['with a form, signed before', 2],
  ] as const;

  it.each(names)('every judge calls the seal valid: %s', async (name, signatures) => {
    const file = files.get(name) ?? '';
    const verdicts = [...(dss.get(file) ?? []), ...(pyhanko.get(file) ?? [])];
    expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
    expect(verdicts.filter(({ notes }) => notes?.includes('changes restricted'))).toEqual([]);
    expect(verdicts).toHaveLength(2 * signatures);
    expect(await askPdfsig(file)).toMatchObject({ valid: true });
    expect(await askOpensslCms(trust, file)).toMatchObject({ valid: true });
    expect(await askOpensslTs(trust, file)).toMatchObject({ valid: true });
    expect(await askQpdf(file)).toBe(0);
    expect(inspectPdf(readFileSync(file))).toMatchObject({ ok: true, signed: true });
  });

  it('a seal stays valid when another program adds a signature', async () => {
    const file = files.get(SIGNED_LATER) ?? '';
    expect(dss.get(file)?.map(({ told }) => told)).toEqual([
      expect.stringMatching(/^TOTAL_PASSED null PAdES-BASELINE-T, timestamp PASSED/),
      expect.stringMatching(/^TOTAL_PASSED null PAdES-BASELINE-B/),
    ]);
    expect(pyhanko.get(file)?.[0]).toMatchObject({ valid: true });
    expect(await askPdfsig(file)).toMatchObject({ valid: true });
  });

  it.each(['FILL_FORMS', 'ANNOTATE'])(
    'a certification that allows signatures stays valid: %s',
    async (permission) => {
      const file = files.get(certified(permission)) ?? '';
      expect(pyhanko.get(file)).toEqual([
        // The certification has no timestamp, which this judge of ours asks for.
        { valid: false, told: 'ENTIRE_REVISION FORM_FILLING timestamp False ' },
        { valid: true, told: 'ENTIRE_FILE NONE timestamp True ' },
      ]);
      expect(dss.get(file)?.map(({ told }) => told)).toEqual([
        'TOTAL_PASSED null PAdES-BASELINE-B, timestamp ',
        'TOTAL_PASSED null PAdES-BASELINE-T, timestamp PASSED',
      ]);
      expect(await askPdfsig(file)).toMatchObject({ valid: true });
    },
  );
});

const SIGNED_LATER = 'signed later by another program';
const certified = (permission: string): string => `certified before, permission ${permission}`;

/** A sealed file changed by another program. */
async function changedBy(
  what: 'stamp' | 'fill' | 'sign',
  sealedPdf: Buffer,
  ...more: string[]
): Promise<Buffer> {
  const [from, to] = [join(folder, `${what}-in.pdf`), join(folder, `${what}-out.pdf`)];
  writeFileSync(from, sealedPdf);
  expect(await runPython('pyhanko_change.py', what, from, to, ...more)).toMatchObject({ code: 0 });
  return readFileSync(to);
}

function keyFile(identity: DemoIdentity): string {
  const file = join(folder, 'key.p12');
  writeFileSync(file, toPkcs12(identity, 'x'));
  return file;
}

/** Another maker's certification, without a timestamp: P=2 (forms) and P=3 (comments too) allow our signature. */
async function certify(original: Buffer, permission: string): Promise<Buffer> {
  const [from, to] = [join(folder, 'certify-in.pdf'), join(folder, 'certify-out.pdf')];
  writeFileSync(from, original);
  const args = [from, to, keyFile(identities.ec), 'x', permission];
  expect((await runPython('pyhanko_certify.py', ...args)).code).toBe(0);
  return readFileSync(to);
}

function revisions(count: number): Buffer {
  let pdf = craft({ objects: manyPages(2) });
  for (let i = 0; i < count; i += 1) pdf = revise(pdf, { objects: { 4: `(revision ${i})` } });
  return pdf;
}

describe('changed seals judged by others', () => {
  const files = new Map<string, string>();
  let dss: Verdicts;
  let pyhanko: Verdicts;

  beforeAll(async () => {
    requireJudges();
    mkdirSync(folder, { recursive: true });
    writeTrust(trust, [root, tsa.ca], [issuing], now);
    const page = await signers(1);
    const good = await sealWith(withTable, p12(identities.rsa), page);
    const other = await sealWith(withStream, p12(identities.rsa), page);
    const changed: Record<string, Buffer> = {
      'a byte of the original': flipped(good, good.indexOf('/MediaBox')),
      'a byte of the increment': flipped(good, good.indexOf('/Reason', withTable.length) + 12),
      'a byte after the signature': flipped(good, good.lastIndexOf('/SigFlags') + 10),
      'bytes appended': Buffer.concat([good, Buffer.from('\n% more\n')]),
      'pages taken away': revise(good, {
        objects: { [pagesOf(good)]: '<</Type /Pages /Kids [] /Count 0>>' },
        trailer: `/Root ${rootOf(good)}`,
      }),
      'a stamp over the price': await changedBy('stamp', good),
      'a form field filled in': await changedBy(
        'fill',
        await sealWith(withForm, p12(identities.rsa), page),
        'Price',
      ),
      'another token': withToken(good, timestampOf(lastSignature(other).cms).token),
    };
    for (const [name, bytes] of Object.entries(changed)) {
      const file = join(folder, `changed-${name.replaceAll(/\W+/g, '-')}.pdf`);
      writeFileSync(file, bytes);
      files.set(name, file);
    }
    const all = [...files.values()];
    [dss, pyhanko] = await Promise.all([askDss(trust, all), askPyhanko(trust, all)]);
  }, 120_000);

  it.each(['a byte of the original', 'a byte of the increment', 'a byte after the signature'])(
    'every judge calls the seal broken: %s',
    async (name) => {
      const file = files.get(name) ?? '';
      expect(dss.get(file)?.some(({ valid }) => valid)).toBe(false);
      expect(pyhanko.get(file)?.some(({ valid }) => valid)).toBe(false);
      expect(await askPdfsig(file)).toMatchObject({ valid: false });
      expect(await askOpensslCms(trust, file)).toMatchObject({ valid: false });
    },
  );

  it('appended bytes are reported as not covered', async () => {
    const file = files.get('bytes appended') ?? '';
    expect(await askPdfsig(file)).toMatchObject({ valid: false });
    expect(pyhanko.get(file)?.[0]?.told).not.toContain('ENTIRE_FILE');
  });

  it('removed pages are not accepted', async () => {
    const file = files.get('pages taken away') ?? '';
    expect(await askPdfsig(file)).toMatchObject({ valid: false });
    expect(pyhanko.get(file)).not.toContainEqual(expect.objectContaining({ valid: true }));
  });

  it('a stamp put on a page later is reported as not permitted', async () => {
    const file = files.get('a stamp over the price') ?? '';
    // By its standard policy DSS passes such a signature with a warning.
    expect(dss.get(file)?.[0]?.notes).toContain('changes restricted by /DocMDP');
    expect(pyhanko.get(file)).toEqual([expect.objectContaining({ valid: false })]);
    expect(await askPdfsig(file)).toMatchObject({ told: '1 of 1 valid, 0 of the whole' });
  });

  it('a form field filled in later is reported as not permitted', async () => {
    const file = files.get('a form field filled in') ?? '';
    expect(pyhanko.get(file)).toEqual([expect.objectContaining({ valid: false })]);
    expect(await askPdfsig(file)).toMatchObject({ told: '1 of 1 valid, 0 of the whole' });
  });

  it('the token of another seal is not accepted', async () => {
    const file = files.get('another token') ?? '';
    expect(dss.get(file)).not.toContainEqual(expect.objectContaining({ valid: true }));
    expect(pyhanko.get(file)).not.toContainEqual(expect.objectContaining({ valid: true }));
    expect(await askOpensslTs(trust, file)).toMatchObject({ valid: false });
  });
});

const flipped = (bytes: Buffer, at: number): Buffer => {
  expect(at).toBeGreaterThan(11);
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

const rootOf = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .match(/\/Root (\d+ \d+ R)/g)
    ?.at(-1)
    ?.slice(6) ?? '';

const pagesOf = (bytes: Buffer): string => /\/Pages (\d+) 0 R/.exec(bytes.toString('latin1'))?.[1] ?? '';

/** The same file with another token of the same length in the room for the signature. */
function withToken(bytes: Buffer, token: Uint8Array): Buffer {
  const { cms } = lastSignature(bytes);
  const own = timestampOf(cms).token;
  expect(token.length).toBe(own.length);
  expect(createHash('sha256').update(token).digest()).not.toEqual(createHash('sha256').update(own).digest());
  const hex = (part: Uint8Array): string => Buffer.from(part).toString('hex');
  return Buffer.from(bytes.toString('latin1').replace(hex(own), hex(token)), 'latin1');
}
