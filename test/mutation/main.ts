import { spawnSync } from 'node:child_process';

/**
 * `npm run test:mutation [room ...]`: mutation tests, room by room. All rooms take hours, so this is a nightly command.
 * `docs/testing.md` has the scores.
 */
const ROOMS = [
  'requests',
  'verification',
  'work',
  'creation',
  'webhooks',
  'accounts',
  'store',
  'http',
  'views',
  'notices',
  'runtime',
  'stamping',
  'mail',
  'sealing',
];

const asked = process.argv.slice(2);
for (const room of asked.length > 0 ? asked : ROOMS) {
  const env = { ...process.env, MUTATED_ROOM: room };
  const { status } = spawnSync('stryker', ['run'], { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
