import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { ASSEMBLY } from './assembly.ts';

/** Synthesizes the stack once for all integration tests, with the context that `npm start` gives it. */
export default function synthesize(): void {
  rmSync(ASSEMBLY, { recursive: true, force: true });
  execFileSync(process.execPath, ['infra/app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: ASSEMBLY,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ localWebhooks: 'on', largeUploads: 'off' }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
