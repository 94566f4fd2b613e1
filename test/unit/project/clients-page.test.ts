import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it.each([
  ['ts', 'typescript/usage.ts'],
  ['python', 'python/usage.py'],
  ['yaml', 'python/config.yml'],
  ['java', 'java/Usage.java'],
  ['xml', 'java/pom.xml'],
])('the %s blocks of docs/clients.md are the file %s that the conformance tests run', (language, file) => {
  const blocks = read('docs/clients.md').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  const shown = [...blocks].map(([, code]) => code).join('\n');
  expect(shown).toBe(read(`test/conformance/generated/${file}`));
});
