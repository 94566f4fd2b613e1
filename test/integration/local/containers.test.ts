import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerPlan } from '../../../local/assembly/plan.ts';
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

/** Answers which of these files it could write. */
const WRITES = `
  const { writeFileSync } = require('node:fs');
  const isWritten = (file) => {
    try {
      writeFileSync(file, '');
      return true;
    } catch {
      return false;
    }
  };
  const { PORT, SPOOL, CODE, OUTSIDE } = process.env;
  const answer = JSON.stringify({ spool: isWritten(SPOOL), code: isWritten(CODE), outside: isWritten(OUTSIDE) });
  require('node:http').createServer((request, response) => response.end(answer)).listen(PORT);
`;

let folder: string;
let container: Container | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'container-'));
});
afterEach(async () => {
  await container?.stop();
  rmSync(folder, { recursive: true });
});

async function start(code: string, more: Partial<ContainerPlan> = {}): Promise<Container> {
  const file = join(folder, 'main.cjs');
  writeFileSync(file, code);
  const plan = {
    id: 'c',
    name: 'c',
    file,
    args: [],
    environment: {},
    volumes: [],
    hasReadOnlyRoot: false,
    role: { name: 'task', arn: '', trust: [], statements: [] },
    ...more,
  };
  container = await Container.start(
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
  return container;
}

/** @behaviour elb.health-checks */
it('a health check that gets no answer is given up, so that the next one finds the container', async () => {
  const started = await start(HANGS_ONCE);
  expect(await started.becomesHealthy()).toBe(true);
});

/** @behaviour ecs.read-only-root */
it('a container with a read-only file system writes only to its volumes that are not read-only', async () => {
  const environment = { SPOOL: '/spool/file', CODE: '/code/file', OUTSIDE: join(folder, 'outside') };
  const volumes = ['spool', 'code'].map((name) => ({ name, path: `/${name}`, isReadOnly: name === 'code' }));
  const started = await start(WRITES, { environment, volumes, hasReadOnlyRoot: true });
  expect(await started.becomesHealthy()).toBe(true);
  const answer = await fetch(`http://127.0.0.1:${started.port}`);
  expect(await answer.json()).toEqual({ spool: true, code: false, outside: false });
});
