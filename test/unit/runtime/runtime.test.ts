import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { optionalSetting, setting } from '../../../shared/runtime/config.ts';
import { addLogFields, errorFields, log, withLogFields } from '../../../shared/runtime/log.ts';
import { memoize, readSecret } from '../../../shared/runtime/secrets.ts';
import { after, secondsUntil, sleep, utcTime } from '../../../shared/runtime/time.ts';
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
