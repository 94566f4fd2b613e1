import { jest } from '@jest/globals';
import { eraseUser } from '../../../admin/user-erase.ts';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { MAX_ATTEMPTS } from '../../../shared/requests/codes.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { accountEventWrite, newestAccountEvents } from '../../../shared/store/account-log.ts';
import { type AppSession, endSession, listAppSessions } from '../../../shared/store/app-sessions.ts';
import { accountLogPartition, addressHash, attemptKey } from '../../../shared/store/keys.ts';
import { changeOwner } from '../../../shared/store/owners.ts';
import { findAskedCodes } from '../../../shared/store/sign-ins.ts';
import { ConditionFailed, WriteCollision } from '../../../shared/store/table.ts';
import { addUser, findUser, findUserByAddress } from '../../../shared/store/users.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { LOCALES } from '../../../shared/texts/languages.ts';
import { attemptOfBrowser, sessionOf } from '../../../shared/verification/sign-in/app-session.ts';
import { mailSignInCode } from '../../../shared/verification/sign-in/mail-code.ts';
import {
  CODES_OF_ADDRESS,
  CODES_OF_NETWORK,
  requestSignInCode,
} from '../../../shared/verification/sign-in/request-code.ts';
import { signIn } from '../../../shared/verification/sign-in/sign-in.ts';
import { captureLog } from '../../support/captured-log.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { operatorOf } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON, VISITOR } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const codePepper = Buffer.from('pepper');
const MIA = ownerItem({ id: 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d', type: 'user', name: 'mia@example.com' });
let mailer: FakeMailer;
let now: Date;
const clock = () => now;
const pass = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

beforeEach(async () => {
  memory.clear();
  mailer = new FakeMailer();
  now = NOON;
  await addUser(table, MIA);
});

/** The job that mails the code of an attempt. */
const mailCode = (attemptId: string, seed = 'random') =>
  mailSignInCode({ table, mailer: mailer.mailer, codePepper, now: clock }, { attemptId, seed });

interface From {
  email?: string;
  ipAddress?: string;
  locale?: Locale;
  cookie?: string;
}

/** A browser asks for a code, and the job mails it. Returns the browser's cookie. */
async function ask({ email = MIA.name, ipAddress = '203.0.113.7', locale = 'en', cookie }: From = {}) {
  const visitor = { ...VISITOR, ipAddress };
  const earlierAttemptId = attemptOfBrowser(cookie);
  const asked = await requestSignInCode(table, { email, locale, visitor, earlierAttemptId }, now);
  await mailCode(asked.attempt.id);
  return asked.cookie.split(';')[0] ?? '';
}

async function readUser(userId: string) {
  const user = await findUser(table, userId);
  if (!user) throw new ApiError('sign_in_required');
  return { user };
}
const enter = (cookies: string | undefined, code: string, read = readUser) =>
  signIn({ table, codePepper, now: clock }, { cookies, code, visitor: VISITOR, read });
const newestCode = () => mailer.codes.at(-1) ?? '';
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const end = (sessionId: string) =>
  endSession(
    table,
    MIA.id,
    sessionId,
    accountEventWrite(MIA.id, 'signed_out', { userId: MIA.id, visitor: VISITOR, now }),
  );

describe('signing in with a mailed code', () => {
  it('the code opens a session of twelve hours, which is listed', async () => {
    const { session, cookie } = await enter(await ask(), newestCode());
    const [pair, ...attributes] = cookie.split('; ');
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(pair).toMatch(/^__Host-app=/);
    expect(await sessionOf(table, `theme=dark; ${pair}`, now)).toEqual(session);
    expect(await listAppSessions(table, MIA.id, now)).toEqual([session]);
    pass(12 * HOUR - 1);
    expect(await sessionOf(table, pair, now)).toBeDefined();
    pass(1);
    expect(await sessionOf(table, pair, now)).toBeUndefined();
    expect(await listAppSessions(table, MIA.id, now)).toEqual([]);
  });

  it('sessions are listed from the newest to the oldest', async () => {
    const opened: string[] = [];
    for (let n = 1; n <= 3; n += 1) {
      opened.unshift((await enter(await ask(), newestCode())).session.id);
      pass(MINUTE);
    }
    expect((await listAppSessions(table, MIA.id, now)).map(({ id }) => id)).toEqual(opened);
  });

  it('a code is used only once everything else for the answer was read', async () => {
    const cookie = await ask();
    const read = () => Promise.reject(new Error('The table is out of order.'));
    await expect(enter(cookie, newestCode(), read)).rejects.toThrow('out of order');
    expect(await listAppSessions(table, MIA.id, now)).toEqual([]);
    expect((await enter(cookie, newestCode())).known.user.id).toBe(MIA.id);
  });

  it('code, cookie and session are stored as hashes, and addresses of attempts too', async () => {
    const attempt = await ask();
    const code = newestCode();
    const waiting = JSON.stringify(memory.items);
    const { cookie } = await enter(attempt, code);
    const stored = waiting + JSON.stringify(memory.items);
    expect(stored).not.toContain(`"${code}"`);
    expect(stored).not.toContain(attempt.split('=')[1]);
    expect(stored).not.toContain(/\.([\w-]+);/.exec(cookie)?.[1]);
    expect(stored.split(MIA.name)).toHaveLength(3);
  });

  it('a session that was revoked opens nothing, and a changed cookie neither', async () => {
    const { session, cookie } = await enter(await ask(), newestCode());
    const [pair = ''] = cookie.split(';');
    expect(
      await sessionOf(table, `${pair.slice(0, -1)}${pair.endsWith('A') ? 'B' : 'A'}`, now),
    ).toBeUndefined();
    await end(session.id);
    expect(await sessionOf(table, pair, now)).toBeUndefined();
  });

  it('a cookie with anything before or after the session’s is nobody’s, and so is half of one', async () => {
    const { cookie } = await enter(await ask(), newestCode());
    const value = cookie.split(';')[0]?.split('=')[1] ?? '';
    const [userId, secret] = value.split('.');
    expect(await sessionOf(table, `__Host-app=${value}`, now)).toBeDefined();
    for (const changed of [`f${value}`, `${value}A`, `${userId}.`, `.${secret}`, `${userId}`, ''])
      expect(await sessionOf(table, `__Host-app=${changed}`, now)).toBeUndefined();
  });

  it('a secret whose hash only begins like the session’s opens nothing', async () => {
    const { session, cookie } = await enter(await ask(), newestCode());
    const stored = memory.items.find(({ hash }) => hash === session.hash);
    memory.set({
      ...stored,
      pk: String(stored?.pk),
      sk: String(stored?.sk),
      hash: `${session.hash.slice(0, -1)}${session.hash.endsWith('0') ? '1' : '0'}`,
    });
    expect(await sessionOf(table, cookie.split(';')[0], now)).toBeUndefined();
  });

  it('a code that was asked for too long ago is not mailed any more', async () => {
    const { attempt, cookie } = await requestSignInCode(
      table,
      { email: MIA.name, locale: 'en', visitor: VISITOR, earlierAttemptId: undefined },
      now,
    );
    expect(cookie).toContain('Max-Age=7776000;');
    const mail = () => mailCode(attempt.id);
    pass(10 * MINUTE);
    await mail();
    expect(mailer.mails).toEqual([]);
    pass(-1);
    await mail();
    expect(mailer.mails).toMatchObject([{ deadline: new Date(now.getTime() + 20 * SECOND) }]);
  });

  it('a session ends although its write collides with another, and one that has ended is not tried again', async () => {
    const { session, cookie } = await enter(await ask(), newestCode());
    const transact = jest.spyOn(table, 'transact').mockRejectedValueOnce(new WriteCollision());
    await end(session.id);
    expect(await sessionOf(table, cookie.split(';')[0], now)).toBeUndefined();
    expect(transact).toHaveBeenCalledTimes(2);
    await expect(end(session.id)).rejects.toBeInstanceOf(ConditionFailed);
    expect(transact).toHaveBeenCalledTimes(3);
    transact.mockRestore();
  });

  it('a sign-in is written into the log of the user’s account', async () => {
    const { session } = await enter(await ask(), newestCode());
    expect(await newestAccountEvents(table, MIA.id, 10)).toEqual([
      {
        at: NOON.toISOString(),
        type: 'signed_in',
        userId: MIA.id,
        ...VISITOR,
        details: { session_id: session.id },
      },
    ]);
    const [item] = memory.items.filter(({ pk }) => pk === accountLogPartition(MIA.id));
    expect(item?.ttl).toBe((NOON.getTime() + 365 * DAY) / SECOND);
  });

  it('another sign-in in the same browser ends its session, and no session elsewhere', async () => {
    const EVE = ownerItem({
      id: 'eeeeeeee-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
      type: 'user',
      name: 'eve@example.com',
    });
    await addUser(table, EVE);
    const elsewhere = await enter(await ask(), newestCode());
    let cookies = '';
    const opened: AppSession[] = [];
    for (const email of [MIA.name, MIA.name, EVE.name]) {
      pass(MINUTE);
      const attempt = await ask({ email });
      const { session, cookie } = await enter(`${attempt}; ${cookies}`, newestCode());
      cookies = cookie.split(';')[0] ?? '';
      opened.push(session);
    }
    const [first, second, third] = opened;
    expect(await listAppSessions(table, MIA.id, now)).toEqual([elsewhere.session]);
    expect(await listAppSessions(table, EVE.id, now)).toEqual([third]);
    const log = await newestAccountEvents(table, MIA.id, 10);
    const ended = log.filter(({ type }) => type === 'signed_out');
    expect(ended.map(({ userId, details }) => [userId, details.session_id])).toEqual([
      [EVE.id, second?.id],
      [MIA.id, first?.id],
    ]);
  });

  it('a sign-in goes on though the browser’s session ends at that moment', async () => {
    const earlier = await enter(await ask(), newestCode());
    const attempt = await ask();
    memory.beforeWrites.push(() => end(earlier.session.id));
    const { session } = await enter(`${attempt}; ${earlier.cookie}`, newestCode());
    expect(await listAppSessions(table, MIA.id, now)).toEqual([session]);
    const log = await newestAccountEvents(table, MIA.id, 10);
    expect(log.filter(({ type }) => type === 'signed_out')).toHaveLength(1);
  });

  it('a wrong code ends no session', async () => {
    const { session, cookie } = await enter(await ask(), newestCode());
    const attempt = await ask();
    const wrong = otherThan(newestCode());
    await expect(enter(`${attempt}; ${cookie}`, wrong)).rejects.toMatchObject({ code: 'wrong_code' });
    expect(await listAppSessions(table, MIA.id, now)).toEqual([session]);
  });

  it('a code works once', async () => {
    const attempt = await ask();
    await enter(attempt, newestCode());
    await expect(enter(attempt, newestCode())).rejects.toMatchObject({ code: 'code_expired' });
  });

  it('of two calls with the right code at once, one opens a session', async () => {
    const attempt = await ask();
    memory.beforeWrites.push(() => enter(attempt, newestCode()));
    await expect(enter(attempt, newestCode())).rejects.toMatchObject({ code: 'code_expired' });
    expect(await listAppSessions(table, MIA.id, now)).toHaveLength(1);
  });

  it('a code works in the browser that asked for it alone', async () => {
    await ask();
    const code = newestCode();
    const other = await ask();
    await expect(enter(other, code)).rejects.toMatchObject({ code: 'wrong_code' });
    await expect(enter(undefined, code)).rejects.toMatchObject({ code: 'code_expired' });
  });

  it('a code is good for ten minutes', async () => {
    const attempt = await ask();
    pass(10 * MINUTE);
    await expect(enter(attempt, newestCode())).rejects.toMatchObject({ code: 'code_expired' });
  });

  it('a message that comes twice mails one code, which works whichever mail it is read in', async () => {
    const cookie = await ask();
    await mailCode(attemptOfBrowser(cookie) ?? '');
    const [first, second] = mailer.codes;
    expect(second).toBe(first);
    expect((await enter(cookie, newestCode())).session.userId).toBe(MIA.id);
  });

  it('another attempt has another code, and so has another message', async () => {
    const cookie = await ask();
    await mailCode(attemptOfBrowser(cookie) ?? '', 'another');
    await ask();
    expect(new Set(mailer.codes).size).toBe(3);
  });

  it('a mail that SES could not take yet is left to the queue, and one that it refused is not', async () => {
    mailer.fail('rejected');
    const cookie = await ask();
    const mailAgain = () => mailCode(attemptOfBrowser(cookie) ?? '');
    mailer.fail('throttled', { isPostponed: true });
    await expect(mailAgain()).rejects.toMatchObject({ name: 'MailPostponed' });
    mailer.outcome = () => ({ sent: true, error: null });
    await mailAgain();
    expect((await enter(cookie, newestCode())).session.userId).toBe(MIA.id);
  });

  it.each(LOCALES)('the mail in %s holds the code and comes from the service', async (locale) => {
    await ask({ locale });
    const [mail] = mailer.mails;
    expect(mail).toMatchObject({ to: MIA.name, senderName: null, about: null });
    expect(mail?.content.text).toContain(newestCode());
    expect(mail?.content.html).toContain(`lang="${locale}"`);
  });
});

it('the mail is in the language that the user has chosen, whatever the browser’s', async () => {
  await changeOwner(table, MIA.id, 'user', { locale: 'sv' });
  await ask({ locale: 'en' });
  expect(mailer.mails[0]?.content.html).toContain('lang="sv"');
});

describe('wrong codes', () => {
  it('five wrong codes end the attempt of this browser, and of no other', async () => {
    const stranger = await ask({ ipAddress: '198.51.100.9' });
    const own = await ask();
    const wrong = otherThan(newestCode());
    for (let left = MAX_ATTEMPTS - 1; left > 0; left -= 1)
      await expect(enter(stranger, wrong)).rejects.toMatchObject({
        code: 'wrong_code',
        fields: { attempts_left: left },
      });
    await expect(enter(stranger, wrong)).rejects.toMatchObject({
      code: 'locked',
      fields: { locked_until: null },
    });
    await expect(enter(stranger, mailer.codes[0] ?? '')).rejects.toMatchObject({ code: 'locked' });
    expect((await enter(own, newestCode())).session.userId).toBe(MIA.id);
  });

  it('concurrent wrong codes each count', async () => {
    const attempt = await ask();
    const wrong = otherThan(newestCode());
    for (let n = 0; n < MAX_ATTEMPTS - 1; n += 1)
      memory.beforeWrites.push(() => enter(attempt, wrong).catch(() => undefined));
    await expect(enter(attempt, wrong)).rejects.toMatchObject({ code: 'locked' });
  });

  it('a wrong code whose write the SDK repeats counts once', async () => {
    const attempt = await ask();
    memory.losesAnswers = true;
    const lines = captureLog();
    await expect(enter(attempt, otherThan(newestCode()))).rejects.toMatchObject({
      code: 'wrong_code',
      fields: { attempts_left: MAX_ATTEMPTS - 1 },
    });
    jest.restoreAllMocks();
    expect(lines.map(({ WrongCodes }) => WrongCodes)).toEqual([1]);
  });

  it('a wrong code is not told before it is stored', async () => {
    const attempt = await ask();
    memory.beforeWrites.push(() => {
      throw new Error('unreachable');
    });
    await expect(enter(attempt, otherThan(newestCode()))).rejects.toThrow('unreachable');
  });
});

describe('an address that nobody has', () => {
  /** The calls of the database, without values that differ between any two. */
  const callsOf = async (work: () => Promise<unknown>) => {
    memory.mock.resetHistory();
    await work();
    return memory.mock.calls().map(({ args: [command] }) => command.constructor.name);
  };
  const request = (email: string) =>
    requestSignInCode(table, { email, locale: 'en', visitor: VISITOR, earlierAttemptId: undefined }, now);

  it('asking for a code does the same as for an address that a user has', async () => {
    const known = await callsOf(() => request(MIA.name));
    expect(await callsOf(() => request('nobody@example.com'))).toEqual(known);
  });

  it('gets no mail, and every code is answered as a wrong one', async () => {
    const attempt = await ask({ email: 'nobody@example.com' });
    expect(mailer.mails).toEqual([]);
    for (let left = MAX_ATTEMPTS - 1; left > 0; left -= 1)
      await expect(enter(attempt, '000000')).rejects.toMatchObject({
        code: 'wrong_code',
        fields: { attempts_left: left },
      });
    await expect(enter(attempt, '000000')).rejects.toMatchObject({ code: 'locked' });
  });

  it('a wrong code does the same as for an address that a user has', async () => {
    const known = await ask();
    const unknown = await ask({ email: 'nobody@example.com' });
    const wrong = otherThan(newestCode());
    const calls = await callsOf(() => enter(known, wrong).catch(() => undefined));
    expect(await callsOf(() => enter(unknown, wrong).catch(() => undefined))).toEqual(calls);
  });
});

describe('limits on codes', () => {
  const network = (n: number) => `198.51.100.${n}`;
  const askOften = async (times: number, from: (n: number) => string) => {
    for (let n = 0; n < times; n += 1) await ask({ ipAddress: from(n) });
  };

  it('a browser waits thirty seconds before it asks again', async () => {
    const cookie = await ask();
    await expect(ask({ cookie })).rejects.toMatchObject({
      code: 'too_many_codes',
      retryAt: at(30 * SECOND).toISOString(),
    });
    pass(30 * SECOND);
    await ask({ cookie });
    expect(mailer.mails).toHaveLength(2);
  });

  it('a browser asks at once for another address, for the one before may have been mistyped', async () => {
    const cookie = await ask({ email: 'mai@example.com' });
    await enter(await ask({ cookie }), newestCode());
  });

  it('a browser in which the code was used asks again at once', async () => {
    const cookie = await ask();
    await enter(cookie, newestCode());
    await ask({ cookie });
    expect(mailer.mails).toHaveLength(2);
  });

  it('a stranger who asks for codes without end keeps the user out of nothing', async () => {
    await askOften(CODES_OF_NETWORK, () => network(1));
    await expect(ask({ ipAddress: network(1) })).rejects.toMatchObject({ code: 'too_many_codes' });
    await ask({ ipAddress: network(2) });
    expect(mailer.mails).toHaveLength(CODES_OF_NETWORK + 1);
  });

  describe('once strangers in many networks have used up the codes of an address', () => {
    const flood = () => askOften(CODES_OF_ADDRESS, network);
    const refused = { code: 'too_many_codes' };

    it('a code that the user has already still opens a session', async () => {
      const own = await ask();
      const code = newestCode();
      await expect(flood()).rejects.toMatchObject(refused);
      expect((await enter(own, code)).session.userId).toBe(MIA.id);
    });

    it('a browser in which the user has signed in gets codes, and no other does', async () => {
      const own = await ask();
      await enter(own, newestCode());
      pass(89 * DAY);
      await flood();
      await expect(ask({ ipAddress: network(100) })).rejects.toMatchObject(refused);
      const again = await ask({ cookie: own });
      pass(MINUTE);
      // Also after a code that was not used.
      await enter(await ask({ cookie: again }), newestCode());
      await expect(ask({ ipAddress: network(100) })).rejects.toMatchObject(refused);
    });

    it('a browser stays known when another address is typed by mistake', async () => {
      const own = await ask();
      await enter(own, newestCode());
      await expect(flood()).rejects.toMatchObject(refused);
      const mistyped = await ask({ email: 'mai@example.com', cookie: own });
      pass(MINUTE);
      await enter(await ask({ cookie: mistyped }), newestCode());
    });

    it('a browser is known for ninety days after the user has signed in, however often it asks', async () => {
      const own = await ask();
      await enter(own, newestCode());
      pass(89 * DAY);
      const again = await ask({ cookie: own });
      expect(memory.item(attemptKey(attemptOfBrowser(again) ?? ''))).toMatchObject({
        ttl: (NOON.getTime() + 90 * DAY) / SECOND,
      });
      pass(DAY);
      await flood();
      await expect(ask({ cookie: again })).rejects.toMatchObject(refused);
    });

    it('a browser in which somebody else has signed in gets none', async () => {
      const EVE = ownerItem({ id: 'eve', type: 'user', name: 'eve@example.com' });
      await addUser(table, EVE);
      const eves = await ask({ email: EVE.name });
      await enter(eves, newestCode());
      pass(MINUTE);
      await flood();
      await expect(ask({ cookie: eves })).rejects.toMatchObject(refused);
    });
  });

  it('a browser in which the user has signed in gets twenty codes within 24 hours', async () => {
    let own = await ask();
    await enter(own, newestCode());
    for (let n = 0; n < CODES_OF_NETWORK; n += 1) {
      pass(MINUTE);
      own = await ask({ cookie: own, ipAddress: network(n) });
      // Signing in again makes it no other browser.
      if (n % 2 === 0) await enter(own, newestCode());
    }
    pass(MINUTE);
    await expect(ask({ cookie: own })).rejects.toMatchObject({ code: 'too_many_codes' });
  });

  it('an address gets at most forty codes within 24 hours, and again when the oldest are a day old', async () => {
    await askOften(CODES_OF_ADDRESS, network);
    await expect(ask({ ipAddress: network(100) })).rejects.toMatchObject({
      code: 'too_many_codes',
      retryAt: at(DAY).toISOString(),
    });
    await expect(ask({ email: 'nobody@example.com' })).resolves.toMatch(/^__Host-app-attempt=/);
    pass(DAY);
    await ask({ ipAddress: network(100) });
  });

  it('codes asked for at once cannot exceed the limit together', async () => {
    await askOften(CODES_OF_ADDRESS - 1, network);
    memory.beforeWrites.push(() => ask({ ipAddress: network(200) }));
    await expect(ask({ ipAddress: network(201) })).rejects.toMatchObject({ code: 'too_many_codes' });
  });

  it('the first two codes asked for at once both count', async () => {
    memory.beforeWrites.push(() => ask({ ipAddress: network(1) }));
    await ask({ ipAddress: network(2) });
    expect((await findAskedCodes(table, addressHash(MIA.name)))?.times).toHaveLength(2);
  });
});

describe('a user who is erased at the moment of signing in', () => {
  const erase = () => eraseUser(MIA.id, operatorOf(table));
  const left = () => memory.items.map(({ pk }) => String(pk)).filter((pk) => pk.endsWith(MIA.id));

  it('leaves neither session nor log if the sign-in was first', async () => {
    const cookie = await ask();
    memory.beforeWrites.push(() => enter(cookie, newestCode()));
    expect(await erase()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('leaves neither session nor log if the sign-in comes after their other sessions were ended', async () => {
    await enter(await ask(), newestCode());
    const cookie = await ask();
    const atNewVersion = () => undefined;
    memory.beforeWrites.push(atNewVersion, () => enter(cookie, newestCode()));
    expect(await erase()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('is refused, and leaves nothing, if the erasure was first', async () => {
    const cookie = await ask();
    memory.beforeWrites.push(erase);
    await expect(enter(cookie, newestCode())).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(left()).toEqual([]);
  });
});

describe('users', () => {
  it('no two users have one address', async () => {
    await expect(addUser(table, { ...MIA, id: 'other' })).rejects.toMatchObject({ name: 'ConditionFailed' });
    expect(await findUserByAddress(table, 'none')).toBeUndefined();
  });
});
