import { setTimeout as wait } from 'node:timers/promises';
import { CloudFrontClient, GetDistributionCommand } from '@aws-sdk/client-cloudfront';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Fault } from '../../../local/ports.ts';
import { HOUR } from '../../../shared/runtime/time.ts';
import { output } from '../../support/aws.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';
import { runAdmin } from '../admin/local-run.ts';

/** `admin origin-secret rotate` over the whole service: the secret changes under calls that never stop. */

let service: Service;
let apiKey: string;
let large: string;

beforeAll(async () => {
  service = await Service.start();
  ({ apiKey } = await service.client());
  const document = await makePdfOfSize(5 * 1024 * 1024);
  large = JSON.stringify({
    title: 'Large',
    signers: [{ email: 'ann@example.com', name: 'Ann' }],
    document: { content_base64: document.toString('base64') },
  });
}, 120_000);
afterAll(() => service?.stop());

const client = () => new ApiClient(service.baseUrl, apiKey);
const rotate = () => runAdmin(['origin-secret', 'rotate', '--dir', service.dir]);
const fault = (operation: string, service_: string, more: Partial<Fault> = {}) =>
  service.fault({
    service: service_,
    operation,
    after: 1,
    effect: 'error',
    error_code: 'AccessDenied',
    ...more,
  });

/** Around the distribution, with this value. */
async function direct(path: string, value: string): Promise<number> {
  const [url] = Object.values(service.cloud.apiUrls);
  const headers = { authorization: `Bearer ${apiKey}`, 'x-origin-secret': value };
  const response = await fetch(`${url}/live/api/v1${path}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** Where secret and distribution stand. */
async function standing() {
  const { endpointUrl: endpoint, region, operator: credentials, clock, services } = service.cloud;
  const settings = { endpoint, region, credentials, systemClockOffset: clock.offsetMs() };
  const SecretId = output(service, 'OriginSecretArn');
  const { VersionIdsToStages = {} } = await new SecretsManagerClient(settings).send(
    new DescribeSecretCommand({ SecretId }),
  );
  const { Distribution } = await new CloudFrontClient(settings).send(
    new GetDistributionCommand({ Id: output(service, 'DistributionId') }),
  );
  const headers = (Distribution?.DistributionConfig?.Origins?.Items ?? []).flatMap(
    ({ CustomHeaders }) => CustomHeaders?.Items ?? [],
  );
  return {
    current: await services.secretValue(SecretId),
    stages: Object.values(VersionIdsToStages).flat().sort(),
    sent: [...new Set(headers.map(({ HeaderValue }) => HeaderValue))],
    status: Distribution?.Status,
  };
}
const settledOn = (current: string) => ({
  current,
  stages: ['AWSCURRENT'],
  sent: [current],
  status: 'Deployed',
});

/**
 * Calls go through the distribution while `work` runs; how they were answered. A stranger beside them guesses the secret
 * all the time, which keeps the function from looking for a new one at each call.
 */
async function underCalls<T>(
  work: () => Promise<T>,
): Promise<{ result: T; answers: Record<string, number> }> {
  const answers: Record<string, number> = {};
  let isOver = false;
  const calling = async (pause: number, call: () => Promise<{ status: number }>, who = '') => {
    while (!isOver) {
      const answer = `${who}${(await call()).status}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
      // The processors are left some time for the command.
      await wait(pause);
    }
  };
  const loops = [
    calling(30, () => client().get('/api/v1/signatures?limit=1')),
    calling(30, () => client().get('/api/v1/signatures/00000000-0000-4000-8000-000000000000')),
    // By way of the ingest, which is an origin of its own.
    calling(500, () => client().post('/api/v1/signatures', large)),
    calling(100, async () => ({ status: await direct('/signatures?limit=1', 'guess') }), 'stranger '),
  ];
  const result = await work().finally(() => {
    isOver = true;
  });
  await Promise.all(loops);
  return { result, answers };
}
const NONE_REFUSED = {
  200: expect.any(Number),
  404: expect.any(Number),
  'stranger 403': expect.any(Number),
};

it('changes the secret under running calls without one refusal, and ends the old value', async () => {
  const { current: old } = await standing();
  const { result, answers } = await underCalls(rotate);
  expect(result).toMatchObject({
    code: 0,
    json: {
      distribution_id: output(service, 'DistributionId'),
      origins: [expect.any(String), 'ingest'],
      resumed: false,
      rotated_at: expect.any(String),
      old_value_refused_from: expect.any(String),
    },
  });
  expect(result.stderr).toMatch(/told in 5 seconds.*\nWaiting for the distribution \w+ to be deployed/);
  expect(answers).toEqual(NONE_REFUSED);

  const { current } = await standing();
  expect(current).toMatch(/^[0-9a-f]{64}$/);
  expect(await standing()).toEqual(settledOn(current));
  expect(result.stdout + result.stderr).not.toContain(current);
  // A function that nobody has called yet.
  expect(await direct('/webhook-endpoints', old)).toBe(403);
  expect(await direct('/webhook-endpoints', current)).toBe(200);
}, 120_000);

it.each<[string, () => void]>([
  ['after the new value was made', () => fault('GetDistribution', 'cloudfront', { after: 3 })],
  ['after the distribution was told', () => fault('GetDistribution', 'cloudfront', { after: 4 })],
  ['before the old value ended', () => fault('UpdateSecretVersionStage', 'secretsmanager')],
])(
  'refuses nothing when it is broken off %s, and the next run ends it',
  async (_when, breakOff) => {
    const { current: old } = await standing();
    const { result, answers } = await underCalls(async () => {
      breakOff();
      const broken = await rotate();
      const between = await standing();
      return { broken, between, again: await rotate() };
    });
    const { broken, between, again } = result;
    expect(broken).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /AccessDenied.* The rotation is not finished\. .* again; it goes on from here\.\n$/,
      ),
    });
    expect(between.current).not.toBe(old);
    expect(between.stages).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
    expect(again).toMatchObject({
      code: 0,
      json: { resumed: true },
      stderr: expect.stringContaining('An earlier rotation has not ended'),
    });
    expect(await standing()).toEqual(settledOn(between.current));
    expect(await direct('/webhook-endpoints', between.current)).toBe(200);
    expect(answers).toEqual(NONE_REFUSED);
  },
  180_000,
);

it('makes one new value where two runs begin at once, and both see it through', async () => {
  const { current: old } = await standing();
  const { result, answers } = await underCalls(() => {
    // The first comes to its new value only when the second has made one.
    fault('PutSecretValue', 'secretsmanager', { effect: 'delay', ms: 3_000 });
    return Promise.all([rotate(), rotate()]);
  });
  const { current } = await standing();
  expect(current).not.toBe(old);
  expect(await standing()).toEqual(settledOn(current));
  expect(result.map(({ code }) => code)).toEqual([0, 0]);
  expect(new Set(result.map(({ json }) => json.rotated_at)).size).toBe(1);
  const sentences = result.map(({ stderr }) => stderr).join('');
  expect(sentences.match(/Another run has just made a new value/g)).toHaveLength(1);
  expect(answers).toEqual(NONE_REFUSED);
}, 120_000);

it('stands where it stood after a restart, in its middle and at its end', async () => {
  const { current: old } = await standing();
  fault('GetDistribution', 'cloudfront', { after: 3 });
  expect((await rotate()).code).toBe(1);
  await service.restart();
  expect(await standing()).toMatchObject({ stages: ['AWSCURRENT', 'AWSPREVIOUS'], sent: [old] });
  expect((await client().get('/api/v1/signatures')).status).toBe(200);

  expect((await rotate()).code).toBe(0);
  const { current } = await standing();
  await service.restart();
  expect(await standing()).toEqual(settledOn(current));
  expect((await client().get('/api/v1/signatures')).status).toBe(200);
  expect(await direct('/signatures', old)).toBe(403);
}, 120_000);

it('goes on after a conflict with another change of the distribution', async () => {
  fault('UpdateDistribution', 'cloudfront', { error_code: 'PreconditionFailed' });
  const { code, stderr } = await rotate();
  expect([code, stderr]).toEqual([0, expect.stringContaining('was changed by somebody else in this moment')]);
  const { current } = await standing();
  expect(await standing()).toEqual(settledOn(current));
}, 120_000);

it('says what is wrong where it has no right to begin, and changes nothing', async () => {
  const before = await standing();
  fault('GetDistribution', 'cloudfront');
  const { code, stderr } = await rotate();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^AccessDenied: /)]);
  expect(await standing()).toEqual(before);
}, 60_000);

// The last one: an SDK whose clock was moved tries every refusal again, and so would outlast the faults above.
it('lets a function that knew the old value accept it for an hour and no longer', async () => {
  const { current: old } = await standing();
  expect(await direct('/signatures', old)).toBe(200);
  expect((await rotate()).code).toBe(0);
  const { current } = await standing();
  expect(await direct('/signatures', old)).toBe(200);
  service.advance(HOUR + 1_000);
  expect(await direct('/signatures', old)).toBe(403);
  expect(await direct('/signatures', current)).toBe(200);
}, 60_000);
