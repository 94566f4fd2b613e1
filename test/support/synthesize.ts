import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Synthesizes the stack once for all tests that run it, with the context that `npm start` gives it. */
export default function synthesize(): void {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  execFileSync(process.execPath, ['infra/app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ localWebhooks: 'on' }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.env.TEST_ASSEMBLY = folder;
}
