/** @behaviour lambda.reserved-concurrency */

import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { SIGNING } from '../../../infra/functions.ts';
import { DEFAULT_SEAL_CONCURRENCY } from '../../../infra/options.ts';
import { assemblyWith } from '../../support/changed-assembly.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Reserved concurrency on the whole service, in an account with little more than what is reserved. */

const PATH = '/api/v1/signatures';
const SHARED = 2;
const RESERVED: Record<string, number> = {
  'create-signature': 2,
  seal: DEFAULT_SEAL_CONCURRENCY,
  ...Object.fromEntries(Object.keys(SIGNING).map((name) => [name, 2])),
};

/** The stack with these reservations, as `-c reservedConcurrency` writes them into the template. */
const withReservations = (): string =>
  assemblyWith(({ Type, Properties }) => {
    const name = String(Properties?.FunctionName ?? '').replace('signature-requests-', '');
    if (Type !== 'AWS::Lambda::Function' || !(name in RESERVED)) return false;
    Properties.ReservedConcurrentExecutions = RESERVED[name];
    return true;
  });

let assembly: string;
let service: Service;
let client: ApiClient;

beforeAll(async () => {
  assembly = withReservations();
  const reserved = Object.values(RESERVED).reduce((sum, each) => sum + each, 0);
  service = await Service.start({ assembly, accountConcurrency: reserved + SHARED });
  client = await service.client();
}, 120_000);
afterAll(async () => {
  await service?.stop();
  rmSync(assembly, { recursive: true, force: true });
});

/** Calls again and again, from more callers than the account has room for, while `work` runs. Returns the statuses seen. */
async function flooded(
  call: () => Promise<{ status: number }>,
  work: () => Promise<void>,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  let isDone = false;
  const callers = Array.from({ length: 4 * SHARED }, async () => {
    while (!isDone) {
      statuses.add((await call()).status);
      // Leave the CPU some time for the service.
      await wait(10);
    }
  });
  // The flood has begun to be refused.
  await until(() => statuses.has(500), 'the flood');
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(callers);
  return statuses;
}

it('a request is created, signed and sealed while other functions are flooded', async () => {
  const document = (await makePdf()).toString('base64');
  const statuses = await flooded(
    () => client.get(`${PATH}?limit=1`),
    async () => {
      const created = await client.post(PATH, {
        title: 'Contract',
        signers: [{ email: 'ann@example.com', name: 'Ann' }],
        document: { content_base64: document },
      });
      expect(created.status).toBe(200);
      const signer = await service.verifiedSigner(created.body.signers[0].access_token, 'ann@example.com');
      expect((await signer.sign()).status).toBe(200);
      await until(async () => (await signer.view()).body.request?.status === 'signed', 'the seal', 90);
    },
  );
  expect(statuses).toContain(500);
}, 120_000);

it('a flood of creates leaves the signers alone, and ends', async () => {
  const { body } = await client.post(PATH, {
    title: 'Contract',
    signers: [{ email: 'ben@example.com', name: 'Ben' }],
    document: { content_base64: (await makePdf()).toString('base64') },
  });
  const signed = async () => {
    const signer = await service.verifiedSigner(body.signers[0].access_token, 'ben@example.com');
    expect((await signer.sign()).status).toBe(200);
  };
  await flooded(() => client.post(PATH, '{}'), signed);
  expect((await client.post(PATH, '{}')).status).toBe(400);
}, 120_000);
