import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plan } from '../../../local/assembly/plan.ts';
import type { Services } from '../../../local/ports.ts';
import { provision } from '../../../local/provision.ts';
import { State } from '../../../local/state.ts';

let folder: string;
let state: State;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'provision-'));
  state = new State(folder);
});
afterEach(() => {
  state.close();
  rmSync(folder, { recursive: true });
});

function asset(name: string, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

/** Deploys an asset; returns the files that were copied. */
async function deploy(sourceFolder: string): Promise<string[]> {
  const plan = new Plan();
  plan.fileDeployments.push({
    bucketName: 'page',
    sourceFolders: [sourceFolder],
    include: [],
    exclude: [],
    cacheControl: 'no-cache',
  });
  const copied: string[] = [];
  const services = {
    writeObject: async (_bucket: string, key: string) => {
      copied.push(key);
    },
  };
  await provision(plan, services as unknown as Services, state);
  return copied.sort();
}

it('a start copies the files of a page that changed since the last one, and reads none of an unchanged page', async () => {
  const first = asset('asset.1', { 'index.html': 'one', 'page.css': 'same' });
  const second = asset('asset.2', { 'index.html': 'two', 'page.css': 'same' });
  expect(await deploy(first)).toEqual(['index.html', 'page.css']);
  expect(await deploy(second)).toEqual(['index.html']);
  expect(await deploy(first)).toEqual(['index.html']);
  rmSync(first, { recursive: true });
  expect(await deploy(first)).toEqual([]);
});
