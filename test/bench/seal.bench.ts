/**
 * `npm run bench:seal`: our seal against @libpdf/core and pdf-lib with @signpdf, on the same files in one run: a
 * PAdES B-T signature by the same RSA-2048 key with the same timestamp authority in memory, whose own time is left
 * out. Times are medians of rounds in which all take turns; peak memory is taken in a process of its own for each.
 * The floor is what no seal can do without: SHA-256 of the file and one RSA-2048 signature.
 */
import { spawnSync } from 'node:child_process';
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { P12Signer, PDF } from '@libpdf/core';
import { Signer, SignPdf } from '@signpdf/signpdf';
import { PDFArray, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { signedAttributes, signedData } from '../../shared/sealing/cms.ts';
import { derNull, encode, integer, octetString, oid, sequence, tags } from '../../shared/sealing/der.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../shared/sealing/keys/demo.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import { oids } from '../../shared/sealing/oids.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { tokenOfResponse } from '../../shared/sealing/timestamp-token.ts';
import { fetchOf, makeTestAuthority } from '../support/timestamp-authority.ts';

const SIZES = [
  { name: '0.1 MB', bytes: 100_000, pages: 3, rounds: 40 },
  { name: '1 MB', bytes: 1_000_000, pages: 30, rounds: 30 },
  { name: '10 MB', bytes: 10_000_000, pages: 300, rounds: 15 },
] as const;
const OURS = 'this seal';
const OURS_WITH_PAGE = 'this seal, adding a page';
const LIBPDF = '@libpdf/core';
const SIGNPDF = 'pdf-lib and @signpdf';
const PASSPHRASE = 'bench';

type SealIt = (original: Uint8Array) => Promise<Uint8Array>;

/** Time spent in the timestamp authority since the last look: not the seal's own. */
let authorityTime = 0;
function elsewhere<T>(work: () => T): T {
  const begun = performance.now();
  try {
    return work();
  } finally {
    authorityTime += performance.now() - begun;
  }
}

async function contenders(): Promise<{ floorKey: KeyObject; all: Record<string, SealIt> }> {
  const now = new Date();
  const identity = makeDemoSealIdentity(makeDemoCa(now), { now });
  const p12 = toPkcs12(identity, PASSPHRASE);
  const tsa = makeTestAuthority({ now });
  const key = pkcs12Key(p12, PASSPHRASE);
  const reach = fetchOf(tsa);
  const timestamp = timestamper([tsa.authority], {
    fetch: (url, init) => elsewhere(() => reach(url, init)),
  });
  const tokenFor = (imprint: Uint8Array): Uint8Array =>
    elsewhere(() => tokenOfResponse(tsa.answer(timestampQuery(imprint))));

  const page = await signaturePage();
  const libpdfSigner = await P12Signer.create(p12, PASSPHRASE, { buildChain: true });
  const chain = key.certificateChain.map(readCertificate);
  class CadesSigner extends Signer {
    override async sign(content: Buffer): Promise<Buffer> {
      const [own] = chain;
      if (own === undefined) throw new Error('no certificate');
      const attributes = signedAttributes(createHash('sha256').update(content).digest(), own);
      const signature = await key.sign(attributes);
      const timestampToken = tokenFor(createHash('sha256').update(signature).digest());
      return signedData({ attributes, signature, algorithm: 'rsa', chain, timestampToken });
    }
  }

  return {
    floorKey: identity.privateKey,
    all: {
      [OURS]: async (original) => (await seal({ original, key, timestamp, now })).bytes,
      [OURS_WITH_PAGE]: async (original) =>
        (await seal({ original, key, timestamp, now, signaturePage: page })).bytes,
      [LIBPDF]: async (original) => {
        const document = await PDF.load(original);
        const timestampAuthority = { timestamp: async (digest: Uint8Array) => tokenFor(digest) };
        const { bytes } = await document.sign({ signer: libpdfSigner, level: 'B-T', timestampAuthority });
        return bytes;
      },
      [SIGNPDF]: async (original) =>
        new SignPdf().sign(await withPlaceholder(original, now), new CadesSigner()),
    },
  };
}

/** What pdf-lib can do: the whole file written anew, with room for a signature. */
async function withPlaceholder(original: Uint8Array, now: Date): Promise<Buffer> {
  const document = await PDFDocument.load(original, { updateMetadata: false });
  const { context } = document;
  const range = PDFArray.withContext(context);
  range.push(PDFNumber.of(0));
  for (let i = 0; i < 3; i += 1) range.push(PDFName.of('**********'));
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of('0'.repeat(40_960)),
      M: PDFString.fromDate(now),
    }),
  );
  const page = document.getPage(0);
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      Rect: [0, 0, 0, 0],
      V: signature,
      T: PDFString.of('Seal'),
      F: 132,
      P: page.ref,
    }),
  );
  page.node.set(PDFName.of('Annots'), context.obj([widget]));
  document.catalog.set(PDFName.of('AcroForm'), context.obj({ SigFlags: 3, Fields: [widget] }));
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

const timestampQuery = (imprint: Uint8Array): Buffer =>
  sequence(
    integer(1),
    sequence(sequence(oid(oids.sha256), derNull()), octetString(imprint)),
    integer(randomBytes(16)),
    encode(tags.boolean, Uint8Array.of(0xff)),
  );

async function signaturePage(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText('Signed by', { x: 60, y: 760 });
  return document.save();
}

/** Pages with a scan each, as most large contracts have. */
async function originalOf(bytes: number, pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < pages; i += 1) {
    const page = document.addPage([595, 842]);
    page.drawText(`Contract, page ${i + 1}`, { x: 60, y: 760 });
    const scan = document.context.register(
      document.context.stream(randomBytes(Math.floor(bytes / pages) - 700)),
    );
    page.node.set(PDFName.of('Scan'), scan);
  }
  return document.save({ useObjectStreams: false });
}

async function timed(work: () => unknown): Promise<number> {
  authorityTime = 0;
  const begun = performance.now();
  await work();
  return performance.now() - begun - authorityTime;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Linux keeps the peak; it can be set back to what is in use now. */
async function measurePeak(name: string, file: string): Promise<void> {
  const { all } = await contenders();
  const sealIt = all[name];
  if (sealIt === undefined) throw new Error(`no contender is called ${name}`);
  const original = readFileSync(file);
  for (let i = 0; i < 3; i += 1) await sealIt(await originalOf(50_000, 2));
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
  const before = statusKilobytes('VmRSS');
  await sealIt(original);
  console.log(JSON.stringify((statusKilobytes('VmHWM') - before) * 1024));
}

const statusKilobytes = (field: string): number =>
  Number(
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN,
  );

function peakOf(name: string, file: string): number {
  const args = ['--expose-gc', '--no-warnings', import.meta.filename, 'peak', name, file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(stderr);
  return Number(stdout.trim());
}

interface Row {
  size: string;
  floor: number;
  times: Record<string, number>;
  peaks: Record<string, number>;
  fileBytes: number;
}

async function bench(): Promise<Row[]> {
  const { floorKey, all } = await contenders();
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  const rows: Row[] = [];
  for (const { name: size, bytes, pages, rounds } of SIZES) {
    const original = await originalOf(bytes, pages);
    const file = join(scratch, 'original.pdf');
    writeFileSync(file, original);
    const floors: number[] = [];
    const times: Record<string, number[]> = {};
    for (let round = 0; round < rounds + 3; round += 1) {
      const floor = await timed(() =>
        sign('sha256', createHash('sha256').update(original).digest(), floorKey),
      );
      if (round >= 3) floors.push(floor);
      for (const [name, sealIt] of Object.entries(all)) {
        const time = await timed(() => sealIt(original));
        times[name] ??= [];
        if (round >= 3) times[name].push(time);
      }
    }
    const peaks = Object.fromEntries(Object.keys(all).map((name) => [name, peakOf(name, file)]));
    const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
    rows.push({ size, floor: median(floors), times: medians, peaks, fileBytes: original.length });
  }
  rmSync(scratch, { recursive: true });
  return rows;
}

function table(rows: readonly Row[]): string {
  const of = (values: Record<string, number>, name: string): number => values[name] ?? Number.NaN;
  const names = [OURS, OURS_WITH_PAGE, LIBPDF, SIGNPDF];
  const lines = rows.flatMap(({ size, floor, times, peaks, fileBytes }) =>
    names.map((name) => {
      const time = of(times, name);
      const cells = [
        size,
        name,
        `${time.toFixed(1)} ms`,
        `${(time / of(times, OURS)).toFixed(1)}x`,
        `${(time / floor).toFixed(1)}x`,
        `${(of(peaks, name) / 1e6).toFixed(0)} MB`,
        `${(of(peaks, name) / fileBytes).toFixed(1)}x`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  return [
    '| file | | time | against this seal | against the floor | memory growth | against the file |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** The targets, each with whether it was met. */
function targets(rows: readonly Row[]): [string, boolean][] {
  const fast = rows.map(({ times }) => (times[LIBPDF] ?? 0) / (times[OURS] ?? Number.NaN));
  const large = rows.at(-1);
  const toFloor = (large?.times[OURS_WITH_PAGE] ?? Number.NaN) / (large?.floor ?? 1);
  const toFile = (large?.peaks[OURS_WITH_PAGE] ?? Number.NaN) / (large?.fileBytes ?? 1);
  return [
    [
      `at least 3 times as fast as @libpdf/core at every size (${fast.map((each) => each.toFixed(1)).join(', ')})`,
      fast.every((each) => each >= 3),
    ],
    [`at 10 MB, with a page added, at most 3 times the floor (${toFloor.toFixed(1)})`, toFloor <= 3],
    [`memory grows by at most 3 times the file at 10 MB (${toFile.toFixed(1)})`, toFile <= 3],
  ];
}

/** Puts the section into docs/performance.md, whatever else stands there. */
function writeSection(text: string): void {
  const file = join(import.meta.dirname, '../../docs/performance.md');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '# Performance\n';
  const section = `## Sealing\n\n${text}\n`;
  const old = /^## Sealing\n[\s\S]*?(?=^## |(?![\s\S]))/m;
  writeFileSync(
    file,
    old.test(before)
      ? before.replace(old, `${section}\n`).trimEnd().concat('\n')
      : `${before.trimEnd()}\n\n${section}`,
  );
}

const [, , mode, name = '', file = ''] = process.argv;
if (mode === 'peak') {
  await measurePeak(name, file);
} else {
  const rows = await bench();
  const met = targets(rows);
  const lines = met.map(([target, ok]) => `- ${ok ? 'met' : 'MISSED'}: ${target}`);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? arch()}), Node ${process.version}`;
  const floors = rows.map(({ size, floor }) => `${size}: ${floor.toFixed(1)} ms`).join(', ');
  const intro = `\`npm run bench:seal\`, ${new Date().toISOString().slice(0, 10)}, ${machine}. A PAdES B-T seal with RSA-2048; the timestamp authority's own time is left out. Floor (SHA-256 of the file and one signature): ${floors}. Memory is the peak above what the process had before, so the result's own bytes count.`;
  const text = [intro, '', table(rows), '', ...lines].join('\n');
  console.log(text);
  writeSection(text);
  process.exitCode = met.every(([, ok]) => ok) ? 0 : 1;
}
