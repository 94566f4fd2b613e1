import { jest } from '@jest/globals';
import type { Me } from '../../../../web/app/contract.ts';
import { Session } from '../../../../web/app/session.ts';

const ORGANIZATION = '3c0c4d0e-58a0-4a39-8a0f-1c5d7f7c9a11';
const me = (userId = '8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10'): Me => ({
  user: { user_id: userId, email: 'ann@example.com', locale: null },
  owners: [
    { owner: 'user', name: 'Ann', role: 'user', subscription: 'none' },
    { owner: ORGANIZATION, name: 'Acme', role: 'admin', subscription: 'active' },
  ],
  session: {
    session_id: 's',
    created_at: '2026-11-22T10:00:00.000Z',
    expires_at: '2026-11-22T22:00:00.000Z',
  },
});

/** A service with one session, which ends and begins as the test says. */
function stage(user = me(), memory = new Map<string, string>()) {
  const state = {
    isSignedIn: true,
    isOffline: false,
    isLimited: false,
    isBusy: false,
    /** The next answer to a code breaks off, and each later one refuses the code. */
    breaksOff: false,
    user,
    restarts: [] as unknown[],
    /** The browser asks whether to leave, and the user stays. */
    stay: () => {},
    headers: [] as Headers[],
  };
  const verify = () => {
    if (state.breaksOff && state.isSignedIn)
      return Response.json({ error: 'code_expired', message: 'Ask for a new one.' }, { status: 410 });
    state.isSignedIn = true;
    return state.breaksOff ? new Response('{"user":') : Response.json(state.user);
  };
  const fetch = async (url: unknown, init?: RequestInit) => {
    if (state.isOffline) throw new TypeError('fetch failed');
    state.headers.push(new Headers(init?.headers));
    if (state.isLimited)
      return Response.json(
        { error: 'too_many_codes', message: 'Wait.' },
        { status: 429, headers: { 'retry-after': '30' } },
      );
    if (state.isBusy)
      return Response.json(
        { error: 'too_many_requests', message: 'Wait.' },
        { status: 429, headers: { 'retry-after': '60' } },
      );
    const path = new URL(String(url)).pathname;
    if (path.endsWith('/sign-in/verify')) return verify();
    if (!state.isSignedIn)
      return Response.json({ error: 'sign_in_required', message: 'Sign in.' }, { status: 401 });
    return Response.json(path.endsWith('/me') ? state.user : { data: [] });
  };
  const session = new Session({
    baseUrl: 'https://sign.example.com',
    fetch,
    memory: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
    },
    restart: (userId, onStay) => {
      state.restarts.push(userId);
      if (onStay) state.stay = onStay;
    },
  });
  return { state, session, memory };
}

afterEach(() => {
  jest.useRealTimers();
});

it('without a session the page says at once that nobody is signed in', async () => {
  const { state, session } = stage();
  state.isSignedIn = false;
  await session.start();
  expect(session.me.value).toBeNull();
  expect(session.hasEnded.value).toBe(false);
});

it('a limit on codes is reported at once, and not waited out', async () => {
  const { state, session } = stage();
  state.isLimited = true;
  await expect(session.service.requestCode('ann@example.com', 'en')).rejects.toMatchObject({
    code: 'too_many_codes',
    retryAfterMs: 30_000,
  });
  expect(state.headers).toHaveLength(1);
}, 5_000);

it('a call that finds the session ended waits, and continues after the next sign-in', async () => {
  const { state, session } = stage();
  await session.start();
  state.isSignedIn = false;
  const waiting = session.service.apiKeys();
  while (!session.hasEnded.value) await new Promise(setImmediate);
  await session.signIn('123456');
  expect(await waiting).toEqual([]);
  expect(session.hasEnded.value).toBe(false);
});

it('a call that finds the session ended continues once its user has signed in from another tab', async () => {
  const { state, session } = stage();
  await session.start();
  state.isSignedIn = false;
  const waiting = session.service.apiKeys();
  while (!session.hasEnded.value) await new Promise(setImmediate);
  await session.resume();
  expect(session.hasEnded.value).toBe(true);
  state.isSignedIn = true;
  await session.resume();
  expect(await waiting).toEqual([]);
  expect(session.hasEnded.value).toBe(false);
});

it('if the response to a code was cut off, entering the used code again signs in', async () => {
  const { state, session } = stage();
  state.isSignedIn = false;
  state.breaksOff = true;
  await session.start();
  await expect(session.signIn('123456')).rejects.toMatchObject({ code: 'unexpected_answer' });
  expect(session.me.value).toBeNull();
  await session.signIn('123456');
  expect(session.me.value?.user.email).toBe('ann@example.com');
  // Without such a break a refusal is what it says.
  const { state: other, session: refused } = stage();
  await refused.start();
  other.breaksOff = true;
  await expect(refused.signIn('123456')).rejects.toMatchObject({ code: 'code_expired' });
});

it('another person who signs in sees nothing of the previous user', async () => {
  const { state, session } = stage();
  await session.start();
  state.user = me('00000000-0000-4000-8000-000000000000');
  await session.signIn('123456');
  expect(state.restarts).toEqual([me().user.user_id]);
  expect(session.me.value?.user.user_id).toBe(me().user.user_id);
});

it('a member acts for an organization that can send, until they choose their own account', async () => {
  const { session } = stage();
  await session.start();
  expect(session.owner.value?.owner).toBe(ORGANIZATION);
  session.actFor('user');
  expect(session.owner.value?.owner).toBe('user');
});

it('a member who has not chosen an owner keeps the current one when they join another organization', async () => {
  const { state, session, memory } = stage();
  await session.start();
  const another = {
    owner: 'another',
    name: 'A first by name',
    role: 'member',
    subscription: 'active',
  } as const;
  state.user = { ...me(), owners: [another, ...me().owners] };
  await session.refresh();
  expect(session.owner.value?.owner).toBe(ORGANIZATION);
  const { session: again } = stage(state.user, memory);
  await again.start();
  expect(again.owner.value?.owner).toBe(ORGANIZATION);
});

it('a user who cannot send acts for the first organization that they join', async () => {
  const { state, session } = stage({ ...me(), owners: me().owners.slice(0, 1) });
  await session.start();
  state.user = me();
  await session.refresh();
  expect(session.owner.value?.owner).toBe(ORGANIZATION);
});

it('the owner and mode of a tab survive a reload', async () => {
  const { session, memory } = stage();
  await session.start();
  session.actFor('user');
  session.mode.value = 'test';
  const { session: again } = stage(me(), memory);
  await again.start();
  expect([again.owner.value?.owner, again.mode.value]).toEqual(['user', 'test']);
});

it('signing out after the session has ended reloads the page too', async () => {
  const { state, session } = stage();
  await session.start();
  state.isSignedIn = false;
  await session.signOut();
  expect(state.restarts).toEqual([me().user.user_id]);
});

it('a call during or after sign-out does not report that the session has ended', async () => {
  const { state, session } = stage();
  await session.start();
  const signingOut = session.signOut();
  state.isSignedIn = false;
  await expect(session.service.apiKeys()).rejects.toMatchObject({ code: 'sign_in_required' });
  await signingOut;
  await expect(session.service.apiKeys()).rejects.toMatchObject({ code: 'sign_in_required' });
  expect([session.hasEnded.value, session.me.value]).toEqual([false, undefined]);
});

it('who signs out and stays, since a request is being sent, can sign in at once, and that request fails', async () => {
  const { state, session } = stage();
  await session.start();
  await session.signOut();
  // The new page would empty a form.
  expect(session.me.value).toBeUndefined();
  state.stay();
  expect(session.me.value).toBeNull();
  state.isSignedIn = false;
  await expect(session.service.apiKeys()).rejects.toMatchObject({ code: 'sign_in_required' });
  expect(session.hasEnded.value).toBe(false);
});

it('another person who signs in on the page of one who signed out sees nothing of them', async () => {
  const { state, session } = stage();
  await session.start();
  await session.signOut();
  state.stay();
  state.user = me('00000000-0000-4000-8000-000000000000');
  await session.signIn('123456');
  expect([state.restarts.length, session.me.value]).toEqual([2, null]);
});

it('signing out without a connection fails, because the session may still be open', async () => {
  const { state, session } = stage();
  await session.start();
  state.isOffline = true;
  await expect(session.signOut()).rejects.toMatchObject({ code: 'connection_failed' });
  expect(state.restarts).toEqual([]);
});

it('while a call waits a minute for a busy service, the page says so, and “Try now” makes it at once', async () => {
  jest.useFakeTimers();
  const { state, session } = stage();
  await session.start();
  state.isBusy = true;
  const waiting = session.service.apiKeys();
  await jest.advanceTimersByTimeAsync(59_000);
  expect(session.delay.value).toBe('busy');
  state.isBusy = false;
  await session.tryNow();
  expect(await waiting).toEqual([]);
  expect(session.delay.value).toBeNull();
});

it('every call names its user, owner and mode', async () => {
  const { state, session } = stage();
  await session.start();
  session.actFor(ORGANIZATION);
  session.mode.value = 'test';
  await session.service.apiKeys();
  const headers = state.headers.at(-1);
  expect(headers?.get('x-requested-with')).toBe('app');
  expect(headers?.get('x-owner')).toBe(ORGANIZATION);
  expect(headers?.get('x-mode')).toBe('test');
  expect(headers?.get('x-user')).toBe(me().user.user_id);
  expect(headers?.get('authorization')).toBeNull();
});

it('pinned calls keep the owner and the mode, whatever is chosen afterwards', async () => {
  const { state, session } = stage();
  await session.start();
  const pinned = session.service.pinned();
  session.actFor('user');
  session.mode.value = 'test';
  await pinned.apiKeys();
  const headers = state.headers.at(-1);
  expect([headers?.get('x-owner'), headers?.get('x-mode')]).toEqual([ORGANIZATION, 'live']);
});

it('a lost connection is reported until a call succeeds', async () => {
  const { state, session } = stage();
  state.isOffline = true;
  await session.start();
  expect(session.isOffline.value).toBe(true);
  expect(session.startProblem.value?.code).toBe('connection_failed');
  await session.tryNow();
  expect(session.startProblem.value?.code).toBe('connection_failed');
  state.isOffline = false;
  await session.tryNow();
  expect(session.isOffline.value).toBe(false);
  expect(session.startProblem.value).toBeNull();
  expect(session.me.value).toEqual(me());
});

/** A browser's upload whose line breaks at first. */
class Upload {
  static breaks = true;
  readonly upload = {};
  readonly status = 200;
  readonly responseText = JSON.stringify({ id: 'made' });
  onload = () => {};
  onerror = () => {};
  open() {}
  setRequestHeader() {}
  getAllResponseHeaders = () => '';
  send = () => (Upload.breaks ? this.onerror() : this.onload());
}

it('a connection that is lost while a document is on its way is reported like any other', async () => {
  jest.useFakeTimers();
  Object.assign(globalThis, { XMLHttpRequest: Upload });
  const { session } = stage();
  await session.start();
  const file = new File(['%PDF-'], 'contract.pdf');
  const made = session.service.createRequest({ title: 'Lease', signers: [], file }, 'key', () => {});
  await jest.advanceTimersByTimeAsync(10);
  expect(session.isOffline.value).toBe(true);
  Upload.breaks = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await made).toMatchObject({ id: 'made' });
  expect(session.isOffline.value).toBe(false);
});

it('a connection that is lost while the page is in use is retried without reloading the user', async () => {
  const { state, session } = stage();
  await session.start();
  state.isOffline = true;
  await session.tryNow();
  expect(session.isOffline.value).toBe(true);
  expect(session.startProblem.value).toBeNull();
  state.isOffline = false;
  state.isSignedIn = false;
  await session.tryNow();
  expect(session.isOffline.value).toBe(false);
  expect(session.me.value).toEqual(me());
});

it('the user’s rights are loaded again, and kept if there is no response', async () => {
  const { state, session } = stage();
  await session.start();
  const [owner] = me().owners;
  state.user = { ...me(), owners: owner ? [owner] : [] };
  expect(await session.refresh()).toBe(true);
  expect(session.me.value).toEqual(state.user);
  state.isOffline = true;
  expect(await session.refresh()).toBe(false);
  expect(session.me.value).toEqual(state.user);
  expect(session.startProblem.value).toBeNull();
});
