import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { type Expected, readExpected } from '../../client/verifier/certificates.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import {
  askDss,
  askOpensslCms,
  askOpensslTs,
  askPdfsig,
  askPyhanko,
  askQpdf,
  corpusFolder,
  pageCountOf,
  requireJudges,
  run,
  type Verdict,
} from './judges.ts';
import type { Outcome } from './seal-corpus.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache/conformance/corpus');
const trust = join(root, '.cache/conformance/corpus-trust');
/** Every file by night (`npm run nightly`), every sixth in CI. */
const EVERY = Number(process.env.CORPUS_EVERY ?? 6);
const SECONDS_PER_FILE = 10;
/** Of one process for all files, which grows with their number: 307 MB after 1,403. */
const MEGABYTES = 400;
/** openssl starts two processes for each file, so it sees every 10th. All other judges see all. */
const OPENSSL_EVERY = 10;

interface Judged {
  file: string;
  outcome: Outcome;
  faults: string[];
}

function corpusFiles(): string[] {
  const own = process.env.CORPUS;
  const from = own ?? corpusFolder;
  if (!existsSync(from)) throw new Error(`No corpus at ${from}. Run .ci/conformance-setup first.`);
  const files = globSync('**/*.pdf', { cwd: from })
    .map((file) => join(from, file))
    .toSorted();
  if (!own && files.length < 500)
    throw new Error(`Only ${files.length} PDFs in the corpus. Run .ci/conformance-setup.`);
  return files.filter((_, index) => index % EVERY === 0);
}

/** Seals all in a process of its own; one that is silent for too long is ended, and its file named. */
function sealAll(files: readonly string[]): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const outcomes: Outcome[] = [];
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(root, 'test/conformance/seal-corpus.ts'), folder, trust],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const arm = () => setTimeout(() => child.kill('SIGKILL'), (SECONDS_PER_FILE + 20) * 1000);
    let timer = arm();
    createInterface(child.stdout).on('line', (line) => {
      clearTimeout(timer);
      timer = arm();
      outcomes.push(JSON.parse(line));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(outcomes);
      else reject(new Error(`sealing ended with ${code} at ${files[outcomes.length]}`));
    });
    child.stdin.end(files.join('\n'));
  });
}

const RENDER_ATTEMPTS = 4;

/** Renders pages 1 to n, small: enough to see any change. */
async function renderings(file: string, pages: number): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'render-'));
  await run('pdftoppm', ['-r', '16', '-l', String(pages), file, join(scratch, 'page')], 120);
  const hashes = readdirSync(scratch)
    .toSorted()
    .map((name) =>
      createHash('sha256')
        .update(readFileSync(join(scratch, name)))
        .digest('hex'),
    );
  rmSync(scratch, { recursive: true, force: true });
  return hashes;
}

/** Poppler draws a few broken files differently from run to run, so only a difference that stays is one. */
async function looksTheSame(original: string, sealed: string, pages: number): Promise<boolean> {
  for (let attempt = 0; attempt < RENDER_ATTEMPTS; attempt += 1) {
    const [before, after] = [await renderings(original, pages), await renderings(sealed, pages)];
    if (before.join() === after.join()) return true;
  }
  return false;
}

async function judgeFile(file: string, { number, signed, pages, prefixKept }: Outcome): Promise<string[]> {
  const sealed = join(folder, `${number}.pdf`);
  const faults: string[] = [];
  if (!prefixKept) faults.push('prefix changed');
  const pdfsig = await askPdfsig(sealed);
  // Signatures that were there before may have been made with keys or hashes that nobody accepts any more.
  if (!pdfsig.valid && !signed) faults.push(`pdfsig: ${pdfsig.told}`);
  const [before, after] = [await askQpdf(file), await askQpdf(sealed)];
  // Broken pictures or fonts of the original stay what they are; the seal must not add to that.
  if (after === 2 && before !== 2) faults.push('qpdf: broken by the seal');
  const counted = await pageCountOf(sealed);
  if (counted !== pages) faults.push(`${counted} pages instead of ${pages}`);
  const kept = signed ? pages : pages - 1;
  if (!(await looksTheSame(file, sealed, kept))) faults.push('a page looks different');
  if (number % OPENSSL_EVERY === 0) {
    if (!(await askOpensslCms(trust, sealed)).valid) faults.push('openssl cms');
    if (!(await askOpensslTs(trust, sealed)).valid) faults.push('openssl ts');
  }
  return faults;
}

/** The verifier calls a seal of ours green, and nothing that another judge refuses. Of an original it expects nobody. */
async function verifierFaults(
  original: string,
  sealed: string | null,
  verdicts: readonly Verdict[],
  { signed }: Outcome,
  expected: Expected,
): Promise<string[]> {
  const options = { expected, now: new Date() };
  const faults: string[] = [];
  if ((await verifyPdf(readFileSync(original), options)).verdict === 'green')
    faults.push('the verifier calls the original green');
  if (sealed === null) return faults;
  const { verdict, findings } = await verifyPdf(readFileSync(sealed), options);
  const isGreen = verdict === 'green';
  if (!signed && !isGreen) faults.push(`verifier: ${findings.map(({ code }) => code).join(', ')}`);
  if (isGreen && verdicts.some(({ valid }) => !valid))
    faults.push('the verifier calls green what another judge refuses');
  return faults;
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

function report(judged: readonly Judged[], table: readonly [string, string | number][]): void {
  const lines = table.map(([what, value]) => `| ${what} | ${value} |`);
  const faults = judged.filter(({ faults: found }) => found.length > 0);
  const text = [
    '| Corpus run | |',
    '|---|---|',
    ...lines,
    '',
    ...faults.map(({ file, faults: found }) => `- ${relative(corpusFolder, file)}: ${found.join('; ')}`),
  ].join('\n');
  console.log(text);
  mkdirSync(join(root, 'artifacts'), { recursive: true });
  writeFileSync(join(root, 'artifacts/corpus.md'), `${text}\n`);
  const rows = judged.map(({ file, outcome, faults: found }) => ({
    file: relative(corpusFolder, file),
    ...outcome,
    faults: found,
  }));
  writeFileSync(join(root, 'artifacts/corpus.json'), `${JSON.stringify(rows, null, 1)}\n`);
}

const tally = (values: readonly string[]): [string, number][] =>
  Object.entries(Object.groupBy(values, (value) => value)).map(([value, all]) => [value, all?.length ?? 0]);

/** A judge tells of each signature; the seal is the last one. */
const refusalOf = (judge: string, verdicts: readonly { valid: boolean; told: string }[]): string[] =>
  verdicts.some(({ valid }) => valid) ? [] : [`${judge}: ${verdicts.map(({ told }) => told).join(', ')}`];

describe('public PDFs', () => {
  it('every file is refused with a code, or sealed validly for every judge with nothing else changed', async () => {
    requireJudges();
    const files = corpusFiles();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const outcomes = await sealAll(files);
    const judged = outcomes.map(
      (outcome): Judged => ({ file: files[outcome.number] ?? '', outcome, faults: [] }),
    );
    const sealed = judged.filter(({ outcome }) => outcome.result === 'sealed');
    const pathOf = ({ outcome }: Judged): string => join(folder, `${outcome.number}.pdf`);

    const paths = sealed.map(pathOf);
    const [dss, pyhanko] = await Promise.all([
      askDss(trust, paths),
      askPyhanko(trust, paths),
      inTurn(sealed, async (one) => void one.faults.push(...(await judgeFile(one.file, one.outcome)))),
    ]);
    const verdictsOf = (one: Judged, judge: typeof dss) => judge.get(pathOf(one)) ?? [];
    for (const one of sealed)
      one.faults.push(
        ...refusalOf('DSS', verdictsOf(one, dss)),
        ...refusalOf('pyHanko', verdictsOf(one, pyhanko)),
      );

    const expected = await readExpected(readFileSync(join(trust, 'expected.pem'), 'utf8'));
    for (const one of judged) {
      const path = sealed.includes(one) ? pathOf(one) : null;
      const verdicts = path ? [...verdictsOf(one, dss), ...verdictsOf(one, pyhanko)] : [];
      one.faults.push(...(await verifierFaults(one.file, path, verdicts, one.outcome, expected)));
    }

    const slowest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
    const peak = Math.max(...outcomes.map(({ peakMegabytes }) => peakMegabytes));
    report(judged, [
      ['files', files.length],
      ...tally(outcomes.map(({ result }) => result)),
      ['sealed without a fault', sealed.filter(({ faults }) => faults.length === 0).length],
      ['slowest file', `${slowest} ms`],
      ['peak memory of the process', `${peak} MB`],
    ]);
    expect(outcomes).toHaveLength(files.length);
    expect(judged.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(slowest).toBeLessThan(SECONDS_PER_FILE * 1000);
    expect(peak).toBeLessThan(MEGABYTES);
  }, 900_000);
});
