import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../../support/service.ts';

let service: Service;
let runFile: string;
beforeAll(async () => {
  service = await Service.start();
  runFile = join(service.dir, 'run.json');
}, 120_000);
afterAll(() => service?.stop());

const demo = () =>
  promisify(execFile)(process.execPath, [
    'test/demo/main.ts',
    ...['--dir', service.dir, '--out', join(service.dir, 'demo')],
  ]);

it('the demo shows a request from its creation to two PDFs that verify as green, also where the clock was moved', async () => {
  service.advance(3_600_000);
  const { apiKey } = await service.client();
  // As `npm start` writes it.
  const run = JSON.parse(readFileSync(runFile, 'utf8'));
  writeFileSync(runFile, JSON.stringify({ ...run, api_key: apiKey }));
  const { stdout } = await demo();
  const steps = stdout.split('\n').filter((line) => /^ +\d+\.\d s {2}\S/.test(line));
  expect(steps).toHaveLength(9);
  expect(stdout).toContain('The verifier says: green. ');
  for (const type of ['signature_request.created', 'signer.signed', 'signature_request.completed'])
    expect(stdout).toContain(type);
  for (const file of ['contract-sealed.pdf', 'evidence.pdf'])
    expect(
      readFileSync(join(service.dir, 'demo', file))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
}, 120_000);

it('without a running service the demo says what to start', async () => {
  const run = promisify(execFile)(process.execPath, [
    'test/demo/main.ts',
    '--dir',
    join(service.dir, 'none'),
  ]);
  await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('npm start') });
});
