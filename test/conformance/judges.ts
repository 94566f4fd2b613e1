import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { childrenOf, contextTag, decode, TAGS } from '../../shared/sealing/der.ts';
import type { SealLevel } from '../../shared/sealing/level.ts';

export const root = join(import.meta.dirname, '../..');
/** A program of the Python environment that .ci/conformance-setup makes. */
export const pythonTool = (name: string): string => join(root, '.cache/conformance/venv/bin', name);
const python = pythonTool('python');
const dssTarget = join(root, 'test/conformance/dss/target');
const verapdfTarget = join(root, 'test/conformance/verapdf/target');
export const corpusFolder = join(root, '.cache/corpus');

/** Fails, with what to do, when a judge is missing: a conformance run that skips judges proves nothing. */
export function requireJudges(): void {
  const missing = missingPrograms('pdfsig', 'pdftoppm', 'pdfinfo', 'qpdf', 'openssl', 'java');
  if (!existsSync(python)) missing.push('pyHanko');
  if (!existsSync(join(dssTarget, 'classpath'))) missing.push('EU DSS');
  if (!existsSync(join(verapdfTarget, 'classpath'))) missing.push('veraPDF');
  refuseMissing(missing);
}

/** The same, for judges that come with Python alone. */
export const requirePythonTools = (...names: string[]): void =>
  refuseMissing(names.filter((name) => !existsSync(pythonTool(name))));

/** The same, for programs that a test runs as a person would. */
export const requirePrograms = (...names: string[]): void => refuseMissing(missingPrograms(...names));

function missingPrograms(...names: string[]): string[] {
  const path = (process.env.PATH ?? '').split(delimiter);
  return names.filter((name) => !path.some((folder) => existsSync(join(folder, name))));
}

function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}. Run .ci/conformance-setup first.`);
}

interface Ended {
  code: number;
  output: string;
  complaints: string;
}

/** Runs a program to its end; a judge that takes longer than the limit counts as one that says no. */
export function run(
  program: string,
  args: readonly string[],
  seconds = 60,
  cwd = root,
  env = process.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env,
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: 256 * 1024 * 1024,
    } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: stdout, complaints: stderr });
    });
  });
}

/** Runs one of the Python scripts beside this file, where pyHanko is installed. */
export const runPython = (script: string, ...args: string[]): Promise<Ended> =>
  run(python, [join(root, 'test/conformance', script), ...args]);

/** A judge's verdict on one signature. */
export interface Verdict {
  valid: boolean;
  /** In the judge's own words. */
  told: string;
  /** Warnings about a signature that is valid all the same. */
  notes?: string | undefined;
}

/** Verdicts of each file, in the order of its signatures. */
export type Verdicts = Map<string, Verdict[]>;

/** EU DSS, one JVM for all files: valid is TOTAL-PASSED at the PAdES level, timestamps PASSED. May have another clock. */
export async function askDss(
  trust: string,
  files: readonly string[],
  level: SealLevel = 'B-T',
  at?: Date,
): Promise<Verdicts> {
  const clock = at ? [`-Dtime=${at.toISOString()}`] : [];
  const args = ['-Xmx1g', ...clock, '-cp', classpathOf(dssTarget), 'Judge', trust];
  return askAboutMany('java', args, files, (fields) => {
    const [indication, subIndication, format, timestamps, notes] = fields;
    const valid =
      indication === 'TOTAL_PASSED' &&
      format === `PAdES-BASELINE-${level.slice(2)}` &&
      /^PASSED( PASSED)*$/.test(timestamps ?? '');
    return { valid, told: `${indication} ${subIndication} ${format}, timestamp ${timestamps}`, notes };
  });
}

/** veraPDF, one JVM for all files: which PDF/A or PDF/UA each claims to be, and whether it is. */
export const askVerapdf = (files: readonly string[]): Promise<Verdicts> =>
  askAboutMany('java', ['-cp', classpathOf(verapdfTarget), 'Archival'], files, (fields) => {
    const [flavour, conforms, broken] = fields;
    const standard = flavour?.replace(/^(?:ua)?/, (accessible) => (accessible ? 'PDF/UA-' : 'PDF/A-'));
    return { valid: conforms === 'true', told: standard ?? '', notes: broken };
  });

const classpathOf = (target: string): string =>
  `${join(target, 'classes')}:${readFileSync(join(target, 'classpath'), 'utf8').trim()}`;

/** pyHanko's long-term validation by what the files hold alone: intact, trusted, no change of what is shown. */
export const askPyhankoLongTerm = (
  trust: string,
  files: readonly string[],
  level: SealLevel,
): Promise<Verdicts> =>
  askAboutMany(
    python,
    [join(root, 'test/conformance/pyhanko_long_term.py'), trust, level],
    files,
    (fields) => {
      const [, bottomLine, ...told] = fields;
      return { valid: bottomLine === 'True', told: told.join(' ') };
    },
  );

/** pyHanko, one process for all files: valid is its bottom line, with a trusted timestamp. */
export async function askPyhanko(trust: string, files: readonly string[]): Promise<Verdicts> {
  const script = join(root, 'test/conformance/pyhanko_judge.py');
  return askAboutMany(python, [script, trust], files, (fields) => {
    const [, bottomLine, , coverage, modification, timestamp, message] = fields;
    const told = [coverage, modification, `timestamp ${timestamp}`, message].join(' ');
    return { valid: bottomLine === 'True' && timestamp === 'True', told };
  });
}

async function askAboutMany(
  program: string,
  args: readonly string[],
  files: readonly string[],
  verdictOf: (fields: string[]) => Verdict,
): Promise<Verdicts> {
  return inScratch(async (folder) => {
    const list = join(folder, 'list');
    writeFileSync(list, `${files.join('\n')}\n`);
    const { output, code } = await run(program, [...args, list], 600);
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
    const verdicts: Verdicts = new Map(files.map((file) => [file, []]));
    for (const line of output.split('\n').filter(Boolean)) {
      const [file = '', ...fields] = line.split('\t');
      verdicts.get(file)?.push(verdictOf(fields));
    }
    return verdicts;
  });
}

/** pdfsig: how many signatures are valid, and whether one of them covers the whole file. */
export async function askPdfsig(file: string): Promise<Verdict> {
  const { output } = await run('pdfsig', ['-nocert', file]);
  const count = (text: string): number => output.split(text).length - 1;
  const valid = count('Signature is Valid.');
  const whole = count('Total document signed');
  const signatures = count('Signature #') - count('is not signed');
  return {
    valid: signatures > 0 && valid === signatures && whole === 1,
    told: `${valid} of ${signatures} valid, ${whole} of the whole`,
  };
}

/** qpdf --check: 0 is fine, 3 is fine with warnings, 2 is broken. */
export async function askQpdf(file: string): Promise<number> {
  return (await run('qpdf', ['--check', file])).code;
}

export async function pageCountOf(file: string): Promise<number> {
  const { output } = await run('pdfinfo', [file]);
  return Number(/^Pages:\s+(\d+)/m.exec(output)?.[1] ?? -1);
}

/** The last signature of a file: its CMS and what it signs. */
export function lastSignature(bytes: Buffer): { cms: Buffer; content: Buffer } {
  const text = bytes.toString('latin1');
  const range = text
    .slice(text.lastIndexOf('/ByteRange'))
    .match(/\/ByteRange \[(\d+) +(\d+) +(\d+) +(\d+) *\]/);
  const [, start = 0, length = 0, second = 0, rest = 0] = (range ?? []).map(Number);
  const hex = text.slice(start + length + 1, second - 1);
  const padded = Buffer.from(hex, 'hex');
  return {
    cms: padded.subarray(0, 4 + padded.readUInt16BE(2)),
    content: Buffer.concat([bytes.subarray(start, start + length), bytes.subarray(second, second + rest)]),
  };
}

/** openssl cms -verify -cades over what the byte range covers. */
export function askOpensslCms(trust: string, file: string): Promise<Verdict> {
  return inScratch(async (folder) => {
    const { cms, content } = lastSignature(readFileSync(file));
    writeFileSync(join(folder, 'cms'), cms);
    writeFileSync(join(folder, 'content'), content);
    const args = ['-verify', '-cades', '-binary', '-inform', 'DER', '-in', join(folder, 'cms')];
    const data = [
      '-content',
      join(folder, 'content'),
      '-CAfile',
      join(trust, 'roots.pem'),
      '-purpose',
      'any',
    ];
    const { code } = await run('openssl', ['cms', ...args, ...data, '-out', '/dev/null']);
    return { valid: code === 0, told: `openssl cms ended with ${code}` };
  });
}

/** openssl ts -verify: the token is over the signature value, by an authority under a trusted root. */
export function askOpensslTs(trust: string, file: string): Promise<Verdict> {
  return inScratch(async (folder) => {
    const { token, signature } = timestampOf(lastSignature(readFileSync(file)).cms);
    writeFileSync(join(folder, 'token'), token);
    writeFileSync(join(folder, 'signature'), signature);
    const args = ['-in', join(folder, 'token'), '-token_in', '-data', join(folder, 'signature')];
    const { code } = await run('openssl', ['ts', '-verify', ...args, '-CAfile', join(trust, 'roots.pem')]);
    return { valid: code === 0, told: `openssl ts ended with ${code}` };
  });
}

export function timestampOf(cms: Uint8Array): { token: Uint8Array; signature: Uint8Array } {
  const [, wrapped] = childrenOf(decode(cms), TAGS.sequence);
  const fields = childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence);
  const signer = childrenOf(childrenOf(fields.at(-1), TAGS.set)[0], TAGS.sequence);
  const [, set] = childrenOf(childrenOf(signer[6], contextTag(1))[0], TAGS.sequence);
  const token = childrenOf(set, TAGS.set)[0]?.raw;
  const signature = signer[5]?.content;
  if (!token || !signature) throw new Error('no timestamp in this CMS');
  return { token, signature };
}

export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
