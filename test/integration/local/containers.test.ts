import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalClock } from '../../../local/clock.ts';
import { Container } from '../../../local/containers/container.ts';

/** Leaves its first health check without an answer. */
const HANGS_ONCE = `
  let checks = 0;
  require('node:http').createServer((request, response) => {
    checks += 1;
    if (checks > 1) response.end('ok');
  }).listen(process.env.PORT);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'container-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @behaviour elb.health-checks */
it('a health check that gets no answer is given up, so that the next one finds the container', async () => {
  const file = join(folder, 'main.cjs');
  writeFileSync(file, HANGS_ONCE);
  const role = { name: 'task', arn: '', trust: [], statements: [] };
  const plan = { id: 'c', name: 'c', file, args: [], environment: {}, volumes: [], role };
  const container = await Container.start(
    { container: plan, balancerArn: '', healthCheckPath: '/health' },
    {
      endpointUrl: 'http://127.0.0.1:9',
      region: 'eu-north-1',
      clock: new LocalClock(),
      folder,
      admit: () => ({ accessKeyId: 'A', secretAccessKey: 'B' }),
      onOutput: () => undefined,
    },
  );
  try {
    expect(await container.becomesHealthy()).toBe(true);
  } finally {
    await container.stop();
  }
});
