/**
 * `npm run bench:seal`: compares this seal with @libpdf/core and with pdf-lib and @signpdf on the same files: a PAdES
 * B-T signature with the same RSA-2048 key and an in-memory timestamp authority, whose own time is excluded. Times are
 * medians of interleaved rounds, also of the levels above B-T at the smallest size; peak memory is measured in separate processes. The floor is the minimum for any seal:
 * SHA-256 of the file and one RSA-2048 signature. `npm run bench:seal memory` measures just the memory of the largest seal.
 */
import { spawnSync } from 'node:child_process';
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { P12Signer, PDF } from '@libpdf/core';
import { Signer, SignPdf } from '@signpdf/signpdf';
import { PDFArray, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { JOBS } from '../../infra/functions.ts';
import { LIMITS } from '../../shared/contract/limits.ts';
import { certificatesOfPem, readCertificate } from '../../shared/sealing/certificate.ts';
import { signedAttributes, signedData } from '../../shared/sealing/cms.ts';
import { TAGS } from '../../shared/sealing/der.ts';
import { derNull, encode, integer, octetString, oid, sequence } from '../../shared/sealing/der-encode.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { HashedOriginal } from '../../shared/sealing/original.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { sealOwn, signedPart } from '../../shared/sealing/seal-own.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { tokenOfResponse } from '../../shared/sealing/timestamp-token.ts';
import { verifySeal } from '../../shared/sealing/verify-seal.ts';
import { makeEvidenceFile } from '../../shared/stamping/evidence-file.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../support/demo-keys.ts';
import { evidenceInput } from '../support/evidence-input.ts';
import { drawnSignature } from '../support/signature-input.ts';
import { fetchOf, makeTestAuthority } from '../support/timestamp-authority.ts';
import { circumstances, median, targetLines, writeSection } from './support/report.ts';
import { levelCosts } from './support/seal-levels.ts';

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

/** Time spent in the timestamp authority, which is not part of the seal's own. */
let authorityTime = 0;
function inAuthority<T>(work: () => T): T {
  const startedAt = performance.now();
  try {
    return work();
  } finally {
    authorityTime += performance.now() - startedAt;
  }
}

async function contenders(): Promise<{
  floorKey: KeyObject;
  all: Record<string, SealIt>;
  evidence: () => Promise<void>;
}> {
  const now = new Date();
  const identity = makeDemoSealIdentity(makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' }), {
    now,
    algorithm: 'rsa',
  });
  const p12 = toPkcs12(identity, PASSPHRASE);
  const tsa = makeTestAuthority({ now, algorithm: 'rsa' });
  const key = pkcs12Key(p12, PASSPHRASE);
  const fetchToken = fetchOf(tsa);
  const timestamp = timestamper([tsa.authority], {
    fetch: (url, init) => inAuthority(() => fetchToken(url, init)),
  });
  const tokenFor = (imprint: Uint8Array): Uint8Array =>
    inAuthority(() => tokenOfResponse(tsa.answer(timestampQuery(imprint))));

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

  const drawing = { type: 'drawn', png: drawnSignature() } as const;
  const input = evidenceInput(3, { onPage: (index) => (index === 0 ? { signature: drawing } : {}) });
  /** Makes, seals and verifies the evidence file of three signers, one of whom drew the signature. */
  const evidence = async () => {
    const sealed = await sealOwn({
      pdf: await makeEvidenceFile(input),
      key,
      timestamp,
      now,
      reason: 'Evidence',
    });
    const { valid } = verifySeal(sealed, {
      original: signedPart(sealed),
      certificates: key.certificateChain,
      anchors: certificatesOfPem(tsa.authority.caPem),
      reason: 'Evidence',
    });
    if (!valid) throw new Error('the evidence file is not valid');
  };

  return {
    evidence,
    floorKey: identity.privateKey,
    all: {
      [OURS]: async (original) =>
        (await seal({ original: new HashedOriginal(original), key, timestamp, now })).bytes,
      [OURS_WITH_PAGE]: async (original) =>
        (await seal({ original: new HashedOriginal(original), key, timestamp, now, signaturePage: page }))
          .bytes,
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

/** pdf-lib has no incremental update: it rewrites the whole file with a placeholder for the signature. */
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
    sequence(sequence(oid(OIDS.sha256), derNull()), octetString(imprint)),
    integer(randomBytes(16)),
    encode(TAGS.boolean, Uint8Array.of(0xff)),
  );

async function signaturePage(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText('Signed by', { x: 60, y: 760 });
  return document.save();
}

/** Pages with one scan each, like most large contracts. */
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
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt - authorityTime;
}

/** Linux records the peak (VmHWM); writing 5 to clear_refs resets it to the current size. */
async function measurePeak(name: string, file: string): Promise<void> {
  const { all } = await contenders();
  const sealIt = all[name];
  if (sealIt === undefined) throw new Error(`there is no contender ${name}`);
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

function printedBy(...args: string[]): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--no-warnings', ...args], {
    encoding: 'utf8',
  });
  // The last line: the product logs what it did before.
  const printed = Number(stdout.trim().split('\n').at(-1) || Number.NaN);
  if (Number.isNaN(printed)) throw new Error(`${stdout}${stderr}`);
  return printed;
}

const peakOf = (name: string, file: string): number => printedBy(import.meta.filename, 'peak', name, file);

/** Reports how much of the seal function's memory the largest request takes. */
async function benchMemory(): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(scratch, 'original.pdf');
  writeFileSync(file, await originalOf(LIMITS.documentBytes, 300));
  const peak = printedBy(join(import.meta.dirname, 'support/seal-memory.ts'), file) / 2 ** 20;
  rmSync(scratch, { recursive: true });
  const { memory } = JOBS.seal;
  const targets: [string, boolean][] = [
    [
      `the process’s peak is at most half of the seal function’s ${memory} MB (${peak.toFixed(0)} MB)`,
      peak <= memory / 2,
    ],
  ];
  const intro = `\`npm run bench:seal memory\`, ${circumstances()}. A whole seal of the largest request, with its evidence file: a document of 10 MB, ${LIMITS.signers} signers whose drawings have the largest size.`;
  const text = `${intro}\n\n${targetLines(targets)}\n\nThe function has more memory because Lambda gives the processor with it: 2,048 MB are 1.16 processors.`;
  console.log(text);
  writeSection('Memory of a seal', text);
  return targets.every(([, met]) => met);
}

interface Row {
  size: string;
  floor: number;
  times: Record<string, number>;
  peaks: Record<string, number>;
  fileBytes: number;
}

const EVIDENCE_TARGET_MS = 40;

async function evidenceTime(): Promise<number> {
  const { evidence } = await contenders();
  const times: number[] = [];
  for (let round = 0; round < 40; round += 1) times.push(await timed(evidence));
  return median(times.slice(10));
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
function targets(rows: readonly Row[], evidenceMs: number): [string, boolean][] {
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
    [
      `the evidence file of three signers adds at most ${EVIDENCE_TARGET_MS} ms (${evidenceMs.toFixed(1)})`,
      evidenceMs <= EVIDENCE_TARGET_MS,
    ],
  ];
}

const [, , mode, name = '', file = ''] = process.argv;
if (mode === 'peak') {
  await measurePeak(name, file);
} else if (mode === 'memory') {
  process.exitCode = (await benchMemory()) ? 0 : 1;
} else {
  const rows = await bench();
  const levels = await levelCosts(await originalOf(SIZES[0].bytes, SIZES[0].pages));
  const met = [...targets(rows, await evidenceTime()), ...levels.targets];
  const lines = met.map(([target, ok]) => `- ${ok ? 'met' : 'MISSED'}: ${target}`);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? arch()}), Node ${process.version}`;
  const floors = rows.map(({ size, floor }) => `${size}: ${floor.toFixed(1)} ms`).join(', ');
  const intro = `\`npm run bench:seal\`, ${new Date().toISOString().slice(0, 10)}, ${machine}. A PAdES B-T seal with RSA-2048; the timestamp authority's own time is excluded. Floor (SHA-256 of the file and one signature): ${floors}. Memory is the peak above the process's size before the seal, the result's bytes included.`;
  const text = [intro, '', table(rows), '', levels.table, '', ...lines].join('\n');
  console.log(text);
  writeSection('Sealing', text);
  const fits = await benchMemory();
  process.exitCode = fits && met.every(([, ok]) => ok) ? 0 : 1;
}
