/** @behaviour api-gateway.proxy-event */

import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { first, type Invited, refusal, SigningStage } from '../../support/signing-stage.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const newSigner = async () => first((await stage.send()).signers);
const CODE_NEEDED = [401, 'verification_required'];

/** Opens a session and returns the name and value of its cookie. */
async function session(person: Invited) {
  const signer = await stage.verified(person);
  const [name = '', value = ''] = signer.cookie?.split('=') ?? [];
  return { signer, name, value };
}

describe('sessions', () => {
  it('a session cookie is HttpOnly, Secure, SameSite=Strict and valid for half an hour', async () => {
    const person = await newSigner();
    const answer = await stage.linkOf(person).verify(stage.service.code(person.email));
    const [cookie = '', ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^signing_[0-9a-f]{12}=[\w-]{43}$/);
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      'Max-Age=1800',
      'Path=/api/signing/v1',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  it('a session ends thirty minutes after verification, even if used', async () => {
    const { signer } = await session(await newSigner());
    stage.service.advance(30 * MINUTE - 20 * SECOND);
    expect((await signer.view()).status).toBe(200);
    stage.service.advance(20 * SECOND);
    expect(refusal(await signer.view())).toEqual(CODE_NEEDED);
    expect(refusal(await signer.sign({ document_sha256: 'a'.repeat(64) }))).toEqual(CODE_NEEDED);
  });

  it('a forged cookie beside the real one shuts nobody out, and of six sessions the first has ended', async () => {
    const person = await newSigner();
    const { signer, name, value } = await session(person);
    signer.cookie = `${name}=forged; ${name}=${value}`;
    expect((await signer.view()).status).toBe(200);
    for (let n = 0; n < 5; n += 1) {
      expect((await signer.view()).status).toBe(200);
      stage.service.advance(31 * SECOND);
      await stage.verified(person, { freshCode: true });
    }
    expect(refusal(await signer.view())).toEqual(CODE_NEEDED);
  });

  it('every call that shows or changes anything requires a session', async () => {
    const signer = stage.linkOf(await newSigner());
    await signer.open();
    for (const [method, path] of [
      ['GET', '/request'],
      ['GET', '/document'],
      ['GET', '/sealed-document'],
      ['POST', '/sign'],
      ['POST', '/decline'],
    ] as const) {
      const answer = await signer.call(method, path, method === 'POST' ? {} : undefined);
      expect([path, ...refusal(answer)]).toEqual([path, ...CODE_NEEDED]);
      expect(Object.keys(answer.body).sort()).toEqual(['error', 'message', 'request_id']);
    }
  });

  it('a modified session cookie is refused', async () => {
    const person = await newSigner();
    const { name, value } = await session(person);
    const [expires = '', tag = ''] = value.split('.');
    const flipped = (tag.startsWith('A') ? 'B' : 'A') + tag.slice(1);
    const forged = {
      later: `${Number(expires) + 60_000}.${tag}`,
      'another tag': `${expires}.${flipped}`,
      'a cut tag': `${expires}.${tag.slice(0, -1)}`,
      'a longer tag': `${expires}.${tag}A`,
      'no tag': `${expires}.`,
      'no time': `.${tag}`,
      'not a time': `NaN.${tag}`,
      'another way to write the time': `0${expires}.${tag}`,
      nothing: '',
    };
    for (const [what, cookie] of Object.entries(forged)) {
      const answer = await stage.linkOf(person).call('GET', '/request', undefined, {
        cookie: `${name}=${cookie}`,
      });
      expect([what, ...refusal(answer)]).toEqual([what, ...CODE_NEEDED]);
    }
    const kept = await stage.linkOf(person).call('GET', '/request', undefined, {
      cookie: `other=1; ${name}=${value}; last=2`,
    });
    expect(kept.status).toBe(200);
  });

  it('another signer’s session is refused under any cookie name', async () => {
    const request = await stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const own = await session(one);
    const [fellow, stranger] = [await session(two), await session(await newSigner())];
    for (const other of [fellow, stranger]) {
      for (const cookie of [`${other.name}=${other.value}`, `${own.name}=${other.value}`]) {
        const answer = await stage.linkOf(one).call('GET', '/request', undefined, { cookie });
        expect(refusal(answer)).toEqual(CODE_NEEDED);
      }
      // The other signer's link with the own session.
      const token = other.signer.token;
      const answer = await own.signer.call('GET', '/request', undefined, { 'x-signing-token': token });
      expect(refusal(answer)).toEqual(CODE_NEEDED);
    }
    expect((await own.signer.view()).body.signer.id).toBe(one.id);
  });

  it('two links have separate sessions in one browser', async () => {
    const [one, two] = [await session(await newSigner()), await session(await newSigner())];
    const cookie = `${one.name}=${one.value}; ${two.name}=${two.value}`;
    for (const { signer } of [one, two])
      expect((await signer.call('GET', '/request', undefined, { cookie })).status).toBe(200);
  });
});

describe('link tokens', () => {
  it('a link’s token is accepted in its header only', async () => {
    const { access_token: token, email } = await newSigner();
    const bare = stage.service.signer('');
    for (const path of [
      `/open?token=${token}`,
      `/open?X-Signing-Token=${token}`,
      `/open?access_token=${token}`,
    ]) {
      expect(refusal(await bare.call('POST', path))).toEqual([404, 'not_found']);
    }
    for (const path of [`/open/${token}`, `/${token}/open`, `/sign/${token}`])
      expect(refusal(await bare.call('POST', path))).toEqual([404, 'not_found']);
    const cookies = await bare.call('POST', '/open', undefined, { cookie: `X-Signing-Token=${token}` });
    expect(refusal(cookies)).toEqual([404, 'not_found']);
    const inBody = await bare.call('POST', '/verify', { token, code: stage.service.code(email) });
    expect(refusal(inBody)).toEqual([404, 'not_found']);
  });

  it('a link’s token is not accepted as an API key, nor an API key as a token', async () => {
    const { access_token: token } = await newSigner();
    const asKey = await fetch(`${stage.service.baseUrl}/api/v1/signatures`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asKey.status).toBe(401);
    expect(refusal(await stage.service.signer(stage.client.apiKey).open())).toEqual([404, 'not_found']);
  });
});

it('a cross-site request is refused by its media type and gets no CORS headers', async () => {
  const { signer } = await session(await newSigner());
  const plain = await signer.call('POST', '/sign', {}, { 'content-type': 'text/plain' });
  expect(refusal(plain)).toEqual([415, 'unsupported_media_type']);
  const preflight = await fetch(`${stage.service.baseUrl}/api/signing/v1/sign`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  const foreign = await signer.call('GET', '/request', undefined, { origin: 'https://evil.example' });
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
});

it('a call to API Gateway’s own URL is refused, even with a viewer address header', async () => {
  const person = await newSigner();
  for (const url of Object.values(stage.service.cloud.apiUrls)) {
    for (const at of [url, `${url}/api`, `${url}/v1`, `${url}/prod`]) {
      const response = await fetch(`${at}/api/signing/v1/open`, {
        method: 'POST',
        headers: { 'x-signing-token': person.access_token, 'x-viewer-address': '203.0.113.9' },
      });
      expect(response.status).toBeGreaterThanOrEqual(403);
      expect(response.status).toBeLessThan(405);
    }
  }
  expect(await stage.trail(first(await requestsOf(person)), 'link_opened')).toEqual([]);
});

const requestsOf = async (person: Invited): Promise<string[]> => {
  const { body } = await stage.client.get('/api/v1/signatures?limit=100');
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  const requests = await Promise.all(ids.map((id) => stage.get(id)));
  return requests
    .filter(({ signers }) => signers.some(({ id }: Invited) => id === person.id))
    .map(({ id }) => id);
};

it('the recorded address is the one CloudFront saw, not one from a client’s header', async () => {
  const request = await stage.send();
  const { signer } = await session(first(request.signers));
  const { body: view } = await signer.view();
  const claimed = {
    'x-viewer-address': '203.0.113.9',
    'x-forwarded-for': '203.0.113.9',
    'user-agent': 'Telephone',
  };
  const body = {
    document_sha256: view.document.sha256,
    consent_version: view.consent.version,
    consent_locale: 'en',
    name: 'Me',
    signature: { type: 'typed', text: 'Me' },
  };
  expect((await signer.call('POST', '/sign', body, claimed)).status).toBe(200);
  const { body: signers } = await stage.client.get(`/api/v1/signatures/${request.id}/signers`);
  expect(signers.data[0].ip_address).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(signers.data[0].user_agent).toBe('Telephone');
});

it('every response has the security headers and does not reveal the platform', async () => {
  const person = await newSigner();
  const { signer } = await session(person);
  const answers = {
    'a view': await signer.view(),
    'a document': await signer.call('GET', '/document'),
    'an opening': await signer.open(),
    'a refusal': await stage.linkOf(person).view(),
    'a dead link': await stage.service.signer('nothing').open(),
    'an unknown path': await signer.call('GET', '/nothing'),
  };
  for (const [what, { headers }] of Object.entries(answers)) {
    expect({ what, ...Object.fromEntries(headers) }).toMatchObject({
      what,
      'cache-control': expect.stringContaining('no-store'),
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    for (const revealing of ['x-amz-apigw-id', 'x-amzn-trace-id', 'x-powered-by'])
      expect([what, headers.get(revealing)]).toEqual([what, null]);
  }
});
