import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('typesetting in a bundle', () => {
  it('a bundle reads fonts and HarfBuzz from files beside it, and only the faces for a Latin text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pages-'));
    try {
      buildSync({
        stdin: {
          contents: `
            import { Paper } from './shared/typesetting/paper.ts';
            import { TYPE } from './shared/typesetting/style.ts';
            const nothing = () => {};
            const paper = await Paper.open({
              title: 'Title', subject: 'Subject', language: 'en', createdAt: '2026-11-19T09:05:07Z',
              watermark: null, drawRunningHead: nothing, drawFoot: nothing,
            });
            paper.write(paper.set(process.argv[2], TYPE.body));
            const pdf = await paper.finish();
            console.log(Buffer.from(pdf).toString('latin1', 0, 5), pdf.length > 5000);`,
          resolveDir: ROOT,
          loader: 'ts',
        },
        outfile: join(folder, 'index.mjs'),
        bundle: true,
        platform: 'node',
        format: 'esm',
        mainFields: ['module', 'main'],
        logLevel: 'error',
      });
      writeFileSync(join(folder, 'package.json'), '{}');
      const run = (text: string) =>
        spawnSync(process.execPath, ['index.mjs', text], { cwd: folder, encoding: 'utf8' });
      const copy = (from: string, to: string) =>
        cpSync(join(ROOT, from), join(folder, to), {
          recursive: true,
          filter: (path) => !/scripts/.test(path.slice(ROOT.length)),
        });
      const success = { status: 0, stdout: '%PDF- true\n' };

      expect(run('A line of text').stderr).toContain('ENOENT');
      copy('shared/typesetting/fonts', 'fonts');
      // Neither the fonts of other scripts nor HarfBuzz are there: a Latin text reads nothing of them.
      expect(run('Ærøskøbing, Ἀριστοτέλης, Щукин')).toMatchObject(success);
      expect(run('محمد').stderr).toContain('scripts/index.json');
      cpSync(join(ROOT, 'shared/typesetting/fonts/scripts'), join(folder, 'fonts/scripts'), {
        recursive: true,
      });
      expect(run('محمد').stderr).toContain('harfbuzzjs');
      copy('node_modules/harfbuzzjs', 'node_modules/harfbuzzjs');
      expect(run('محمد 山田')).toMatchObject(success);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
