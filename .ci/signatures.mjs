/**
 * Checks that the registry signed every installed package: `node .ci/signatures.mjs`. Fails for a signature that is wrong or
 * missing. Where the keys cannot be fetched (they come from sigstore.dev, not from the registry) nothing was checked;
 * then this says so, and only what `npm ci` compares holds: the lockfile's digest of each package.
 */
import { spawnSync } from 'node:child_process';

const FAULT = /\b(invalid|missing) (registry signatures?|attestations?)/;
const LIMIT_MS = 3 * 60_000;

const { status, stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--fetch-retries=0'], {
  encoding: 'utf8',
  timeout: LIMIT_MS,
});
process.stdout.write(stdout);
process.stderr.write(stderr);
if (FAULT.test(stdout + stderr)) {
  process.exitCode = 1;
} else if (status !== 0) {
  const line = '!'.repeat(80);
  console.log(
    `${line}\nNOT CHECKED: the signatures of packages. npm could not fetch what it needs.\n${line}`,
  );
}
