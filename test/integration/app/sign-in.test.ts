import { HOUR } from '../../../shared/runtime/time.ts';
import { AppClient } from '../../support/app-client.ts';
import { Service } from '../../support/service.ts';

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service?.stop());

const newUser = (email: string) =>
  service.admin('user', 'create', '--email', email, '--subscription', 'active');

describe('signing in on the dashboard', () => {
  it('a user signs in with a mailed code, sees who they are, and signs out', async () => {
    const { user_id: userId } = await newUser('mia@example.com');
    const app = new AppClient(service);
    const asked = await app.call('POST', '/sign-in', { email: ' Mia@Example.com', locale: 'fi' });
    expect(asked).toMatchObject({
      status: 200,
      body: { sent: true, code_expires_at: expect.any(String), next_code_at: expect.any(String) },
    });
    const code = await app.mailedCode('mia@example.com');
    expect(service.mails('mia@example.com')[0]).toMatchObject({ subject: 'Kirjautumiskoodisi' });
    const signedIn = await app.call('POST', '/sign-in/verify', { code });
    expect(signedIn).toMatchObject({
      status: 200,
      body: {
        user: { user_id: userId, email: 'mia@example.com' },
        owners: [{ owner: 'user', name: 'mia@example.com', role: 'user', subscription: 'active' }],
      },
    });
    expect((await app.call('GET', '/me')).body).toEqual(signedIn.body);
    expect((await app.call('PATCH', '/me', { locale: 'sv' })).body).toMatchObject({ locale: 'sv' });
    expect((await app.call('GET', '/me')).body.user).toMatchObject({ user_id: userId, locale: 'sv' });
    expect((await app.call('PATCH', '/me', { locale: 'xx' })).body.error).toBe('invalid_locale');
    expect(app.headers.cookie).toContain('__Host-app=');
    expect(await app.call('POST', '/sign-out')).toMatchObject({ status: 200, body: { signed_out: true } });
    expect(app.headers.cookie ?? '').not.toContain('__Host-app=');
    expect(await app.call('GET', '/me')).toMatchObject({ status: 401, body: { error: 'sign_in_required' } });
    const log = await service.admin('account', 'log', userId);
    expect(log.map(({ type }: { type: string }) => type)).toEqual(['signed_out', 'signed_in']);
  });

  it('the answer is the same whether or not a user has the address', async () => {
    await newUser('known@example.com');
    const answers = [];
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const app = new AppClient(service);
      const { status, body } = await app.call('POST', '/sign-in', { email });
      const wrong = await app.call('POST', '/sign-in/verify', { code: '000000' });
      const { request_id: _, ...refusal } = wrong.body;
      answers.push([status, Object.keys(body), wrong.status, refusal]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.[3]).toMatchObject({ error: 'wrong_code', attempts_left: 4 });
  });

  it('a session cookie without X-Requested-With opens nothing', async () => {
    await newUser('tom@example.com');
    const app = await AppClient.signedIn(service, 'tom@example.com');
    expect((await app.call('GET', '/me')).status).toBe(200);
    const isFromElsewhere = { 'x-requested-with': '' };
    app.owner = 'user';
    expect((await app.call('GET', '/api/v1/signatures')).status).toBe(200);
    expect((await app.call('GET', '/api/v1/signatures', undefined, isFromElsewhere)).status).toBe(401);
    expect(await app.call('GET', '/me', undefined, isFromElsewhere)).toMatchObject({
      status: 401,
      body: { error: 'sign_in_required' },
    });
  });

  it('a session is revoked from another browser, and ends by itself after twelve hours', async () => {
    await newUser('eve@example.com');
    const [lost, own] = [
      await AppClient.signedIn(service, 'eve@example.com'),
      await AppClient.signedIn(service, 'eve@example.com'),
    ];
    const { body } = await own.call('GET', '/sessions');
    expect(body.data.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const other = body.data.find(({ current }: { current: boolean }) => !current);
    expect((await own.call('DELETE', `/sessions/${other.session_id}`)).status).toBe(200);
    expect((await own.call('DELETE', `/sessions/${other.session_id}`)).body.error).toBe('not_found');
    expect((await lost.call('GET', '/me')).status).toBe(401);
    service.advance(12 * HOUR);
    expect((await own.call('GET', '/me')).status).toBe(401);
  });

  it('another user’s session cannot be revoked', async () => {
    await newUser('ann@example.com');
    await newUser('bob@example.com');
    const [ann, bob] = [
      await AppClient.signedIn(service, 'ann@example.com'),
      await AppClient.signedIn(service, 'bob@example.com'),
    ];
    const { session_id: anns } = (await ann.call('GET', '/me')).body.session;
    expect((await bob.call('DELETE', `/sessions/${anns}`)).status).toBe(404);
    expect((await ann.call('GET', '/me')).status).toBe(200);
  });

  it('unknown calls and wrong methods are answered as errors of the service', async () => {
    const app = new AppClient(service);
    expect((await app.call('GET', '/nothing')).body.error).toBe('not_found');
    const wrong = await app.call('PUT', '/me');
    expect([wrong.status, wrong.body.error, wrong.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, PATCH',
    ]);
  });
});
