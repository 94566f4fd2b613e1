import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { installPackage, NODE_TYPES, run, typeFaults } from './package.ts';

const PAGE = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');
const PROGRAM = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');

let service: Service;
let owner: ApiClient;
let folder: string;

beforeAll(async () => {
  service = await Service.start();
  owner = await service.client();
  folder = await installPackage();
  await writeFile(join(folder, 'lease.pdf'), await makePdf());
  await writeFile(join(folder, 'program.mts'), PROGRAM);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Signs with the second code, since the program has the first one replaced. */
async function signAsAnn(): Promise<void> {
  await until(() => service.mails('ann@example.com').length === 2, 'the resent invitation');
  const { data } = (await owner.get('/api/v1/signatures?signer_email=ann@example.com')).body;
  const { body } = await owner.get(`/api/v1/signatures/${data[0].id}`);
  const signer = await service.verifiedSigner(body.signers[0].access_token, 'ann@example.com');
  expect((await signer.sign()).status).toBe(200);
}

describe('the code in docs/client.md', () => {
  it('fits the types of the package', async () => {
    expect(await typeFaults(join(folder, 'program.mts'), ...NODE_TYPES)).toBe('');
  });

  it('runs against the service', async () => {
    const { code } = await transform(PROGRAM, { loader: 'ts' });
    await writeFile(join(folder, 'program.mjs'), code);
    const env = { SIGNATURE_REQUESTS_API_KEY: owner.apiKey, SIGNATURE_REQUESTS_URL: service.baseUrl };
    const [{ stdout }] = await Promise.all([
      run(process.execPath, ['program.mjs'], { cwd: folder, env: { ...process.env, ...env } }),
      signAsAnn(),
    ]);
    expect(stdout).toContain('request_not_cancellable 409');
    const { data } = (await owner.get('/api/v1/signatures')).body;
    expect(data.map(({ status }: { status: string }) => status).sort()).toEqual(['cancelled', 'signed']);
  }, 90_000);
});
