import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readImports } from '../../../docs/imports.ts';

/** A file, what is written in it, and the file that it may not import. */
const FORBIDDEN = [
  ['shared/contract/up.ts', "import '../requests/rule.ts';", 'shared/requests/rule.ts'],
  ['shared/contract/up-by-type.ts', "import type { A } from '../store/item.ts';", 'shared/store/item.ts'],
  ['shared/contract/up-inline.ts', "export type B = import('../http/serve.ts').B;", 'shared/http/serve.ts'],
  ['shared/contract/up-lazily.ts', "await import('../work/queue.ts');", 'shared/work/queue.ts'],
  ['shared/contract/up-by-export.ts', "export * from '../mail/mail.ts';", 'shared/mail/mail.ts'],
  ['shared/store/across.ts', "import '../mail/mail.ts';", 'shared/mail/mail.ts'],
  ['shared/texts/across.ts', "import '../sealing/seal.ts';", 'shared/sealing/seal.ts'],
  ['shared/drawer/misc.ts', "import '../runtime/time.ts';", 'shared/runtime/time.ts'],
  ['shared/http/outside.ts', "import '../../functions/get.ts';", 'functions/get.ts'],
  ['functions/sideways.ts', "import '../admin/main.ts';", 'admin/main.ts'],
  ['admin/tested.ts', "import type { T } from '../test/support.ts';", 'test/support.ts'],
  ['docs/tested.ts', "import '../test/support.ts';", 'test/support.ts'],
  ['infra/stack.ts', "import '../shared/store/item.ts';", 'shared/store/item.ts'],
  ['local/cloud.ts', "import '../shared/runtime/time.ts';", 'shared/runtime/time.ts'],
  ['web/page.ts', "import { schema } from '../shared/contract/field.ts';", 'shared/contract/field.ts'],
  ['shared/contract/limits.ts', "import './field.ts';", 'shared/contract/field.ts'],
  ['new-folder/main.ts', "import '../shared/runtime/time.ts';", 'shared/runtime/time.ts'],
  ['functions/broken.ts', "import './no-such-file.ts';", './no-such-file.ts'],
] as const;

const CIRCLE = [
  ['local/round.ts', "import type { C } from './and-round.ts';"],
  ['local/and-round.ts', "import './round.ts';"],
] as const;

const ALLOWED = [
  ['shared/requests/rule.ts', "import '../contract/field.ts';"],
  ['shared/mail/mail.ts', "import './parts.ts';"],
  ['shared/mail/parts.ts', "import '../runtime/time.ts';"],
  ['shared/texts/text.ts', "import '../runtime/time.ts';"],
  ['web/form.ts', "import type { F } from '../shared/contract/field.ts';"],
  ['web/list.ts', "import { LIMITS } from '../shared/contract/limits.ts';"],
  ['test/support.ts', "import '../local/cloud.ts';"],
  ['functions/get.ts', "import '../shared/http/serve.ts';"],
  ['shared/store/item.ts', ''],
  ['shared/http/serve.ts', ''],
  ['shared/work/queue.ts', ''],
  ['shared/sealing/seal.ts', ''],
  ['shared/runtime/time.ts', ''],
  ['shared/contract/field.ts', ''],
  ['admin/main.ts', ''],
] as const;

let caught: string[];

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'floors-'));
  for (const [file, source] of [...FORBIDDEN, ...CIRCLE, ...ALLOWED]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  const { violations } = readImports(root).summary;
  rmSync(root, { recursive: true });
  caught = violations.map(({ from, to, rule }) => `${rule.severity}: ${from} -> ${to}`);
});

it.each(FORBIDDEN)('lint is red when %s says %s', (file, _source, imported) => {
  expect(caught).toContain(`error: ${file} -> ${imported}`);
});

it('lint is red when two files import each other, if only for a type', () => {
  expect(caught.filter((each) => CIRCLE.some(([file]) => each.startsWith(`error: ${file} `)))).toHaveLength(
    1,
  );
});

it('lint allows imports that go down, stay in their room or use runtime/', () => {
  expect(caught.filter((each) => ALLOWED.some(([file]) => each.startsWith(`error: ${file} `)))).toEqual([]);
});
