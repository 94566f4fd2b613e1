import { webcrypto } from 'node:crypto';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import type { Report } from '../../../client/verifier/report.ts';
import { craft, ONE_PAGE } from '../sealing/craft.ts';
import { now, sealIt } from '../sealing/sealing-kit.ts';

it('the verifier runs where only what browsers have is there, and needs no network', async () => {
  const { bytes } = await sealIt(craft({ objects: ONE_PAGE, style: 'stream', packed: [2, 3] }));
  const bundle = await build({
    stdin: {
      contents: `
        import { readExpected } from './certificates.ts';
        import { verifyPdf } from './verify.ts';
        globalThis.verified = readExpected('').then((expected) => verifyPdf(file, { expected, now }));`,
      resolveDir: join(import.meta.dirname, '../../../client/verifier'),
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
  });
  const page = createContext({ crypto: webcrypto, TextDecoder, atob, now });
  runInContext(`globalThis.file = Uint8Array.from([${bytes.join(',')}])`, page);
  runInContext(bundle.outputFiles[0]?.text ?? '', page);
  const report: Report = await runInContext('verified', page);
  expect(report).toMatchObject({ verdict: 'amber', signatures: [{ coversWholeFile: true }] });
});
