import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { verify } from '../../../client/command/verify.ts';
import { evidenceReason } from '../../../shared/stamping/verify-evidence.ts';
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
