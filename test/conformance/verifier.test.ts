import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExpected } from '../../client/verifier/certificates.ts';
import { type SealedDocument, verifyEvidence } from '../../client/verifier/evidence.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import { pem } from '../support/demo-keys.ts';
import { someOf } from '../support/thorough.ts';
import { askDss, askPyhanko, requireJudges, type Verdicts } from './judges.ts';
import { draw, type Tampered } from './tampered/draw.ts';
import { SHAPES } from './tampered/kinds.ts';
import { Sealer } from './tampered/sealed.ts';
import { writeTrust } from './trust.ts';

/** The verifier's verdicts on sealed files and on tampered ones, beside those of other judges. */

const folder = join(import.meta.dirname, '../../.cache/conformance/verifier');
const trust = join(folder, 'trust');
const now = new Date();

const FILES = 210;
/** The other judges take most of the time, so by day they see 30. */
const JUDGED_EVERY = 7;
/** New files every night; the name of each has the seed that draws it again. */
const SEED = Number(process.env.TAMPERING_SEED ?? 1);

const sealer = new Sealer(now);
const impostor = new Sealer(now);
const trusted = pem(sealer.identity.certificate) + pem(sealer.tsa.ca.certificate);
const options = { expected: await readExpected(trusted), now: new Date() };

const seals = await sealer.all();
const tampered = draw(FILES, SEED, seals, await impostor.all());
const judged = someOf(tampered, JUDGED_EVERY);
/** A form whose field has a look of its own, sealed again. */
const FORM_AGAIN = 'form sealed again';
const formAgain = await sealer.seal(seals.prepared);

const pathOf = (name: string): string => join(folder, `${name.replaceAll(/\W+/g, '-')}.pdf`);
const verdictOn = async (bytes: Uint8Array) => (await verifyPdf(bytes, options)).verdict;

let dss: Verdicts;
let pyhanko: Verdicts;

beforeAll(async () => {
  requireJudges();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeTrust(trust, [sealer.ca, sealer.tsa.ca], [], now);
  for (const shape of SHAPES) writeFileSync(pathOf(shape), seals[shape]);
  for (const { name, bytes } of judged) writeFileSync(pathOf(name), bytes);
  writeFileSync(pathOf(FORM_AGAIN), formAgain);
  const files = [...SHAPES, FORM_AGAIN, ...judged.map(({ name }) => name)].map(pathOf);
  [dss, pyhanko] = await Promise.all([askDss(trust, files), askPyhanko(trust, files)]);
}, 600_000);

it.each(SHAPES)('all judges agree that the untouched file is valid: %s', async (shape) => {
  const verdicts = [...(dss.get(pathOf(shape)) ?? []), ...(pyhanko.get(pathOf(shape)) ?? [])];
  expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
  expect(verdicts.length).toBeGreaterThanOrEqual(2);
  expect(await verdictOn(seals[shape])).toBe('green');
});

it('a form whose fields are locked is not green once it is sealed again, since pyHanko refuses it', async () => {
  const refused = (verdicts: Verdicts) => (verdicts.get(pathOf(FORM_AGAIN)) ?? []).map(({ valid }) => !valid);
  expect(refused(dss)).toEqual([false, false]);
  expect(refused(pyhanko)).toEqual([true, false]);
  expect(await verdictOn(formAgain)).toBe('amber');
});

/** The names of those for which the answer is yes. */
const namesOf = async (files: readonly Tampered[], isMeant: (file: Tampered) => Promise<boolean>) => {
  const found: string[] = [];
  for (const file of files) if (await isMeant(file)) found.push(file.name);
  return found;
};

it('every tampered file gets the verdict that its kind calls for', async () => {
  expect(
    await namesOf(tampered, async ({ bytes, right }) => !right.includes(await verdictOn(bytes))),
  ).toEqual([]);
}, 120_000);

it('no tampered file is green where another judge refuses it', async () => {
  const isRefused = (judge: Verdicts, name: string) => {
    const verdicts = judge.get(pathOf(name)) ?? [];
    return verdicts.length === 0 || verdicts.some(({ valid }) => !valid);
  };
  const wronglyGreen = await namesOf(
    judged,
    async ({ name, bytes }) =>
      (isRefused(dss, name) || isRefused(pyhanko, name)) && (await verdictOn(bytes)) === 'green',
  );
  expect(judged.length).toBeGreaterThanOrEqual(30);
  expect(wronglyGreen).toEqual([]);
});

describe('evidence', () => {
  let document: SealedDocument;
  beforeAll(async () => {
    const bytes = await sealer.withSignersPage();
    document = { bytes, report: await verifyPdf(bytes, options) };
  });
  const verdictOf = async (evidence: Uint8Array) =>
    (await verifyEvidence(evidence, document, options)).verdict;

  it('of the same request is green', async () => {
    expect(await verdictOf(await sealer.evidence(document.report.sha256))).toBe('green');
  });

  it('of another request is red', async () => {
    expect(await verdictOf(seals.evidence)).toBe('red');
  });

  it('by an impostor is amber', async () => {
    expect(await verdictOf(await impostor.evidence(document.report.sha256))).toBe('amber');
  });

  it('with an event cut out of its chain is red', async () => {
    const evidence = await sealer.evidence(document.report.sha256);
    const at = evidence.indexOf('stream\n', evidence.indexOf('/EmbeddedFile')) + 40;
    const cut = Buffer.concat([evidence.subarray(0, at), Buffer.alloc(20, ' '), evidence.subarray(at + 20)]);
    expect(await verdictOf(cut)).toBe('red');
  });
});
