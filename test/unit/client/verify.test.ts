import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { verify } from '../../../client/command/verify.ts';
import { evidenceInput } from '../../support/evidence-input.ts';
import { sealIt } from '../sealing/sealing-kit.ts';

it('"verify" shows each value apart from its label, however long that is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  const file = join(folder, 'evidence.pdf');
  const document = await PDFDocument.create();
  document.addPage();
  await document.attach(Buffer.from(JSON.stringify(evidenceInput(1).record)), 'evidence.json');
  await writeFile(file, (await sealIt(await document.save())).bytes);
  const world = { client: () => Promise.reject(), isTerminal: true, note: () => undefined };
  const shown = await verify.run([file, file], world);
  expect(shown?.text).toMatch(/^ {2}Code from e-mail entered {2}2026-11-10T08:06:00.000Z$/m);
  expect(shown?.text).toMatch(/^ {2}Signed by {17}\S/m);
  await rm(folder, { recursive: true });
});
