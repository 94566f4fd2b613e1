import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { decline as declineEndpoint, getRequest, openLink } from '../../../shared/contract/signing.ts';
import { changeAsHolder, type SigningCall, signingEndpoint } from '../../../shared/http/signing-endpoint.ts';
import { attemptCode } from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { cancel, decline } from '../../../shared/requests/ending.ts';
import { invitationsReported } from '../../../shared/requests/inviting.ts';
import { linkToken } from '../../../shared/requests/links.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { metaKey } from '../../../shared/store/keys.ts';
import { newAccessToken } from '../../../shared/verification/code.ts';
import { newSession, sessionCookie } from '../../../shared/verification/session.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON, newRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const STANDING = {
  signer_status: 'sent',
  locale: 'en',
  code_expires_at: null,
  attempts_left: 5,
  locked_until: null,
  code_entry_ended: false,
} as const;
const memory = new MemoryDynamo();
let request: SignatureRequest;
let lines: Record<string, unknown>[];
let given: SigningCall<typeof openLink>[];

const signerId = (place = 0) => request.signers[place]?.id ?? '';
const token = (place = 0) => request.signers[place]?.accessToken ?? '';
const link = (place = 0) => ({ 'X-Signing-Token': token(place) });

/** One endpoint that needs the link, one that needs a session too. */
const open = () =>
  signingEndpoint(openLink, async (input) => {
    given.push(input);
    return input.json(STANDING);
  });
const verified = () =>
  signingEndpoint({ ...getRequest, answer: openLink.answer }, async ({ json }) => json(STANDING));

const answer = async (handler: unknown, headers: Record<string, string>) => {
  const { statusCode, body } = await call(handler, httpEvent({ headers }));
  return [statusCode, JSON.parse(body).error];
};
/** The first signer verifies a code. */
const cookie = async () => {
  const session = newSession(NOON);
  const by = { signerId: signerId(), visitor: VISITOR, codeHash: 'hash', opens: session.stored };
  await changed(memory.table, request.state.id, (current, now) => attemptCode(current, by, now));
  return sessionCookie(token(), session.secret).split(';')[0] ?? '';
};

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  virtualTime(NOON);
  lines = captureLog();
  given = [];
  memory.clear();
  request = await storedRequest(memory.table, 2);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('endpoints for signers', () => {
  it('the link’s token identifies the signer and loads the request', async () => {
    expect(await answer(open(), link(1))).toEqual([200, undefined]);
    const { caller, table } = given[0] ?? {};
    expect(caller).toMatchObject({
      token: token(1),
      signer: { id: signerId(1), email: 'signer1@example.com' },
      request: { state: { id: request.state.id, status: 'sent' } },
    });
    expect(await table?.get(metaKey(request.state.id))).toMatchObject({ id: request.state.id });
    expect(lines.at(-1)).toMatchObject({
      signature_request_id: request.state.id,
      signer_id: signerId(1),
    });
  });

  it('the link’s token is never logged', async () => {
    await call(open(), httpEvent({ headers: link() }));
    expect(JSON.stringify(lines)).not.toContain('token-0');
  });

  it('answers have Referrer-Policy no-referrer unless they set their own', async () => {
    const headersOf = async (handler: unknown) =>
      (await call(handler, httpEvent({ headers: link() }))).headers;
    expect(await headersOf(open())).toMatchObject({ 'Referrer-Policy': 'no-referrer' });
    const own = signingEndpoint(openLink, async ({ json }) =>
      json(STANDING, { 'Referrer-Policy': 'origin', 'Set-Cookie': 'a=b' }),
    );
    expect(await headersOf(own)).toMatchObject({ 'Referrer-Policy': 'origin', 'Set-Cookie': 'a=b' });
  });

  it.each([
    ['none', {}],
    ['an empty one', { 'X-Signing-Token': '' }],
    ['an unknown one', { 'X-Signing-Token': 'token-9' }],
    ['a far too long one', { 'X-Signing-Token': 'token-0'.padEnd(101) }],
  ])('a token that is %s gets 404', async (_what, headers) => {
    expect(await answer(open(), headers)).toEqual([404, 'not_found']);
    expect(given).toEqual([]);
  });

  it('a token of more than 100 characters causes no read', async () => {
    memory.mock.resetHistory();
    await answer(open(), { 'X-Signing-Token': 'x'.repeat(101) });
    expect(memory.mock.calls()).toHaveLength(0);
    await answer(open(), { 'X-Signing-Token': 'x'.repeat(100) });
    expect(memory.mock.calls()).toHaveLength(1);
  });

  it('a token that names its request opens it by its secret alone, in one read', async () => {
    const id = randomUUID();
    const [own, another] = [linkToken(id, newAccessToken()), linkToken(id, newAccessToken())];
    const [signer] = newRequest(1).request.signers;
    const { email = '', name = null, locale = 'en' } = signer ?? {};
    const signers = [{ id: signerId(), email, name, locale, accessToken: own, codeHash: 'hash' }];
    await storedRequest(memory.table, 1, { id, signers });
    memory.mock.resetHistory();
    expect(await answer(open(), { 'X-Signing-Token': own })).toEqual([200, undefined]);
    expect(memory.mock.calls()).toHaveLength(1);
    expect(given[0]?.caller.request.state.id).toBe(id);
    expect(await answer(open(), { 'X-Signing-Token': another })).toEqual([404, 'not_found']);
    const umlauts = linkToken(id, 'ä'.repeat(43));
    expect(await answer(open(), { 'X-Signing-Token': umlauts })).toEqual([404, 'not_found']);
    expect(given).toHaveLength(1);
  });

  it('the link of a deleted request gets 404', async () => {
    await memory.table.delete(metaKey(request.state.id));
    expect(await answer(open(), link())).toEqual([404, 'not_found']);
  });
});

describe('links', () => {
  const change = (rule: Parameters<typeof changed>[2]) => changed(memory.table, request.state.id, rule);

  it('a link of a cancelled request is dead, which the page says in the signer’s language', async () => {
    await change((current, now) => cancel(current, { actor: 'client', reason: null }, now));
    const { statusCode, body } = await call(open(), httpEvent({ headers: link() }));
    expect([statusCode, JSON.parse(body)]).toMatchObject([409, { error: 'link_cancelled', locale: 'en' }]);
  });

  it('a decline kills the decliner’s link and the others', async () => {
    await change((current, now) =>
      decline(current, { signerId: signerId(0), reason: null, visitor: VISITOR }, now),
    );
    expect(await answer(open(), link(0))).toEqual([409, 'link_declined']);
    expect(await answer(open(), link(1))).toEqual([409, 'link_invalidated']);
  });

  it('a link dies at its expiry, with or without a session', async () => {
    const headers = { ...link(), Cookie: await cookie() };
    jest.setSystemTime(NOON.getTime() + 30 * DAY - 1);
    expect(await answer(open(), link())).toEqual([200, undefined]);
    jest.setSystemTime(NOON.getTime() + 30 * DAY);
    expect(await answer(open(), link())).toEqual([410, 'link_expired']);
    expect(await answer(verified(), headers)).toEqual([410, 'link_expired']);
  });

  it('the link of a signer who has signed outlives the expiry', async () => {
    await change((current, now) => signedBy(current, 0, now));
    jest.setSystemTime(NOON.getTime() + 40 * DAY);
    expect(await answer(open(), link(0))).toEqual([200, undefined]);
    expect(await answer(open(), link(1))).toEqual([410, 'link_expired']);
  });

  describe('that a correction replaces during the call', () => {
    const email = 'new@example.com';
    beforeEach(() => change(invitationsReported));
    const correctFirst = () =>
      change((current, now) =>
        correct(current, { signerId: signerId(), email, accessToken: 'token-new', codeHash: 'hash' }, now),
      );

    it('a link that a correction has replaced does not open the request of the person who is the signer now', async () => {
      await correctFirst();
      expect(await answer(open(), link())).toEqual([404, 'not_found']);
    });

    it('a link that a correction replaces during the call changes nothing of the person who is the signer now', async () => {
      const declining = signingEndpoint(openLink, async ({ caller, visitor, table, json }) => {
        const by = { signerId: caller.signer.id, reason: null, visitor };
        await changeAsHolder(table, caller, (current, now) => decline(current, by, now));
        return json(STANDING);
      });
      jest.setTimerTickMode({ mode: 'nextAsync' });
      memory.beforeWrites.push(correctFirst);
      expect(await answer(declining, link())).toEqual([404, 'not_found']);
      const { state, signers } = await change(() => undefined);
      expect([state.status, signers[0]?.email, signers[0]?.status]).toEqual(['sent', email, 'pending']);
    });
  });

  it('a change for the holder of a link takes no second read, and brings its further writes with it', async () => {
    const key = { pk: 'P', sk: 'S' };
    const declining = signingEndpoint(openLink, async ({ caller, visitor, table, json }) => {
      const by = { signerId: caller.signer.id, reason: null, visitor };
      memory.mock.resetHistory();
      await changeAsHolder(table, caller, (current, now) => decline(current, by, now), [{ put: key }]);
      expect(memory.mock.calls()).toHaveLength(1);
      return json(STANDING);
    });
    expect(await answer(declining, link())).toEqual([200, undefined]);
    expect(memory.item(key)).toMatchObject(key);
  });
});

describe('endpoints that require a verified code', () => {
  it('a valid session is accepted until it ends', async () => {
    const headers = { ...link(), Cookie: await cookie() };
    expect(await answer(verified(), headers)).toEqual([200, undefined]);
    jest.setSystemTime(NOON.getTime() + 30 * MINUTE);
    expect(await answer(verified(), headers)).toEqual([401, 'verification_required']);
  });

  it('a missing session is refused, and so is another link’s', async () => {
    expect(await answer(verified(), link())).toEqual([401, 'verification_required']);
    expect(await answer(verified(), { ...link(1), Cookie: await cookie() })).toEqual([
      401,
      'verification_required',
    ]);
  });

  it('the session is checked before the body', async () => {
    const handler = signingEndpoint(declineEndpoint, async ({ json }) =>
      json({ status: 'declined', declined_at: NOON.toISOString(), sender_notified: false }),
    );
    const { body } = await call(handler, httpEvent({ headers: link(), body: '{' }));
    expect(JSON.parse(body).error).toBe('verification_required');
  });
});
