import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { verify } from '../../../client/command/verify.ts';
import { evidenceReason } from '../../../shared/sealing/seal-reasons.ts';
import { VERIFY } from '../../../shared/texts/en/service.ts';
import { evidenceInput } from '../../support/evidence-input.ts';
import { sealIt } from '../sealing/sealing-kit.ts';

const world = { client: () => Promise.reject(), isTerminal: true, note: () => undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The text that "verify" prints of a file, which is also its own evidence. */
async function shownOf(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'evidence.pdf');
  await writeFile(file, bytes);
  return (await verify.run([file, file], world))?.text ?? '';
}

async function evidenceFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  const { record } = evidenceInput(1);
  await document.attach(Buffer.from(JSON.stringify(record)), 'evidence.json');
  return (await sealIt(await document.save(), { reason: evidenceReason(record.requestId) })).bytes;
}

it('"verify" shows each value apart from its label, however long that is', async () => {
  const shown = await shownOf(await evidenceFile());
  expect(shown).toMatch(/^ {2}Code from e-mail entered {2}2026-11-10T08:06:00.000Z$/m);
  expect(shown).toMatch(/^ {2}Signed by {17}\S/m);
});

it('"verify" says before a finding which of several signatures it is about, with one colon', async () => {
  const shown = await shownOf((await sealIt(await evidenceFile())).bytes);
  expect(shown).toMatch(/^ {2}. Signature 1: The certificate of the sealer /m);
  expect(shown).toMatch(/^ {2}. Signature 2: The certificate of the sealer /m);
});

it('"verify" begins the facts of each of several signatures with its number and kind', async () => {
  const shown = await shownOf((await sealIt(await evidenceFile())).bytes);
  const [document = ''] = shown.split(`\n${VERIFY.evidence}\n`);
  const heads = document.matchAll(/^ {2}(Signature \d: {2,}\S.*|Sealed by)/gm);
  expect([...heads].map(([, head = '']) => head.replaceAll(/ +/g, ' '))).toEqual([
    'Signature 1: Seal',
    'Sealed by',
    'Signature 2: Seal',
    'Sealed by',
  ]);
});

it('"verify" names which of its files is a folder', async () => {
  const file = join(folder, 'evidence.pdf');
  await writeFile(file, await evidenceFile());
  const verifying = verify.run([file, file, '--trust', folder], world);
  await expect(verifying).rejects.toThrow(`${folder} is a folder.`);
});
