import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import type { Answer } from '../../support/service.ts';
import { first, type Invited, type Sent, SigningStage, wrongCode } from '../../support/signing-stage.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

async function invited(): Promise<{ request: Sent; person: Invited; code: string }> {
  const request = await stage.send();
  const person = first(request.signers);
  return { request, person, code: stage.service.code(person.email) };
}

const now = () => stage.service.cloud.clock.now();
const retryAfter = ({ headers }: Answer<unknown>) => Number(headers.get('retry-after'));
const secondsTo = (stamp: string) => (Date.parse(stamp) - now()) / SECOND;
/** Calls take a while, on a busy machine a long while. */
const SLACK = 20;
const expectAbout = (seconds: number, expected: number) => {
  expect(seconds).toBeGreaterThan(expected - SLACK);
  expect(seconds).toBeLessThanOrEqual(expected + 1);
};

describe('a wrong code', () => {
  it('says how many tries are left, and the fifth locks the link for fifteen minutes', async () => {
    const { request, person, code } = await invited();
    const signer = stage.linkOf(person);
    for (const left of [4, 3, 2, 1]) {
      const { status, body } = await signer.verify(wrongCode(code));
      expect([status, body.error, body.attempts_left]).toEqual([401, 'wrong_code', left]);
      expect((await signer.open()).body).toMatchObject({ attempts_left: left, locked_until: null });
    }
    const fifth = await signer.verify(wrongCode(code));
    expect([fifth.status, fifth.body.error]).toEqual([429, 'locked']);
    expectAbout(retryAfter(fifth), 900);
    expectAbout(secondsTo(fifth.body.locked_until), 900);

    for (const refused of [await signer.verify(code), await signer.sendCode()]) {
      expect([refused.status, refused.body.error]).toEqual([429, 'locked']);
      expect(refused.body.locked_until).toBe(fifth.body.locked_until);
      expectAbout(retryAfter(refused), 900);
    }
    expect((await signer.open()).body).toMatchObject({
      attempts_left: 0,
      locked_until: fifth.body.locked_until,
    });
    expect(await stage.trail(request.id, 'code_wrong')).toHaveLength(5);
    expect(await stage.trail(request.id, 'link_locked')).toHaveLength(1);

    stage.service.advance(15 * MINUTE);
    expect((await signer.open()).body).toMatchObject({ locked_until: null, code_expires_at: null });
    expect((await signer.verify(code)).body.error).toBe('code_expired');
    expect((await signer.sendCode()).status).toBe(200);
    expect((await signer.open()).body).toMatchObject({ attempts_left: 5, locked_until: null });
    expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
  });

  it('of 200 at once uses up five tries and no more, and the right one does not open after them', async () => {
    const { request, person, code } = await invited();
    /** The gateway lets so many through at once; the others come again. */
    const guess = async (number: number): Promise<string> => {
      for (;;) {
        const { body } = await stage.linkOf(person).verify(wrongCode(code, number));
        if (body.error !== 'too_many_requests') return `${body.error} ${body.attempts_left ?? ''}`.trim();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => guess(number)));
    const counted = answers.filter((answer) => answer !== 'locked').sort();
    expect(counted).toEqual(['wrong_code 1', 'wrong_code 2', 'wrong_code 3', 'wrong_code 4']);
    const right = await stage.linkOf(person).verify(code);
    expect([right.status, right.body.error]).toEqual([429, 'locked']);
    expect(right.headers.getSetCookie()).toEqual([]);
    expect(await stage.trail(request.id, 'code_wrong')).toHaveLength(5);
    expect(await stage.trail(request.id, 'link_locked')).toHaveLength(1);
  }, 120_000);

  it('that is no six digits costs no try', async () => {
    const { person } = await invited();
    const signer = stage.linkOf(person);
    for (const code of ['12345', '1234567', 'abcdef', ' 123456', '١٢٣٤٥٦', '', 123_456, null, ['123456']]) {
      const { status, body } = await signer.call('POST', '/verify', { code });
      expect([code, status, body.error]).toEqual([code, 400, 'invalid_code_format']);
    }
    expect((await signer.call('POST', '/verify', {})).body.error).toBe('invalid_code_format');
    expect((await signer.open()).body.attempts_left).toBe(5);
  });
});

describe('the right code', () => {
  it('opens once, for ten minutes, and only with its own link', async () => {
    const { request, person, code } = await invited();
    const signer = stage.linkOf(person);
    const stranger = await invited();
    if (stranger.code !== code)
      expect((await stage.linkOf(stranger.person).verify(code)).body.error).toBe('wrong_code');
    expect((await signer.verify(code)).status).toBe(200);
    expect(await stage.trail(request.id, 'code_verified')).toHaveLength(1);
    const again = await signer.verify(code);
    expect([again.status, again.body.error]).toEqual([410, 'code_expired']);

    const late = await invited();
    expectAbout(secondsTo((await stage.linkOf(late.person).open()).body.code_expires_at), 600);
    stage.service.advance(10 * MINUTE);
    const expired = await stage.linkOf(late.person).verify(late.code);
    expect([expired.status, expired.body.error]).toEqual([410, 'code_expired']);
    expect((await stage.linkOf(late.person).open()).body).toMatchObject({
      code_expires_at: null,
      attempts_left: 5,
    });
  });

  it('of two callers at once opens for one', async () => {
    const { person, code } = await invited();
    const answers = await Promise.all(Array.from({ length: 5 }, () => stage.linkOf(person).verify(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error]).toEqual([410, 'code_expired']);
  });
});

describe('a code that the signer asks for', () => {
  it('replaces the one before, brings back all five tries, and comes at most every thirty seconds', async () => {
    const { request, person, code: invitation } = await invited();
    const signer = stage.linkOf(person);
    await signer.verify(wrongCode(invitation));
    const { status, body } = await signer.sendCode();
    expect([status, Object.keys(body).sort()]).toEqual([200, ['code_expires_at', 'next_code_at', 'sent']]);
    expectAbout(secondsTo(body.code_expires_at), 600);
    expectAbout(secondsTo(body.next_code_at), 30);
    const tooSoon = await signer.sendCode();
    expect([tooSoon.status, tooSoon.body.error]).toEqual([429, 'too_many_codes']);
    expectAbout(retryAfter(tooSoon), 30);
    expect((await signer.open()).body.attempts_left).toBe(5);

    const fresh = stage.service.code(person.email);
    if (fresh !== invitation)
      expect((await signer.verify(invitation)).body).toMatchObject({ error: 'wrong_code', attempts_left: 4 });
    expect((await signer.verify(fresh)).status).toBe(200);
    expect(await stage.trail(request.id, 'code_sent')).toHaveLength(1);
  });

  const askFiveTimes = async (signer: ReturnType<SigningStage['linkOf']>) => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await signer.sendCode()).status).toBe(200);
      stage.service.advance(31 * SECOND);
    }
    return signer.sendCode();
  };

  it('comes five times in fifteen minutes, the invitation’s not counted', async () => {
    const signer = stage.linkOf((await invited()).person);
    const sixth = await askFiveTimes(signer);
    expect([sixth.status, sixth.body.error]).toEqual([429, 'too_many_codes']);
    expectAbout(retryAfter(sixth), 15 * 60 - 5 * 31);
    stage.service.advance(retryAfter(sixth) * SECOND);
    expect((await signer.sendCode()).status).toBe(200);
  });

  it('can be asked for again after the sender’s resend, which counts for nothing itself', async () => {
    const { request, person } = await invited();
    const signer = stage.linkOf(person);
    expect((await askFiveTimes(signer)).status).toBe(429);
    expect((await stage.resend(request.id, person.id)).status).toBe(200);
    expect((await askFiveTimes(signer)).status).toBe(429);
  });

  it('asked for many times at once is sent once', async () => {
    const { person } = await invited();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.linkOf(person).sendCode()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(stage.service.mails(person.email)).toHaveLength(2);
  });

  it('whose mail fails says so and does not count', async () => {
    const { request, person } = await invited();
    const signer = stage.linkOf(person);
    stage.service.fault({
      service: 'ses',
      operation: 'SendEmail',
      function: 'send-code',
      after: 1,
      effect: 'error',
      error_code: 'MessageRejected',
    });
    const failed = await signer.sendCode();
    expect([failed.status, failed.body.error]).toEqual([502, 'email_failed']);
    expect(await stage.trail(request.id, 'code_failed')).toHaveLength(1);
    expect((await signer.sendCode()).status).toBe(200);
    expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
  });

  it('opens for one who has signed, too', async () => {
    const { request, person } = await invited();
    await stage.sign(person);
    stage.service.advance(31 * MINUTE);
    await stage.untilStatus(request.id, 'signed');
    const signer = stage.linkOf(person);
    expect((await signer.open()).body).toMatchObject({ signer_status: 'signed', code_expires_at: null });
    expect((await signer.sendCode()).status).toBe(200);
    const { status, body } = await signer.verify(stage.service.code(person.email));
    expect([status, body.signer.status]).toEqual([200, 'signed']);
  });
});

it('the sender’s resend lifts the lock and leads in', async () => {
  const { request, person, code } = await invited();
  const signer = stage.linkOf(person);
  for (let n = 0; n < 5; n += 1) await signer.verify(wrongCode(code));
  expect((await signer.verify(code)).body.error).toBe('locked');
  expect((await stage.resend(request.id, person.id)).status).toBe(200);
  expect((await signer.open()).body).toMatchObject({ attempts_left: 5, locked_until: null });
  expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
});
