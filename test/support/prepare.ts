import { execFileSync } from 'node:child_process';
import { makeFirstData } from './local-service.ts';
import makeRunFolder, { assemblyFolder } from './run-folder.ts';

/** Global setup for tests of the service: synthesizes its stack and makes the data that every service starts with. */
export default async function prepare(): Promise<void> {
  makeRunFolder();
  synthesize(assemblyFolder());
  await makeFirstData();
}

/** Synthesizes the stack with the same context as `npm start`, and more. */
export function synthesize(folder: string, context: Record<string, string> = {}): void {
  execFileSync(process.execPath, ['infra/app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ localWebhooks: 'on', ...context }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
