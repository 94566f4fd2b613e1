import { MINUTE } from '../../../shared/runtime/time.ts';
import { hasSession, newSession, sessionCookie } from '../../../shared/verification/session.ts';
import { at, NOON } from '../../support/requests.ts';

const TOKEN = 'link-token';

const session = newSession(NOON);
const cookie = sessionCookie(TOKEN, session.secret);
const pair = cookie.split(';')[0] ?? '';
const [name = '', value = ''] = pair.split('=');
const signer = { sessions: [newSession(NOON).stored, session.stored] };

const accepts = (cookies: string | undefined, now = NOON) => hasSession(signer, TOKEN, cookies, now);

describe('the session cookie', () => {
  it('the session cookie is HttpOnly, Secure, SameSite=Strict and limited to the signing API', () => {
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=1800',
      'Path=/api/signing/v1',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  it('a session lasts thirty minutes', () => {
    expect(accepts(pair)).toBe(true);
    expect(accepts(pair, at(30 * MINUTE - 1))).toBe(true);
    expect(accepts(pair, at(30 * MINUTE))).toBe(false);
  });

  it('the session is found among other cookies', () => {
    expect(accepts(`theme=dark;  ${pair} ; other=${'x'.repeat(40)}`)).toBe(true);
  });

  it('a forged cookie of the same name shuts nobody out', () => {
    expect(accepts(`${name}=forged; ${pair}`)).toBe(true);
    expect(accepts(`${pair}; ${name}=`)).toBe(true);
  });

  it('a session is valid for one link and one signer only', () => {
    expect(hasSession(signer, 'other-token', pair, NOON)).toBe(false);
    expect(hasSession({ sessions: [newSession(NOON).stored] }, TOKEN, pair, NOON)).toBe(false);
    expect(hasSession({ sessions: [] }, TOKEN, pair, NOON)).toBe(false);
  });

  it('two links open in one browser keep separate sessions', () => {
    const second = newSession(NOON);
    const both = `${pair}; ${sessionCookie('other-token', second.secret).split(';')[0]}`;
    expect(accepts(both)).toBe(true);
    expect(hasSession({ sessions: [second.stored] }, 'other-token', both, NOON)).toBe(true);
  });

  it('neither the link’s token nor the stored hash is in the cookie', () => {
    expect(cookie).not.toContain(TOKEN);
    expect(cookie).not.toContain(session.stored.hash);
    expect(Buffer.from(session.secret, 'base64url')).toHaveLength(32);
  });

  it.each([
    ['none', undefined],
    ['an empty header', ''],
    ['another name', `other=${value}`],
    ['the name alone', name],
    ['no value', `${name}=`],
    ['a longer value', `${name}=${value}A`],
    ['a shorter value', `${name}=${value.slice(0, -1)}`],
    ['the stored hash', `${name}=${session.stored.hash}`],
  ])('a cookie with %s is rejected', (_what, cookies) => {
    expect(accepts(cookies)).toBe(false);
  });
});
