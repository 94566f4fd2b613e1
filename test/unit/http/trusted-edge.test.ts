import { jest } from '@jest/globals';
import type { HttpEvent } from '../../../shared/http/call.ts';
import type { SecretStage } from '../../../shared/runtime/secrets.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';

/** What the secret holds; an error stands for Secrets Manager out of order. */
let secret: { AWSCURRENT: string; AWSPREVIOUS?: string } | Error;
let reads = 0;

jest.unstable_mockModule('../../../shared/runtime/secrets.ts', () => ({
  readSecret: async (_arn: string, stage: SecretStage) => {
    reads += 1;
    if (secret instanceof Error) throw secret;
    const value = secret[stage];
    if (value === undefined)
      throw Object.assign(new Error('There is no such stage.'), { name: 'ResourceNotFoundException' });
    return value;
  },
}));

type Call = (value?: string) => Promise<'accepted' | 'forbidden' | 'failed'>;

/** A function of its own, as cold as one that has just been started. */
async function newFunction(): Promise<Call> {
  jest.resetModules();
  const { assertThroughEdge } = await import('../../../shared/http/trusted-edge.ts');
  return async (value) => {
    const headers = value === undefined ? {} : { 'x-origin-secret': value };
    try {
      await assertThroughEdge({ headers } as HttpEvent);
      return 'accepted';
    } catch (error) {
      return (error as { code?: string }).code === 'forbidden' ? 'forbidden' : 'failed';
    }
  };
}

let call: Call;
const pass = (time: number) => jest.setSystemTime(Date.now() + time);

beforeEach(async () => {
  jest.useFakeTimers({ now: Date.parse('2026-01-01') });
  process.env.ORIGIN_SECRET_ARN = 'arn';
  secret = { AWSCURRENT: 'old' };
  reads = 0;
  call = await newFunction();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the distribution’s value', () => {
  it('is accepted, and another or none refused', async () => {
    expect(await call('old')).toBe('accepted');
    expect(await call('guess')).toBe('forbidden');
    expect(await call('')).toBe('forbidden');
    expect(await call()).toBe('forbidden');
  });

  it('is read once, for as long as it is believed', async () => {
    for (let minute = 0; minute < 60; minute += 1) {
      expect(await call('old')).toBe('accepted');
      pass(MINUTE);
    }
    expect(reads).toBe(1);
  });

  it('is not read for a call that brings none', async () => {
    await call();
    expect(reads).toBe(0);
  });

  it('is read by the next call again where it could not be read', async () => {
    secret = new Error('out of order');
    expect(await call('old')).toBe('failed');
    secret = { AWSCURRENT: 'old' };
    expect(await call('old')).toBe('accepted');
  });
});

describe('while it is rotated', () => {
  const rotate = () => {
    secret = { AWSCURRENT: 'new', AWSPREVIOUS: 'old' };
  };

  it.each(['warm', 'cold'])(
    'both values are accepted by a %s function, whichever comes first',
    async (kind) => {
      for (const order of [
        ['old', 'new'],
        ['new', 'old'],
      ]) {
        secret = { AWSCURRENT: 'old' };
        call = await newFunction();
        if (kind === 'warm') expect(await call('old')).toBe('accepted');
        rotate();
        for (const value of order) expect([value, await call(value)]).toEqual([value, 'accepted']);
      }
    },
  );

  it('strangers make nobody look more than once in five seconds', async () => {
    await call('old');
    reads = 0;
    for (let second = 0; second <= 60; second += 1) {
      expect(await call(`guess ${second}`)).toBe('forbidden');
      pass(SECOND);
    }
    expect(reads).toBeLessThanOrEqual(2 * 12);
  });

  it('a stranger’s guess just before hides the new value for five seconds and no longer', async () => {
    await call('guess');
    rotate();
    expect(await call('new')).toBe('forbidden');
    pass(5 * SECOND + 1);
    expect(await call('new')).toBe('accepted');
  });

  it('reading again in its middle keeps the value that the distribution still sends', async () => {
    await call('old');
    rotate();
    pass(HOUR + 1);
    await call('guess');
    expect(await call('old')).toBe('accepted');
  });
});

describe('after it was rotated', () => {
  beforeEach(async () => {
    secret = { AWSCURRENT: 'new', AWSPREVIOUS: 'old' };
    await call('old');
    await call('new');
    secret = { AWSCURRENT: 'new' };
  });

  it('the old value is refused by a new function at once, and by a warm one within the hour', async () => {
    expect(await (await newFunction())('old')).toBe('forbidden');
    expect(await call('old')).toBe('accepted');
    pass(HOUR + 1);
    expect(await call('old')).toBe('forbidden');
    expect(await call('new')).toBe('accepted');
  });

  it('it is so however busy the function is with the new one', async () => {
    for (let minute = 0; minute <= 60; minute += 1) {
      expect(await call('new')).toBe('accepted');
      pass(MINUTE);
    }
    expect(await call('old')).toBe('forbidden');
  });

  it('what is known is accepted on while Secrets Manager is out of order, and not asked for at each call', async () => {
    pass(HOUR + 1);
    secret = new Error('out of order');
    reads = 0;
    for (let count = 0; count < 100; count += 1) expect(await call('new')).toBe('accepted');
    expect(reads).toBe(2);
    secret = { AWSCURRENT: 'new' };
    pass(5 * SECOND + 1);
    expect(await call('old')).toBe('forbidden');
  });
});
