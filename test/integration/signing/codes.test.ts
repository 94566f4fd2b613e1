/** @behaviour dynamodb.conditions */

import { DAY, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { readPages } from '../../support/pdf-pages.ts';
import type { Answer } from '../../support/service.ts';
import { first, type Invited, type Sent, SigningStage, wrongCode } from '../../support/signing-stage.ts';
import { rounds } from '../../support/thorough.ts';

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
/** Seconds that calls may take on a busy machine. */
const TOLERANCE = 20;
const expectAbout = (seconds: number, expected: number) => {
  expect(seconds).toBeGreaterThan(expected - TOLERANCE);
  expect(seconds).toBeLessThanOrEqual(expected + 1);
};

describe('wrong codes', () => {
  it('a wrong code tells how many attempts are left, and the fifth locks the link for fifteen minutes', async () => {
    const { request, person, code } = await invited();
    const signer = stage.linkOf(person);
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const { status, body } = await signer.verify(wrongCode(code));
      expect([status, body.error, body.attempts_left]).toEqual([401, 'wrong_code', attemptsLeft]);
      expect((await signer.open()).body).toMatchObject({ attempts_left: attemptsLeft, locked_until: null });
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
      code_expires_at: null,
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

  it('200 concurrent wrong codes use up five attempts, and then the right code is refused', async () => {
    const { request, person, code } = await invited();
    /** Retries while the gateway throttles. */
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

  it('a code in another format does not count as an attempt', async () => {
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

describe('right codes', () => {
  it('a code is valid once, for ten minutes, with its own link only', async () => {
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

  it('a code used by five callers at once is accepted once', async () => {
    const { person, code } = await invited();
    const answers = await Promise.all(Array.from({ length: 5 }, () => stage.linkOf(person).verify(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error]).toEqual([410, 'code_expired']);
  });
});

describe('requested codes', () => {
  it('a new code replaces the previous one, resets the attempts, and can be requested every thirty seconds', async () => {
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

    const current = stage.service.code(person.email);
    if (current !== invitation)
      expect((await signer.verify(invitation)).body).toMatchObject({ error: 'wrong_code', attempts_left: 4 });
    expect((await signer.verify(current)).status).toBe(200);
    expect(await stage.trail(request.id, 'code_sent')).toHaveLength(1);
  });

  const requestFiveCodes = async (signer: ReturnType<SigningStage['linkOf']>) => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await signer.sendCode()).status).toBe(200);
      stage.service.advance(31 * SECOND);
    }
    return signer.sendCode();
  };

  it('a signer can request five codes in fifteen minutes, besides the invitation’s', async () => {
    const signer = stage.linkOf((await invited()).person);
    const sixth = await requestFiveCodes(signer);
    expect([sixth.status, sixth.body.error]).toEqual([429, 'too_many_codes']);
    expectAbout(retryAfter(sixth), 15 * 60 - 5 * 31);
    stage.service.advance(retryAfter(sixth) * SECOND);
    expect((await signer.sendCode()).status).toBe(200);
  });

  it('a sender’s resend resets the limit of requested codes', async () => {
    const { request, person } = await invited();
    const signer = stage.linkOf(person);
    expect((await requestFiveCodes(signer)).status).toBe(429);
    expect((await stage.resend(request.id, person.id)).status).toBe(200);
    expect((await requestFiveCodes(signer)).status).toBe(429);
  });

  it('ten concurrent requests for a code send one mail', async () => {
    const { person } = await invited();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.linkOf(person).sendCode()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(stage.service.mails(person.email)).toHaveLength(2);
  });

  it('a code whose mail fails is reported, and another one can be asked for at once', async () => {
    const { request, person } = await invited();
    const signer = stage.linkOf(person);
    stage.service.refuseMail('send-code');
    const failed = await signer.sendCode();
    expect([failed.status, failed.body.error]).toEqual([502, 'email_failed']);
    expect(await stage.trail(request.id, 'code_failed')).toHaveLength(1);
    expect((await signer.open()).body).toMatchObject({ code_expires_at: null });
    expect((await signer.sendCode()).status).toBe(200);
    expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
  });

  it('a code whose answer could not be made still works', async () => {
    const { person } = await invited();
    const signer = stage.linkOf(person);
    // The sender's brand, which the answer shows.
    stage.service.fault({
      service: 'dynamodb',
      operation: 'GetItem',
      function: 'verify-code',
      after: 1,
      effect: 'error',
      error_code: 'AccessDeniedException',
    });
    const code = stage.service.code(person.email);
    expect((await signer.verify(code)).status).toBe(500);
    expect((await signer.verify(code)).status).toBe(200);
  });

  it('a signer who has signed can still verify a code', async () => {
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

describe('the end of code entry', () => {
  it('of a thousand guesses in a month twenty are compared; then only the sender can go on', async () => {
    const { request, person } = await invited();
    const signer = stage.linkOf(person);
    for (let day = 0; day < rounds(25); day += 1) {
      await signer.sendCode();
      const code = stage.service.code(person.email);
      await Promise.all(
        Array.from({ length: rounds(40) }, (_, guess) => signer.verify(wrongCode(code, guess))),
      );
      stage.service.advance(DAY);
    }
    expect(await stage.trail(request.id, 'code_wrong')).toHaveLength(20);
    // The sender sees it in the request, with its signer, in the list of events and in the PDF.
    const [ended, ...more] = await stage.trail(request.id, 'code_entry_ended');
    expect([ended?.signer_id, more]).toEqual([person.id, []]);
    const path = `/api/v1/signatures/${request.id}`;
    const { body: signers } = await stage.client.get(`${path}/signers`);
    expect(signers.data[0].audit_trail.events).toContainEqual(ended);
    const { bytes } = await stage.client.get(`${path}/audit-trail.pdf`);
    const pages = await readPages(new Uint8Array(bytes));
    expect(pages.map(({ words }) => words).join(' ')).toContain('Code entry ended');
    for (const refused of [await signer.sendCode(), await signer.verify('000000')]) {
      expect([refused.status, refused.body]).toMatchObject([429, { error: 'locked', locked_until: null }]);
      expect(refused.headers.get('retry-after')).toBeNull();
    }
    expect((await signer.open()).body).toMatchObject({ code_entry_ended: true, locked_until: null });
    expect((await stage.resend(request.id, person.id)).status).toBe(200);
    expect((await signer.open()).body).toMatchObject({ code_entry_ended: false, attempts_left: 5 });
    expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
  }, 240_000);

  it('of the guesses at one who has signed twenty are compared in a day, then both are told until when', async () => {
    const { request, person } = await invited();
    await stage.sign(person);
    await stage.untilStatus(request.id, 'signed');
    const signer = stage.linkOf(person);
    const from = now();
    for (let round = 0; round < rounds(25); round += 1) {
      stage.service.advance(16 * MINUTE);
      await signer.sendCode();
      const code = stage.service.code(person.email);
      await Promise.all(
        Array.from({ length: rounds(40) }, (_, guess) => signer.verify(wrongCode(code, guess))),
      );
    }
    expect(await stage.trail(request.id, 'code_wrong')).toHaveLength(20);
    expect(await stage.trail(request.id, 'code_entry_ended')).toHaveLength(1);
    const refused = await signer.sendCode();
    expect([refused.status, refused.body.error]).toEqual([429, 'locked']);
    const { locked_until: until } = refused.body;
    expectAbout(secondsTo(until), retryAfter(refused));
    // A day after the first of the twenty.
    expect(Date.parse(until)).toBeGreaterThan(from + DAY + 15 * MINUTE);
    expect(Date.parse(until)).toBeLessThan(from + DAY + 31 * MINUTE);
    expect((await signer.open()).body).toMatchObject({ locked_until: until, code_entry_ended: false });
    stage.service.advance(Date.parse(until) - now());
    expect((await signer.sendCode()).status).toBe(200);
    expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
  }, 240_000);

  it('a code asked for during the fifth wrong attempt does not lift the lock, in each round', async () => {
    for (let round = 0; round < rounds(25); round += 1) {
      const { person, code } = await invited();
      const signer = stage.linkOf(person);
      for (let n = 0; n < 4; n += 1) await signer.verify(wrongCode(code));
      const [fifth, asked] = await Promise.all([signer.verify(wrongCode(code)), signer.sendCode()]);
      // The code came first, and the attempt was for the one before, or the attempt did, and the link is locked.
      if (asked.status === 200) expect(fifth.body.error).not.toBe('locked');
      else expect([fifth.body.error, asked.body.error]).toEqual(['locked', 'locked']);
      expect((await signer.open()).body.locked_until === null).toBe(asked.status === 200);
    }
  }, 120_000);
});

it('after a cancel nobody reads the document, not even one who signed, who learns that none will be sealed', async () => {
  const request = await stage.send(2);
  const signer = await stage.verified(first(request.signers));
  await signer.sign();
  expect((await signer.call('GET', '/document')).status).toBe(200);
  await stage.cancel(request.id);
  const refused = await signer.call('GET', '/document');
  expect([refused.status, refused.body.error]).toEqual([409, 'link_cancelled']);
  for (const path of ['/sealed-document', '/evidence']) {
    const { status, body } = await signer.call('GET', path);
    expect([status, body.error]).toEqual([409, 'request_cancelled']);
  }
});

it('a sender’s resend removes the lock and mails a valid code', async () => {
  const { request, person, code } = await invited();
  const signer = stage.linkOf(person);
  for (let n = 0; n < 5; n += 1) await signer.verify(wrongCode(code));
  expect((await signer.verify(code)).body.error).toBe('locked');
  expect((await stage.resend(request.id, person.id)).status).toBe(200);
  expect((await signer.open()).body).toMatchObject({ attempts_left: 5, locked_until: null });
  expect((await signer.verify(stage.service.code(person.email))).status).toBe(200);
});

// Last, since the jobs of a month have work for each request above.
it('a link ends for good thirty days after the request, also for one who signed', async () => {
  const { request, person } = await invited();
  await stage.sign(person);
  await stage.untilStatus(request.id, 'signed');
  stage.service.advance(30 * DAY - MINUTE);
  expect((await stage.linkOf(person).open()).status).toBe(200);
  stage.service.advance(MINUTE);
  for (const refused of [await stage.linkOf(person).open(), await stage.linkOf(person).sendCode()])
    expect([refused.status, refused.body.error]).toEqual([410, 'link_expired']);
});
