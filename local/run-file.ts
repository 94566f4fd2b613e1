/** `run.json` in the data folder: addresses and credentials of the run, for other commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalCloud } from './cloud.ts';

export const runFileIn = (dir: string): string => join(dir, 'run.json');

export function writeRunFile(dir: string, cloud: LocalCloud, more: Record<string, unknown> = {}): void {
  const run = {
    base_url: cloud.baseUrl,
    ...more,
    control_url: cloud.controlUrl,
    endpoint_url: cloud.endpointUrl,
    region: cloud.region,
    access_key_id: cloud.operator.accessKeyId,
    secret_access_key: cloud.operator.secretAccessKey,
    outputs: cloud.outputs,
  };
  writeFileSync(runFileIn(dir), `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
}
