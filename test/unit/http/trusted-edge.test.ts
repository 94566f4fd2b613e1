import { type GetSecretValueCommandInput, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { HttpEvent } from '../../../shared/http/call.ts';
import { OriginSecret, visitorOf } from '../../../shared/http/trusted-edge.ts';
import type { SecretStage } from '../../../shared/runtime/secrets.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { httpEvent } from '../../support/http-call.ts';

/** The stored secret; Secrets Manager may also refuse to tell it, or hang. */
let secret: { [Stage in SecretStage]?: string | Error } | Error | 'hangs';
let reads = 0;

mockClient(SecretsManagerClient).send.callsFake(async ({ input }, options?: { abortSignal: AbortSignal }) => {
  reads += 1;
  if (secret === 'hangs')
    return new Promise<never>((_, failed) => {
      if (options?.abortSignal.aborted) failed(options.abortSignal.reason);
    });
  if (secret instanceof Error) throw secret;
  const SecretString = secret[(input as GetSecretValueCommandInput).VersionStage as SecretStage];
  if (SecretString instanceof Error) throw SecretString;
  if (SecretString === undefined)
    throw Object.assign(new Error('There is no such stage.'), { name: 'ResourceNotFoundException' });
  return { $metadata: {}, SecretString };
});

type Call = (value?: string) => Promise<'accepted' | 'forbidden' | 'failed'>;

/** Returns a cold function. */
function newFunction(): Call {
  const origin = new OriginSecret();
  return async (value) => {
    const headers = value === undefined ? {} : { 'x-origin-secret': value };
    try {
      await origin.assertThroughEdge({ headers } as HttpEvent);
      return 'accepted';
    } catch (error) {
      return (error as { code?: string }).code === 'forbidden' ? 'forbidden' : 'failed';
    }
  };
}

let call: Call;
const advance = (time: number) => jest.setSystemTime(Date.now() + time);

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-01-01') });
  process.env.ORIGIN_SECRET_ARN = 'arn';
  secret = { AWSCURRENT: 'old' };
  reads = 0;
  call = newFunction();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the origin secret', () => {
  it('a call with the origin secret is accepted, with another value or none refused', async () => {
    expect(await call('old')).toBe('accepted');
    expect(await call('guess')).toBe('forbidden');
    expect(await call('')).toBe('forbidden');
    expect(await call()).toBe('forbidden');
  });

  it('the origin secret is cached for an hour', async () => {
    for (let minute = 0; minute < 60; minute += 1) {
      expect(await call('old')).toBe('accepted');
      advance(MINUTE);
    }
    expect(reads).toBe(1);
  });

  it('a call without an origin secret reads nothing', async () => {
    await call();
    expect(reads).toBe(0);
  });

  it('a value that cannot be compared is a failure, and no refusal', async () => {
    secret = {};
    expect(await call('old')).toBe('failed');
    secret = { AWSCURRENT: 'old' };
    await call('old');
    secret = new Error('outage');
    expect(await call('guess')).toBe('failed');
  });

  it('a failed read of the origin secret is retried by the next call', async () => {
    secret = new Error('outage');
    expect(await call('old')).toBe('failed');
    secret = { AWSCURRENT: 'old' };
    expect(await call('old')).toBe('accepted');
  });
});

describe('during a rotation', () => {
  const rotate = () => {
    secret = { AWSCURRENT: 'new', AWSPREVIOUS: 'old' };
  };

  it.each(['warm', 'cold'])(
    'a %s function accepts both values during a rotation, in either order',
    async (kind) => {
      for (const order of [
        ['old', 'new'],
        ['new', 'old'],
      ]) {
        secret = { AWSCURRENT: 'old' };
        call = newFunction();
        if (kind === 'warm') expect(await call('old')).toBe('accepted');
        rotate();
        for (const value of order) expect([value, await call(value)]).toEqual([value, 'accepted']);
      }
    },
  );

  it('unauthenticated calls cause at most one re-read in five seconds', async () => {
    await call('old');
    reads = 0;
    for (let second = 0; second <= 60; second += 1) {
      expect(await call(`guess ${second}`)).toBe('forbidden');
      advance(SECOND);
    }
    expect(reads).toBeLessThanOrEqual(2 * 12);
  });

  it('a wrong value just before a rotation delays the new value by at most five seconds', async () => {
    await call('guess');
    rotate();
    expect(await call('new')).toBe('forbidden');
    advance(5 * SECOND + 1);
    expect(await call('new')).toBe('accepted');
  });

  it('a re-read during a rotation still accepts the old value', async () => {
    await call('old');
    rotate();
    advance(HOUR + 1);
    await call('guess');
    expect(await call('old')).toBe('accepted');
  });
});

describe('after a rotation', () => {
  beforeEach(async () => {
    secret = { AWSCURRENT: 'new', AWSPREVIOUS: 'old' };
    await call('old');
    await call('new');
    secret = { AWSCURRENT: 'new' };
  });

  it('after a rotation a cold function refuses the old value at once, a warm one within an hour', async () => {
    expect(await newFunction()('old')).toBe('forbidden');
    expect(await call('old')).toBe('accepted');
    advance(HOUR + 1);
    expect(await call('old')).toBe('forbidden');
    expect(await call('new')).toBe('accepted');
  });

  it('a function that is busy with the new value refuses the old one after an hour', async () => {
    for (let minute = 0; minute <= 60; minute += 1) {
      expect(await call('new')).toBe('accepted');
      advance(MINUTE);
    }
    expect(await call('old')).toBe('forbidden');
  });

  it('an outage of Secrets Manager keeps the cached value valid, without a re-read for each call', async () => {
    advance(HOUR + 1);
    secret = new Error('outage');
    reads = 0;
    for (let count = 0; count < 100; count += 1) expect(await call('new')).toBe('accepted');
    expect(reads).toBe(2);
    secret = { AWSCURRENT: 'new' };
    advance(MINUTE + 1);
    expect(await call('old')).toBe('forbidden');
  });

  it('an outage for the value before leaves that valid too', async () => {
    advance(HOUR + 1);
    secret = { AWSCURRENT: 'newer', AWSPREVIOUS: new Error('outage') };
    expect(await call('new')).toBe('accepted');
  });

  it('a Secrets Manager that hangs keeps the cached value valid, and delays one call a minute', async () => {
    const limit = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation(() => AbortSignal.abort(new DOMException('The time is over.', 'TimeoutError')));
    advance(HOUR + 1);
    secret = 'hangs';
    reads = 0;
    for (let count = 0; count < 5; count += 1) {
      expect(await call('new')).toBe('accepted');
      advance(10 * SECOND);
    }
    expect(reads).toBe(2);
    expect(limit.mock.calls).toEqual([[2 * SECOND]]);
    limit.mockRestore();
  });

  it('a failed re-read delays the next value by at most five seconds', async () => {
    advance(HOUR + 1);
    secret = new Error('outage');
    expect(await call('new')).toBe('accepted');
    secret = { AWSCURRENT: 'newer', AWSPREVIOUS: 'new' };
    advance(5 * SECOND + 1);
    expect(await call('newer')).toBe('accepted');
  });
});

describe('the visitor', () => {
  const agentOf = (agent: string) => visitorOf(httpEvent({ headers: { 'User-Agent': agent } })).userAgent;

  it('the first 256 characters of a user agent are kept, without one that is cut in half', () => {
    expect(agentOf('a'.repeat(256))).toBe('a'.repeat(256));
    expect(agentOf('a'.repeat(257))).toBe('a'.repeat(256));
    expect(agentOf(`${'a'.repeat(255)}👍`)).toBe('a'.repeat(255));
  });
});
