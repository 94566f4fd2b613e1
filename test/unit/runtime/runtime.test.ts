import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { optionalSetting, setting } from '../../../shared/runtime/config.ts';
import { isUrl } from '../../../shared/runtime/is-url.ts';
import { addLogFields, errorFields, log, withLogFields } from '../../../shared/runtime/log.ts';
import { present } from '../../../shared/runtime/present.ts';
import { memoize, parseSecret, readSecret, readSecretVersion } from '../../../shared/runtime/secrets.ts';
import { after, epochSeconds, secondsUntil, sleep, utcTime } from '../../../shared/runtime/time.ts';
import { captureLog } from '../../support/captured-log.ts';
import { NOON } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('settings', () => {
  afterEach(() => {
    delete process.env.A_SETTING;
  });

  it('a required setting that is missing or empty fails with its name', () => {
    expect(() => setting('A_SETTING')).toThrow('A_SETTING');
    process.env.A_SETTING = '';
    expect(() => setting('A_SETTING')).toThrow('A_SETTING');
    process.env.A_SETTING = 'x';
    expect(setting('A_SETTING')).toBe('x');
  });

  it('an optional setting that is empty counts as missing', () => {
    expect(optionalSetting('A_SETTING')).toBeUndefined();
    process.env.A_SETTING = '';
    expect(optionalSetting('A_SETTING')).toBeUndefined();
    process.env.A_SETTING = 'x';
    expect(optionalSetting('A_SETTING')).toBe('x');
  });
});

describe('secrets', () => {
  const secrets = mockClient(SecretsManagerClient);
  beforeEach(() => secrets.reset());

  it('the current version of a secret is read unless another is asked for', async () => {
    secrets
      .on(GetSecretValueCommand, { SecretId: 'arn', VersionStage: 'AWSCURRENT' })
      .resolves({ SecretString: 'new' })
      .on(GetSecretValueCommand, { SecretId: 'arn', VersionStage: 'AWSPREVIOUS' })
      .resolves({ SecretString: 'old' });
    expect(await readSecret('arn')).toBe('new');
    expect(await readSecret('arn', 'AWSPREVIOUS')).toBe('old');
  });

  it('an empty secret is an error', async () => {
    secrets.on(GetSecretValueCommand).resolves({});
    await expect(readSecret('arn')).rejects.toThrow('arn');
  });

  it('a read ends with the signal that it is given', async () => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: 'new' });
    const { signal: abortSignal } = new AbortController();
    await readSecret('arn', 'AWSCURRENT', { abortSignal });
    expect(secrets.call(0).args).toEqual([expect.any(GetSecretValueCommand), { abortSignal }]);
  });

  it('a version is read with its time, if there is one at its stage', async () => {
    const CreatedDate = NOON;
    const missing = Object.assign(new Error('none'), { name: 'ResourceNotFoundException' });
    secrets
      .on(GetSecretValueCommand, { SecretId: 'arn', VersionStage: 'AWSCURRENT' })
      .resolves({ SecretString: 'new', CreatedDate })
      .on(GetSecretValueCommand, { SecretId: 'arn', VersionStage: 'AWSPREVIOUS' })
      .rejects(missing);
    expect(await readSecretVersion('arn', 'AWSCURRENT')).toEqual({ text: 'new', storedAt: NOON });
    expect(await readSecretVersion('arn', 'AWSPREVIOUS')).toBeUndefined();
    secrets.on(GetSecretValueCommand).resolves({ CreatedDate });
    expect(await readSecretVersion('arn', 'AWSCURRENT')).toBeUndefined();
    secrets.on(GetSecretValueCommand).rejects(new Error('throttled'));
    await expect(readSecretVersion('arn', 'AWSCURRENT')).rejects.toThrow('throttled');
  });

  it('the members of a secret are read, and one that is no JSON is not quoted', () => {
    expect(parseSecret<{ root: string }>('{"root":"x"}')).toEqual({ root: 'x' });
    expect(() => parseSecret('{"root": hush}')).toThrow(/^A secret is not valid JSON\.$/);
  });

  it('a memoized read runs once, even for concurrent calls, and again after a failure', async () => {
    let reads = 0;
    const read = memoize(async () => {
      reads += 1;
      if (reads === 1) throw new Error('down');
      return reads;
    });
    await expect(Promise.all([read(), read()])).rejects.toThrow('down');
    expect(await Promise.all([read(), read()])).toEqual([2, 2]);
    expect(await read()).toBe(2);
  });
});

describe('the log', () => {
  it('a line is one JSON object with level, time, message and fields', () => {
    virtualTime(NOON);
    const lines = captureLog();
    log.info('Hello', { a: 1 });
    log.warn('Careful');
    log.error('Broken', { b: 2 });
    const time = NOON.toISOString();
    expect(lines).toEqual([
      { level: 'info', time, message: 'Hello', a: 1 },
      { level: 'warn', time, message: 'Careful' },
      { level: 'error', time, message: 'Broken', b: 2 },
    ]);
  });

  it('fields of the current call are on all of its lines, nested ones included', async () => {
    const lines = captureLog();
    await withLogFields({ call: 1 }, async () => {
      addLogFields({ owner: 'o' });
      await Promise.resolve();
      log.info('outer');
      withLogFields({ message_id: 'm' }, () => log.info('inner', { owner: 'its own' }));
    });
    addLogFields({ lost: true });
    log.info('outside');
    expect(lines).toMatchObject([
      { call: 1, owner: 'o' },
      { call: 1, owner: 'its own', message_id: 'm' },
      { message: 'outside' },
    ]);
    expect(lines[0]).not.toHaveProperty('message_id');
    expect(lines[2]).not.toHaveProperty('call');
    expect(lines[2]).not.toHaveProperty('lost');
  });

  it('an error is logged by name, message and stack, without its other members', () => {
    const error = Object.assign(new TypeError('bad'), { secret: 's' });
    expect(errorFields(error)).toEqual({ error_name: 'TypeError', error_message: 'bad', stack: error.stack });
    expect(errorFields('text')).toEqual({ error_message: 'text' });
  });
});

describe('times', () => {
  it('a time is moved by milliseconds, from a date or text', () => {
    expect(after(NOON, 1)).toBe('2026-11-21T12:00:00.001Z');
    expect(after('2026-11-21T14:00:00+02:00', -1)).toBe('2026-11-21T11:59:59.999Z');
  });

  it.each([
    ['2026-11-21T12:00:10.000Z', 10],
    ['2026-11-21T12:00:10.001Z', 11],
    ['2026-11-21T12:00:00.000Z', 1],
    ['2026-11-21T11:00:00.000Z', 1],
  ])('the seconds until %s are rounded up, and at least one', (time, seconds) => {
    expect(secondsUntil(time, NOON)).toBe(seconds);
  });

  it('a time to live is in whole seconds, and not shorter', () => {
    expect(epochSeconds('1970-01-01T00:01:00.001Z')).toBe(61);
    expect(epochSeconds(new Date(60_000))).toBe(60);
  });

  it('sleep ends after its time', async () => {
    virtualTime(NOON);
    let awake = false;
    void sleep(50).then(() => {
      awake = true;
    });
    await jest.advanceTimersByTimeAsync(49);
    expect(awake).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(awake).toBe(true);
  });

  it('the parts of a time are in UTC', () => {
    expect(utcTime('2026-01-02T05:04:09+02:00')).toEqual({
      year: 2026,
      month: 0,
      day: 2,
      hour: '03',
      minute: '04',
      second: '09',
    });
  });
});

it('A value that must be there is named if it is not', () => {
  expect([present(0, 'number'), present('', 'text')]).toEqual([0, '']);
  for (const missing of [null, undefined]) expect(() => present(missing, 'end')).toThrow('end is not set.');
});

it.each([
  ['https://a.example/b', true],
  ['mailto:a@b.example', true],
  ['a.example', false],
  ['', false],
])('%j is a URL: %s', (text, is) => expect(isUrl(text)).toBe(is));
