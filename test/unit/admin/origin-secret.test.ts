import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import {
  GetRegexPatternSetCommand,
  UpdateRegexPatternSetCommand,
  WAFOptimisticLockException,
  WAFV2Client,
} from '@aws-sdk/client-wafv2';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../admin/operator.ts';
import { originSecretCommands } from '../../../admin/origin-secret.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';

/** Rotation against a fake secret, firewall and distribution, in virtual time. */

const cloudFront = mockClient(CloudFrontClient);
const firewall = mockClient(WAFV2Client);
const secrets = mockClient(SecretsManagerClient);

let stages: Record<string, string[]>;
let values: Record<string, string>;
let sent: Record<string, string>;
/** The value that passes the firewall, and the time since when it does so everywhere. */
let accepted: string[];
let acceptedFrom: number;
let description: string | undefined;
/** Number of changes that somebody else makes to the firewall first. */
let conflicts: number;
/** The steps of another run before this one removes the old value. */
let beforeRemoval: (() => void) | undefined;
let deployedAt: number;
/** Duration of a CloudFront deployment. */
let deploymentMs: number;
/** The steps taken, in order. */
let steps: string[];
let stderr: string;

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
  values = { v0: 'older', v1: 'old' };
  sent = { api: 'old', ingest: 'old' };
  accepted = ['^old$'];
  acceptedFrom = 0;
  description = 'kept';
  conflicts = 0;
  beforeRemoval = undefined;
  deployedAt = 0;
  deploymentMs = 4 * MINUTE;
  steps = [];
  stderr = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
  cloudFront.reset();
  firewall.reset();
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
    if (hasFirewall) expectAccepted(...Object.values(sent));
    const before = config();
    for (const { Id = '', CustomHeaders } of DistributionConfig.Origins.Items)
      for (const { HeaderName, HeaderValue } of CustomHeaders.Items ?? [])
        if (HeaderName === 'X-Origin-Secret') sent[Id] = HeaderValue;
    expect(config()).toEqual(DistributionConfig);
    expect(config()).not.toEqual(before);
    if (hasFirewall) expectAccepted(...Object.values(sent));
    deployedAt = Date.now() + deploymentMs;
    steps.push('update');
    return {};
  });
  firewall.on(GetRegexPatternSetCommand).callsFake(async () => ({
    LockToken: accepted.join(),
    RegexPatternSet: {
      Description: description,
      RegularExpressionList: accepted.map((RegexString) => ({ RegexString })),
    },
  }));
  firewall
    .on(UpdateRegexPatternSetCommand)
    .callsFake(async ({ LockToken, RegularExpressionList, Description, ...set }) => {
      expect(set).toEqual({ Name: 'values', Id: 'id', Scope: 'REGIONAL' });
      if (conflicts > 0) {
        conflicts -= 1;
        throw new WAFOptimisticLockException({ message: 'changed', $metadata: {} });
      }
      expect(LockToken).toBe(accepted.join());
      if (RegularExpressionList.length < accepted.length) expectCallsEnded();
      accepted = RegularExpressionList.map(({ RegexString }: { RegexString: string }) => RegexString);
      acceptedFrom = Date.now() + 2 * MINUTE;
      // An update replaces all of the set.
      description = Description;
      steps.push(`accept ${accepted.length}`);
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
    steps.push('create');
    return {};
  });
  secrets.on(UpdateSecretVersionStageCommand).callsFake(async ({ VersionStage, RemoveFromVersionId }) => {
    beforeRemoval?.();
    expect([VersionStage, RemoveFromVersionId]).toEqual(['AWSPREVIOUS', versionAt('AWSPREVIOUS')]);
    expectCallsEnded();
    delete stages[RemoveFromVersionId];
    steps.push('remove');
    return {};
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Every host of the firewall accepts these values. */
function expectAccepted(...values: string[]) {
  expect(accepted).toEqual(expect.arrayContaining(values.map((value) => `^${value}$`)));
  expect(Date.now()).toBeGreaterThanOrEqual(acceptedFrom);
}

/** No call is under way that the distribution sent before the deployment ended; it waits a minute for an answer. */
function expectCallsEnded() {
  // A slow upload to the ingest takes two minutes, and the function that creates the request half a minute.
  expect(Date.now()).toBeGreaterThanOrEqual(deployedAt + 3 * MINUTE);
}

let hasFirewall = false;
beforeEach(() => {
  hasFirewall = false;
});

async function rotate(): Promise<{ answer?: Record<string, unknown>; failure?: string }> {
  const operator = {
    clients: {} as Operator['clients'],
    now: () => new Date(),
    output: (name: string) => name,
    outputIfAny: () =>
      hasFirewall ? 'arn:aws:wafv2:eu-north-1:1:regional/regexpatternset/values/id' : undefined,
    localFolder: undefined,
  } as Pick<Operator, 'clients' | 'now' | 'output' | 'outputIfAny' | 'localFolder'> as Operator;
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
  it('a rotation creates a value, updates every origin, waits for the deployment, and only then removes the old value', async () => {
    const { answer } = await rotate();
    expect(steps).toEqual(['create', 'update', 'remove']);
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
    expect(JSON.stringify(answer) + stderr).not.toContain(value);
  });

  it('a rotation updates the distribution only after every function may read the secret again', async () => {
    let createdAt = 0;
    let updatedAt = 0;
    const push = steps.push.bind(steps);
    steps.push = (step) => {
      if (step === 'create') createdAt = Date.now();
      if (step === 'update') updatedAt = Date.now();
      return push(step);
    };
    await rotate();
    expect(updatedAt - createdAt).toBeGreaterThanOrEqual(5 * SECOND);
  });

  it('a rotation creates no value while another change of the distribution is deploying', async () => {
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
      'was created but not sent',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        sent = { api: 'older', ingest: 'older' };
      },
      ['update', 'remove'],
    ],
    [
      'was sent by one of two origins',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        sent = { api: 'old', ingest: 'older' };
      },
      ['update', 'remove'],
    ],
    [
      'is being deployed',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
        deployedAt = Date.now() + MINUTE;
      },
      ['remove'],
    ],
    [
      'is deployed while the previous one still exists',
      () => {
        stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
      },
      ['remove'],
    ],
  ])(
    'a rotation finishes an earlier one whose value %s, and creates no newer value',
    async (_, arrange, expected) => {
      arrange();
      expect((await rotate()).answer).toMatchObject({ resumed: true });
      expect(steps).toEqual(expected);
      expect(sent).toEqual({ api: 'old', ingest: 'old' });
      expect(stages).toEqual({ v1: ['AWSCURRENT'] });
      expect(stderr).toContain('Finishing an earlier rotation');
    },
  );

  it('a rotation does not stop at a stale read of the secret', async () => {
    let readings = 0;
    const before = structuredClone(stages);
    secrets.on(DescribeSecretCommand).callsFake(async () => {
      if (steps.includes('create')) readings += 1;
      return { VersionIdsToStages: readings > 0 && readings < 4 ? before : structuredClone(stages) };
    });
    expect((await rotate()).answer).toMatchObject({ resumed: false });
    expect(steps).toEqual(['create', 'update', 'remove']);
  });

  it('a rotation that meets the next one waits for the calls with the value that this one replaces, too', async () => {
    stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
    beforeRemoval = () => {
      beforeRemoval = undefined;
      stages = { v1: ['AWSPREVIOUS'], v2: ['AWSCURRENT'] };
      values.v2 = 'next';
      throw new InvalidParameterException({ message: 'removed already', $metadata: {} });
    };
    expect(await rotate()).toMatchObject({ answer: { resumed: true } });
    expect(steps).toEqual(['update', 'remove']);
    expect(sent).toEqual({ api: 'next', ingest: 'next' });
  });

  it('a rotation reports a time-out with what to do next, and finishes on the next run', async () => {
    deploymentMs = 3 * 60 * MINUTE;
    const startedAt = Date.now();
    const { failure } = await rotate();
    expect(Date.now() - startedAt).toBeLessThan(36 * MINUTE);
    expect(failure).toBe(
      'The distribution DistributionId is still not deployed everywhere after 35 minutes. The rotation is not finished. Calls still work: the service accepts the old value and the new one. Run "origin-secret rotate" again to resume it.',
    );
    expect(stderr.match(/Waiting for the distribution/g)?.length).toBeGreaterThan(30);
    expect(steps).toEqual(['create', 'update']);
    deployedAt = Date.now();
    expect((await rotate()).answer).toMatchObject({ resumed: true });
    expect(steps).toEqual(['create', 'update', 'remove']);
  });

  describe('with a firewall', () => {
    beforeEach(() => {
      hasFirewall = true;
    });

    it('the firewall accepts the new value everywhere before the distribution sends it, and refuses the old one at the end', async () => {
      const before = Date.now();
      const { answer } = await rotate();
      expect(steps).toEqual(['create', 'accept 2', 'update', 'accept 1', 'remove']);
      expect(accepted).toEqual([`^${values[versionAt('AWSCURRENT')]}$`]);
      const refusedFrom = Date.parse(String(answer?.old_value_refused_from));
      expect(refusedFrom).toBeGreaterThanOrEqual(acceptedFrom);
      expect(refusedFrom - before).toBeLessThan(15 * MINUTE);
    });

    it('a rotation keeps the description of the values that pass the firewall', async () => {
      await rotate();
      expect(description).toBe('kept');
    });

    it('a rotation resumed after the firewall was changed waits again before it updates the distribution', async () => {
      stages = { v0: ['AWSPREVIOUS'], v1: ['AWSCURRENT'] };
      sent = { api: 'older', ingest: 'older' };
      accepted = ['^old$', '^older$'];
      acceptedFrom = Date.now() + 2 * MINUTE;
      expect((await rotate()).answer).toMatchObject({ resumed: true });
      expect(steps).toEqual(['update', 'accept 1', 'remove']);
    });

    it('a rotation reads everything again after somebody else changed the firewall', async () => {
      conflicts = 1;
      await rotate();
      expect(steps).toEqual(['create', 'accept 2', 'update', 'accept 1', 'remove']);
      expect(stderr).toContain('Somebody else changed the firewall');
    });
  });

  it('a rotation changes nothing if the distribution does not send the header', async () => {
    sent = {};
    expect(await rotate()).toEqual({ failure: 'The distribution DistributionId sends no x-origin-secret.' });
    expect(steps).toEqual([]);
  });
});
