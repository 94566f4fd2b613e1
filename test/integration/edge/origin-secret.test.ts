/** @behaviour cloudfront.update waf.propagation secrets.versions */

import { setTimeout as wait } from 'node:timers/promises';
import { CloudFrontClient, GetDistributionCommand } from '@aws-sdk/client-cloudfront';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetRegexPatternSetCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import type { Fault } from '../../../local/ports.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { output } from '../../support/aws.ts';
import { makePdf } from '../../support/pdf.ts';
import { follow } from '../../support/runbook.ts';
import { ApiClient, Service } from '../../support/service.ts';
import { someOf } from '../../support/thorough.ts';
import { runAdmin } from '../admin/local-run.ts';

/**
 * `admin origin-secret rotate` on the whole service, while calls continue. A rotation mostly waits, so the tests run at the same
 * time, each with a service of its own.
 */

let large: string;

beforeAll(async () => {
  const document = await makePdf();
  const body = JSON.stringify({
    title: 'Large',
    signers: [{ email: 'ann@example.com', name: 'Ann' }],
    document: { content_base64: document.toString('base64') },
  });
  // Only the body is large: the work on a large document would slow all other calls.
  large = body.padEnd(6 * 1024 * 1024);
});

const settledOn = (current: string) => ({
  current,
  stages: ['AWSCURRENT'],
  accepted: [`^${current}$`],
  sent: [current],
  status: 'Deployed',
});

function toolsFor(service: Service, apiKey: string) {
  const client = () => new ApiClient(service.baseUrl, apiKey);
  const rotate = () =>
    runAdmin([
      ...follow('Rotate the origin secret', 'admin origin-secret rotate').slice(1),
      ...['--dir', service.dir],
    ]);
  const fault = (operation: string, service_: string, more: Partial<Fault> = {}) =>
    service.fault({
      service: service_,
      operation,
      after: 1,
      effect: 'error',
      error_code: 'AccessDenied',
      ...more,
    });

  /** Calls the API directly, bypassing the distribution, with this origin secret. */
  async function direct(path: string, value: string): Promise<number> {
    const [url] = Object.values(service.cloud.apiUrls);
    const headers = { authorization: `Bearer ${apiKey}`, 'x-origin-secret': value };
    const response = await fetch(`${url}/live/api/v1${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** The state of the secret and the distribution. */
  async function rotationState() {
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
    const [, , Name, Id] = output(service, 'OriginValuesArn').split('/');
    const { RegexPatternSet } = await new WAFV2Client(settings).send(
      new GetRegexPatternSetCommand({ Name, Id, Scope: 'REGIONAL' }),
    );
    return {
      current: await services.secretValue(SecretId),
      stages: Object.values(VersionIdsToStages).flat().sort(),
      accepted: (RegexPatternSet?.RegularExpressionList ?? []).map(({ RegexString }) => RegexString),
      sent: [...new Set(headers.map(({ HeaderValue }) => HeaderValue))],
      status: Distribution?.Status,
    };
  }

  /**
   * Calls the service while `work` runs and counts the response statuses. A concurrent caller keeps guessing the secret, so
   * functions may not read it again at each call.
   */
  async function duringCalls<T>(
    work: () => Promise<T>,
  ): Promise<{ result: T; answers: Record<string, number> }> {
    const answers: Record<string, number> = {};
    const { promise: isDone, resolve: end } = Promise.withResolvers<'done'>();
    const calling = async (pause: number, call: () => Promise<{ status: number }>, caller = '') => {
      do {
        const answer = `${caller}${(await call()).status}`;
        answers[answer] = (answers[answer] ?? 0) + 1;
        // Leave the CPU some time for the command.
      } while ((await Promise.race([wait(pause), isDone])) !== 'done');
    };
    const loops = [
      calling(200, () => client().get('/api/v1/signatures?limit=1')),
      calling(200, () => client().get('/api/v1/signatures/00000000-0000-4000-8000-000000000000')),
      // Goes through the ingest, which is a separate origin.
      calling(5_000, () => client().post('/api/v1/signatures', large)),
      calling(200, async () => ({ status: await direct('/signatures?limit=1', 'guess') }), 'guessing '),
    ];
    const result = await work().finally(() => end('done'));
    await Promise.all(loops);
    return { result, answers };
  }

  return { service, client, rotate, fault, direct, rotationState, duringCalls };
}
type Tools = ReturnType<typeof toolsFor>;

async function withService(test: (tools: Tools) => Promise<void>): Promise<void> {
  const service = await Service.startCold();
  try {
    const { apiKey } = await service.client();
    await test(toolsFor(service, apiKey));
  } finally {
    await service.stop();
  }
}

const NONE_REFUSED = {
  200: expect.any(Number),
  404: expect.any(Number),
  'guessing 403': expect.any(Number),
};

it.concurrent(
  'a rotation during calls causes no refusal and ends the old value',
  () =>
    withService(async ({ service, rotate, direct, rotationState, duringCalls }) => {
      const { current: old } = await rotationState();
      const { result, answers } = await duringCalls(rotate);
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
      expect(result.stderr).toMatch(
        /Updating the distribution in 5 seconds.*\nWaiting for the distribution \w+ to be deployed/,
      );
      expect(answers).toEqual(NONE_REFUSED);

      const { current } = await rotationState();
      expect(current).toMatch(/^[0-9a-f]{64}$/);
      expect(await rotationState()).toEqual(settledOn(current));
      expect(result.stdout + result.stderr).not.toContain(current);
      // This function has not been called yet, so it has no cached secret.
      expect(await direct('/webhook-endpoints', old)).toBe(403);
      expect(await direct('/webhook-endpoints', current)).toBe(200);
    }),
  120_000,
);

const INTERRUPTIONS: [string, (tools: Tools) => void][] = [
  ['after the new value was created', ({ fault }) => fault('GetDistribution', 'cloudfront', { after: 3 })],
  ['after the distribution was updated', ({ fault }) => fault('GetDistribution', 'cloudfront', { after: 4 })],
  ['before the old value was removed', ({ fault }) => fault('UpdateSecretVersionStage', 'secretsmanager')],
];

it.concurrent.each(someOf(INTERRUPTIONS, 3))(
  'a rotation interrupted %s causes no refusal, and the next run finishes it',
  (_when, interrupt) =>
    withService(async (tools) => {
      const { rotate, direct, rotationState, duringCalls } = tools;
      const { current: old } = await rotationState();
      const { result, answers } = await duringCalls(async () => {
        interrupt(tools);
        const interrupted = await rotate();
        const between = await rotationState();
        return { interrupted, between, again: await rotate() };
      });
      const { interrupted, between, again } = result;
      expect(interrupted).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /AccessDenied.* The rotation is not finished\. .* again to resume it\.\n$/,
        ),
      });
      expect(between.current).not.toBe(old);
      expect(between.stages).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
      expect(again).toMatchObject({
        code: 0,
        json: { resumed: true },
        stderr: expect.stringContaining('Finishing an earlier rotation'),
      });
      expect(await rotationState()).toEqual(settledOn(between.current));
      expect(await direct('/webhook-endpoints', between.current)).toBe(200);
      expect(answers).toEqual(NONE_REFUSED);
    }),
  180_000,
);

it.concurrent(
  'two concurrent rotations create one new value, and both finish',
  () =>
    withService(async ({ rotate, fault, rotationState, duringCalls }) => {
      const { current: old } = await rotationState();
      const { result, answers } = await duringCalls(() => {
        // Delays the first run until the second has created its value.
        fault('PutSecretValue', 'secretsmanager', { effect: 'delay', ms: 10_000 });
        return Promise.all([rotate(), rotate()]);
      });
      const { current } = await rotationState();
      expect(current).not.toBe(old);
      expect(await rotationState()).toEqual(settledOn(current));
      expect(result.map(({ code }) => code)).toEqual([0, 0]);
      expect(new Set(result.map(({ json }) => json.rotated_at)).size).toBe(1);
      const sentences = result.map(({ stderr }) => stderr).join('');
      expect(sentences.match(/A concurrent run has just created a new value/g)).toHaveLength(1);
      expect(answers).toEqual(NONE_REFUSED);
    }),
  120_000,
);

it.concurrent(
  'the state of a rotation survives a restart, during and after the rotation',
  () =>
    withService(async ({ service, client, rotate, fault, direct, rotationState }) => {
      const { current: old } = await rotationState();
      fault('GetDistribution', 'cloudfront', { after: 3 });
      expect((await rotate()).code).toBe(1);
      await service.restart();
      expect(await rotationState()).toMatchObject({ stages: ['AWSCURRENT', 'AWSPREVIOUS'], sent: [old] });
      expect((await client().get('/api/v1/signatures')).status).toBe(200);

      expect((await rotate()).code).toBe(0);
      const { current } = await rotationState();
      await service.restart();
      expect(await rotationState()).toEqual(settledOn(current));
      expect((await client().get('/api/v1/signatures')).status).toBe(200);
      expect(await direct('/signatures', old)).toBe(403);
    }),
  120_000,
);

it.concurrent(
  'a rotation without permission reports the error and changes nothing',
  () =>
    withService(async ({ rotate, fault, rotationState }) => {
      const before = await rotationState();
      fault('GetDistribution', 'cloudfront');
      const { code, stderr } = await rotate();
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^AccessDenied: /)]);
      expect(await rotationState()).toEqual(before);
    }),
  60_000,
);

it.concurrent(
  'a rotation continues after a conflict with another change, and then the firewall refuses the old value, though a function still has it in its cache',
  () =>
    withService(async ({ service, rotate, fault, direct, rotationState }) => {
      const { current: old } = await rotationState();
      expect(await direct('/signatures', old)).toBe(200);
      fault('UpdateDistribution', 'cloudfront', { error_code: 'PreconditionFailed' });
      const { code, stderr } = await rotate();
      expect([code, stderr]).toEqual([0, expect.stringContaining('Somebody else changed the distribution')]);
      const { current } = await rotationState();
      expect(await rotationState()).toEqual(settledOn(current));
      service.advance(MINUTE);
      expect(await direct('/signatures', old)).toBe(403);
      expect(await direct('/signatures', current)).toBe(200);
    }),
  120_000,
);
