import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Synthesizes the stack with the context that `npm start` gives it; the folder in which its assembly lies. */
export function makeAssembly(): string {
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
  return folder;
}

/** Once for all tests that run the stack. */
export default function synthesize(): void {
  process.env.TEST_ASSEMBLY = makeAssembly();
}
