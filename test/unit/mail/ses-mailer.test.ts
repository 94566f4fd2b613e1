import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { sesMailer } from '../../../shared/mail/ses-mailer.ts';
import { erasedEmail } from '../../../shared/requests/erasing.ts';

const SENDING = { from: 'sign@example.com', configurationSet: 'mails' };
const ses = mockClient(SESClient);
const START = Date.parse('2026-11-21T14:00:00Z');
const MAIL = {
  to: 'anna@example.com',
  senderName: 'Acme',
  brand: undefined,
  content: { subject: 'Subject', text: 'Text', html: '<p>Html</p>' },
  about: { requestId: 'request-1', signerId: 'signer-1', kind: 'invitation' as const },
};

/** A clock that advances by every delay. */
function clock() {
  const state = { now: START, waits: [] as number[] };
  return {
    state,
    timing: {
      now: () => new Date(state.now),
      sleep: async (milliseconds: number) => {
        state.waits.push(milliseconds);
        state.now += milliseconds;
      },
      random: () => 0.5,
    },
  };
}

const named = (name: string, message = 'No.') => Object.assign(new Error(message), { name });
const send = (seconds: number, { timing } = clock()) =>
  sesMailer(new SESClient({}), SENDING, timing)(MAIL, new Date(START + seconds * 1_000));

describe('sesMailer', () => {
  let logged: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    ses.reset();
    logged = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => jest.restoreAllMocks());

  it('a mail is sent as plain text and HTML', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
    expect(await send(10)).toEqual({ sent: true, error: null, messageId: 'm-1' });
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toEqual({
      Source: '"Acme via Signature requests" <sign@example.com>',
      Destination: { ToAddresses: ['anna@example.com'] },
      ConfigurationSetName: 'mails',
      Tags: [
        { Name: 'request', Value: 'request-1' },
        { Name: 'signer', Value: 'signer-1' },
        { Name: 'kind', Value: 'invitation' },
      ],
      Message: {
        Subject: { Data: 'Subject', Charset: 'UTF-8' },
        Body: {
          Text: { Data: 'Text', Charset: 'UTF-8' },
          Html: { Data: '<p>Html</p>', Charset: 'UTF-8' },
        },
      },
    });
  });

  it('nothing is sent to a person who was erased', async () => {
    const mailer = sesMailer(new SESClient({}), SENDING, clock().timing);
    const to = erasedEmail('signer-1');
    const outcome = await mailer({ ...MAIL, to }, new Date(START + 10_000));
    expect([outcome, ses.calls()]).toEqual([{ sent: false, error: 'invalid_address' }, []]);
  });

  it('a brand’s name and reply address are the mail’s', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
    const brand = {
      name: 'Kotilinna',
      replyTo: 'office@example.com',
      accent: null,
      imprintUrl: null,
      privacyUrl: null,
      supportUrl: null,
      timeZone: null,
    };
    const mailer = sesMailer(new SESClient({}), SENDING, clock().timing);
    await mailer({ ...MAIL, brand }, new Date(START + 10_000));
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toMatchObject({
      Source: '"Kotilinna via Signature requests" <sign@example.com>',
      ReplyToAddresses: ['office@example.com'],
    });
  });

  it.each([
    ['MessageRejected', 'Address is on the suppression list', 'rejected'],
    ['MessageRejected', 'Email address is not verified.', 'sender_not_verified'],
    ['InvalidParameterValue', 'Missing final @domain', 'invalid_address'],
    [
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region EU-WEST-1: anna@example.com',
      'sender_not_verified',
    ],
  ])('a final error is not retried: %s (%s) is %s', async (name, message, error) => {
    ses.on(SendEmailCommand).rejects(named(name, message));
    expect(await send(60)).toEqual({ sent: false, error });
    expect(ses.calls()).toHaveLength(1);
  });

  it.each([
    ['AccountSendingPausedException', '', 'sending_paused'],
    ['ConfigurationSetSendingPausedException', '', 'sending_paused'],
    ['MessageRejected', 'Sending paused for this account. Please check the inbox.', 'sending_paused'],
    ['MessageRejected', 'Sending suspended for this account. Please check the inbox.', 'sending_paused'],
    ['Throttling', 'Daily message quota exceeded.', 'quota_exceeded'],
    ['ThrottlingException', 'Daily message quota exceeded.', 'quota_exceeded'],
    ['AccessDenied', '', 'not_permitted'],
    ['MailFromDomainNotVerifiedException', '', 'sender_not_verified'],
    [
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region EU-WEST-1: Acme <sign@example.com>',
      'sender_not_verified',
    ],
  ])(
    'a mail that SES takes from the account again in hours is left to a later run, without a retry: %s (%s)',
    async (name, message, error) => {
      ses.on(SendEmailCommand).rejects(named(name, message));
      expect(await send(60)).toEqual({ sent: false, error, isPostponed: true });
      expect(ses.calls()).toHaveLength(1);
    },
  );

  it.each(['Throttling', 'TooManyRequestsException', 'ServiceUnavailable', 'TimeoutError', 'ECONNRESET'])(
    'a temporary error is retried: %s',
    async (name) => {
      ses.on(SendEmailCommand).rejectsOnce(named(name)).rejectsOnce(named(name)).resolves({ MessageId: 'm' });
      const time = clock();
      expect(await send(10, time)).toMatchObject({ sent: true, error: null });
      expect(time.state.waits).toEqual([150, 300]);
    },
  );

  it('the retry delay doubles up to a maximum', async () => {
    ses.on(SendEmailCommand).rejects(named('Throttling', 'Maximum sending rate exceeded.'));
    const time = clock();
    expect(await send(20, time)).toEqual({ sent: false, error: 'throttled', isPostponed: true });
    expect(time.state.waits).toEqual([150, 300, 600, 1200, 2400, 3000, 3000, 3000, 3000, 3000]);
  });

  it.each([
    ['SES answered with an error of its own', [{ $metadata: { httpStatusCode: 503 } }], true],
    ['SES was never reached', [{ code: 'ECONNREFUSED' }], true],
    ['the answer did not come', [{ name: 'TimeoutError' }], undefined],
    ['the connection broke', [{ code: 'ECONNRESET' }], undefined],
    ['one of the attempts was not answered', [{ name: 'AbortError' }, { code: 'ECONNREFUSED' }], undefined],
  ])('a mail is left to a later run only if SES has not taken it: %s', async (_how, errors, isPostponed) => {
    const [first, last = first] = errors.map((fields) => Object.assign(new Error('No.'), fields));
    if (first) ses.on(SendEmailCommand).rejectsOnce(first).rejects(last);
    const outcome = await send(1, clock());
    expect(ses.calls().length).toBeGreaterThan(1);
    expect(outcome).toEqual({ sent: false, error: 'unavailable', isPostponed });
  });

  it.each([0, 0.2, 1, 5, 20])('a mail is never retried past its deadline: %s s', async (seconds) => {
    ses.on(SendEmailCommand).rejects(named('InternalFailure'));
    const time = clock();
    expect(await send(seconds, time)).toMatchObject({ sent: false, error: 'unavailable' });
    expect(time.state.now).toBeLessThanOrEqual(START + seconds * 1_000);
  });

  it('an attempt that hangs is aborted after five seconds, and at the deadline', async () => {
    const aborted = AbortSignal.abort();
    const limits = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(aborted);
    ses.send.callsFake(async (_command, options?: { abortSignal?: AbortSignal }) => {
      if (options?.abortSignal === aborted) throw named('AbortError');
      return { $metadata: {}, MessageId: 'm-1' };
    });
    expect(await send(5.2)).toEqual({ sent: false, error: 'unavailable' });
    expect(limits.mock.calls.flat()).toEqual([5_000, 5_000, 4_750, 4_150, 2_950, 550]);
  });

  it.each([-1, 0, 0.29])(
    'a mail that could not end in time is not given to SES: %s s left',
    async (seconds) => {
      ses.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
      expect(await send(seconds)).toEqual({ sent: false, error: 'unavailable', isPostponed: true });
      expect(ses.calls()).toHaveLength(0);
      expect(logged.mock.calls.flat().join('')).toContain('"mail_error":"unavailable"');
    },
  );

  it('a retry whose pause took too long is not given to SES', async () => {
    ses.on(SendEmailCommand).rejectsOnce(named('Throttling')).resolves({ MessageId: 'm-1' });
    const { state, timing } = clock();
    const sleep = async () => {
      state.now += 5_000;
    };
    expect(await send(5, { state, timing: { ...timing, sleep } })).toEqual({
      sent: false,
      error: 'throttled',
      isPostponed: true,
    });
    expect(ses.calls()).toHaveLength(1);
  });

  it.each([
    ['AccountSendingPausedException', 'No.'],
    ['MailFromDomainNotVerifiedException', 'No.'],
    ['Throttling', 'Daily message quota exceeded.'],
    ['AccessDenied', 'No.'],
    ['MessageRejected', 'Sending paused for this account.'],
  ])('a mail that fails with %s (%s) is counted once as a failure of the account', async (name, message) => {
    ses.on(SendEmailCommand).rejects(named(name, message));
    await send(10);
    expect(JSON.stringify(logged.mock.calls).split('\\"MailFailures\\":1')).toHaveLength(2);
  });

  it.each([
    ['MessageRejected', 'Address blacklisted.'],
    ['InvalidParameterValue', 'No.'],
  ])('a mail that fails with %s (%s) is no failure of the account', async (name, message) => {
    ses.on(SendEmailCommand).rejects(named(name, message));
    await send(10);
    expect(JSON.stringify(logged.mock.calls)).not.toContain('MailFailures');
  });

  it('a mail that SES takes in the end is no failure', async () => {
    ses.on(SendEmailCommand).rejectsOnce(named('Throttling')).resolves({ MessageId: 'm-1' });
    await send(10);
    expect(JSON.stringify(logged.mock.calls)).not.toContain('MailFailures');
  });

  it('the log contains neither the address nor the content of a mail', async () => {
    ses.on(SendEmailCommand).rejects(named('MessageRejected', 'anna@example.com is bad'));
    await send(1);
    const lines = logged.mock.calls.flat().join('');
    expect(lines).toContain('"mail_error":"rejected"');
    expect(lines).not.toMatch(/anna|Subject|Text/);
  });
});
