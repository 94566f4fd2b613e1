import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('the documents in a bundle', () => {
  it('are set with the font files that lie beside it, without node_modules', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pages-'));
    try {
      buildSync({
        stdin: {
          contents: `
            import { makeSignaturePage } from './shared/sealing/page/signature-page.ts';
            import { makeAuditTrailPdf } from './shared/audit/pdf/audit-trail.ts';
            import { pageInput } from './test/support/signature-input.ts';
            const pdf = await makeSignaturePage(pageInput());
            console.log(typeof makeAuditTrailPdf, Buffer.from(pdf).toString('latin1', 0, 5), pdf.length > 10000);`,
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
      const run = () => spawnSync(process.execPath, ['index.mjs'], { cwd: folder, encoding: 'utf8' });
      expect(run().stderr).toContain('ENOENT');
      cpSync(join(ROOT, 'shared/typesetting/fonts'), join(folder, 'fonts'), { recursive: true });
      expect(run()).toMatchObject({ status: 0, stdout: 'function %PDF- true\n' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
