import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../functions/admin/operator.ts';
import { originSecretCommands } from '../../../functions/admin/origin-secret.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';

/** The rotation against a secret and a distribution of a few lines, on a clock of its own. */

const cloudFront = mockClient(CloudFrontClient);
const secrets = mockClient(SecretsManagerClient);

let stages: Record<string, string[]>;
let values: Record<string, string>;
let sent: Record<string, string>;
let deployedAt: number;
/** How long CloudFront takes. */
let deployment: number;
/** What was done, in its order. */
let steps: string[];
let said: string;

const versionAt = (stage: string) => Object.keys(stages).find((id) => stages[id]?.includes(stage)) ?? '';
const config = (): DistributionConfig => ({
  CallerReference: 'c',
  Comment: 'kept',
  Enabled: true,
  DefaultCacheBehavior: { TargetOriginId: 'page', ViewerProtocolPolicy: 'https-only' },
  Origins: {
    Quantity: 3,
    Items: [
      { Id: 'page', DomainName: 'page', CustomHeaders: { Quantity: 0 } },
      ...Object.entries(sent).map(([Id, HeaderValue]) => ({
        Id,
        DomainName: Id,
        CustomHeaders: {
          Quantity: 2,
          Items: [
            { HeaderName: 'X-Other', HeaderValue: 'other' },
            { HeaderName: 'X-Origin-Secret', HeaderValue },
          ],
        },
      })),
    ],
  },
});

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-01-01') });
  stages = { v1: ['AWSCURRENT'] };
  values = { v1: 'old' };
  sent = { api: 'old', ingest: 'old' };
  deployedAt = 0;
  deployment = 4 * MINUTE;
  steps = [];
  said = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  cloudFront.reset();
  secrets.reset();
  cloudFront.on(GetDistributionCommand).callsFake(async () => ({
    ETag: 'etag',
    Distribution: {
      Status: Date.now() < deployedAt ? 'InProgress' : 'Deployed',
      DistributionConfig: config(),
    },
  }));
  cloudFront.on(UpdateDistributionCommand).callsFake(async ({ DistributionConfig, IfMatch }) => {
    expect(IfMatch).toBe('etag');
    const asBefore = config();
    for (const { Id = '', CustomHeaders } of DistributionConfig.Origins.Items)
      for (const { HeaderName, HeaderValue } of CustomHeaders.Items ?? [])
        if (HeaderName === 'X-Origin-Secret') sent[Id] = HeaderValue;
    expect(config()).toEqual(DistributionConfig);
    expect(config()).not.toEqual(asBefore);
    deployedAt = Date.now() + deployment;
    steps.push('tell');
    return {};
  });
  secrets.on(DescribeSecretCommand).callsFake(async () => ({
    VersionIdsToStages: structuredClone(stages),
    LastChangedDate: new Date(0),
  }));
  secrets.on(GetSecretValueCommand).callsFake(async ({ VersionId }) => ({
    SecretString: values[VersionId],
    CreatedDate: new Date(0),
  }));
  secrets.on(PutSecretValueCommand).callsFake(async ({ ClientRequestToken, SecretString }) => {
    values[ClientRequestToken] = SecretString;
    stages = { [versionAt('AWSCURRENT')]: ['AWSPREVIOUS'], [ClientRequestToken]: ['AWSCURRENT'] };
    steps.push('make');
    return {};
  });
  secrets.on(UpdateSecretVersionStageCommand).callsFake(async ({ VersionStage, RemoveFromVersionId }) => {
    expect([VersionStage, RemoveFromVersionId]).toEqual(['AWSPREVIOUS', versionAt('AWSPREVIOUS')]);
    expect(Date.now()).toBeGreaterThanOrEqual(deployedAt);
    delete stages[RemoveFromVersionId];
    steps.push('end');
    return {};
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

async function rotate(): Promise<{ answer?: Record<string, unknown>; failure?: string }> {
  const operator = {
    clients: {},
    now: () => new Date(),
    output: (name: string) => name,
  } as Pick<Operator, 'clients' | 'now' | 'output'> as Operator;
  let outcome: { answer?: Record<string, unknown>; failure?: string } | undefined;
  const running = originSecretCommands[0]?.run({}, operator).then(
    (answer) => {
      outcome = { answer: answer as Record<string, unknown> };
    },
    (error: Error) => {
      outcome = { failure: error.message };
    },
  );
  while (!outcome) await jest.advanceTimersByTimeAsync(SECOND);
  await running;
  return outcome;
}

describe('origin-secret rotate', () => {
  it('makes a value, tells every origin of the distribution, waits, and only then ends the old one', async () => {
    const { answer } = await rotate();
    expect(steps).toEqual(['make', 'tell', 'end']);
    const value = values[versionAt('AWSCURRENT')];
    expect(value).toMatch(/^[0-9a-zA-Z]{48,}$/);
    expect(sent).toEqual({ api: value, ingest: value });
    expect(Object.values(stages)).toEqual([['AWSCURRENT']]);
    expect(answer).toEqual({
      distribution_id: 'DistributionId',
      origins: ['api', 'ingest'],
      resumed: false,
      rotated_at: new Date(0).toISOString(),
      old_value_refused_from: expect.any(String),
    });
    expect(JSON.stringify(answer) + said).not.toContain(value);
  });

  it('tells nothing to the distribution before functions that strangers keep busy may look again', async () => {
    let madeAt = 0;
    let toldAt = 0;
    const push = steps.push.bind(steps);
    steps.push = (step) => {
      if (step === 'make') madeAt = Date.now();
      if (step === 'tell') toldAt = Date.now();
      return push(step);
    };
    await rotate();
    expect(toldAt - madeAt).toBeGreaterThanOrEqual(5 * SECOND);
  });

  it('makes nothing new while something else is on its way to the distribution', async () => {
    deployedAt = Date.now() + 2 * MINUTE;
    const notBefore = deployedAt;
    secrets.on(PutSecretValueCommand).callsFake(async () => {
      expect(Date.now()).toBeGreaterThanOrEqual(notBefore);
      throw new Error('seen');
    });
    expect(await rotate()).toEqual({ failure: 'seen' });
  });

  it.each<[string, () => void, string[]]>([
    [
      'was made and not told',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        sent = { api: 'older', ingest: 'older' };
      },
      ['tell', 'end'],
    ],
    [
      'was told to one origin of two',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        sent = { api: 'old', ingest: 'older' };
      },
      ['tell', 'end'],
    ],
    [
      'is on its way',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        deployedAt = Date.now() + MINUTE;
      },
      ['end'],
    ],
    [
      'is everywhere, with the one before not ended',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
      },
      ['end'],
    ],
  ])('ends an earlier rotation whose value %s, and makes no newer one', async (_where, stand, expected) => {
    stand();
    expect((await rotate()).answer).toMatchObject({ resumed: true });
    expect(steps).toEqual(expected);
    expect(sent).toEqual({ api: 'old', ingest: 'old' });
    expect(stages).toEqual({ v1: ['AWSCURRENT'] });
    expect(said).toContain('An earlier rotation has not ended');
  });

  it('takes no old reading of the secret for the end of its work', async () => {
    let readings = 0;
    const before = structuredClone(stages);
    secrets.on(DescribeSecretCommand).callsFake(async () => {
      if (steps.includes('make')) readings += 1;
      return { VersionIdsToStages: readings > 0 && readings < 4 ? before : structuredClone(stages) };
    });
    expect((await rotate()).answer).toMatchObject({ resumed: false });
    expect(steps).toEqual(['make', 'tell', 'end']);
  });

  it('gives up waiting with a sentence that says what holds and what to do, and ends it the next time', async () => {
    deployment = 3 * 60 * MINUTE;
    const began = Date.now();
    const { failure } = await rotate();
    expect(Date.now() - began).toBeLessThan(36 * MINUTE);
    expect(failure).toBe(
      'The distribution DistributionId is not deployed with it after 35 minutes. The rotation is not finished. Calls are answered meanwhile: the old value and the new one are both accepted. Run "origin-secret rotate" again; it goes on from here.',
    );
    expect(said.match(/Waiting for the distribution/g)?.length).toBeGreaterThan(30);
    expect(steps).toEqual(['make', 'tell']);
    deployedAt = Date.now();
    expect((await rotate()).answer).toMatchObject({ resumed: true });
    expect(steps).toEqual(['make', 'tell', 'end']);
  });

  it('touches nothing where the distribution sends no such header', async () => {
    sent = {};
    expect(await rotate()).toEqual({ failure: 'The distribution DistributionId sends no x-origin-secret.' });
    expect(steps).toEqual([]);
  });
});
