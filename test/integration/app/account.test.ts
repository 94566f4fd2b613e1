import { randomUUID } from 'node:crypto';
import { AppClient } from '../../support/app-client.ts';
import { makePdf } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: Service;
let organizationId: string;
let admin: AppClient;

const PATH = '/api/v1/signatures';
const newRequest = async () => ({
  title: 'Lease',
  signers: [{ email: 'signer@example.com', name: 'Sam' }],
  document: { content_base64: (await makePdf()).toString('base64') },
});

beforeAll(async () => {
  service = await Service.start();
  const created = await service.admin('org', 'create', '--name', 'Acme', '--subscription', 'active');
  organizationId = created.organization_id;
  await service.admin(
    'user',
    'create',
    '--email',
    'admin@example.com',
    '--org',
    organizationId,
    '--role',
    'admin',
  );
  admin = await AppClient.signedIn(service, 'admin@example.com');
  admin.owner = organizationId;
});
afterAll(() => service?.stop());

describe('the account of an organization', () => {
  it('an admin invites a person, who is told by mail, signs in and acts for the organization', async () => {
    const invited = await admin.call('POST', '/members', {
      email: 'Mia@Example.com',
      role: 'member',
      locale: 'sv',
    });
    expect(invited).toMatchObject({ status: 200, body: { email: 'mia@example.com', role: 'member' } });
    const [mail] = await until(() => {
      const mails = service.mails('mia@example.com');
      return mails.length > 0 && mails;
    }, 'the mail to the new member');
    expect(mail).toMatchObject({ subject: 'Acme har gett dig åtkomst' });
    expect(mail?.text).toContain(`${service.baseUrl}/app`);
    const mia = await AppClient.signedIn(service, 'mia@example.com');
    expect((await mia.call('GET', '/me')).body.owners).toMatchObject([
      { owner: 'user', role: 'user', subscription: 'none' },
      { owner: organizationId, name: 'Acme', role: 'member', subscription: 'active' },
    ]);
    mia.owner = organizationId;
    expect((await mia.call('GET', '/api-keys')).body.error).toBe('admin_required');
    expect((await mia.call('GET', '/api/v1/webhook-endpoints')).body.error).toBe('admin_required');
    expect((await mia.call('GET', PATH)).status).toBe(200);
    expect((await admin.call('DELETE', `/members/${invited.body.user_id}`)).status).toBe(200);
    expect((await mia.call('GET', PATH)).body.error).toBe('not_found');
  });

  it('a user cannot act for an organization to which they do not belong', async () => {
    await service.admin('user', 'create', '--email', 'eve@example.com', '--subscription', 'active');
    const eve = await AppClient.signedIn(service, 'eve@example.com');
    eve.owner = organizationId;
    for (const path of [PATH, '/members', '/api-keys', '/brand'])
      expect([path, (await eve.call('GET', path)).body.error]).toEqual([path, 'not_found']);
    eve.owner = undefined;
    expect((await eve.call('GET', PATH)).body.error).toBe('invalid_request');
  });

  it('a page that shows one user does nothing with the session of another', async () => {
    const { user } = (await admin.call('GET', '/me')).body;
    const shown = (userId: string) => ({ 'x-user': userId });
    for (const path of ['/me', '/members', PATH]) {
      const own = await admin.call('GET', path, undefined, shown(user.user_id));
      const older = await admin.call('GET', path, undefined, shown(randomUUID()));
      expect([path, own.status, older.status, older.body.error]).toEqual([
        path,
        200,
        401,
        'sign_in_required',
      ]);
    }
  });

  it('the last admin stays', async () => {
    const { data } = (await admin.call('GET', '/members')).body;
    const { user_id: userId } = data.find(({ role }: { role: string }) => role === 'admin');
    expect((await admin.call('PATCH', `/members/${userId}`, { role: 'member' })).body.error).toBe(
      'last_admin',
    );
    expect((await admin.call('DELETE', `/members/${userId}`)).body.error).toBe('last_admin');
  });

  it('a key is shown once, works, is listed with its last use, and ends when it is revoked', async () => {
    const { body: key } = await admin.call('POST', '/api-keys', { name: 'Shop', test: true });
    expect(key.api_key.startsWith(key.prefix)).toBe(true);
    const client = new ApiClient(service.baseUrl, key.api_key);
    expect((await client.get(PATH)).status).toBe(200);
    const listed = await admin.call('GET', '/api-keys');
    expect(listed.bytes.toString()).not.toContain(key.api_key);
    expect(listed.body.data).toMatchObject([
      { key_id: key.key_id, name: 'Shop', test: true, last_used_at: expect.any(String), revoked_at: null },
    ]);
    expect((await admin.call('DELETE', `/api-keys/${key.key_id}`)).status).toBe(200);
    expect((await client.get(PATH)).status).toBe(401);
    const types = (await service.admin('account', 'log', organizationId)).map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toEqual(expect.arrayContaining(['key_created', 'key_revoked', 'member_added']));
  });

  it('the admin of one organization touches no key and no member of another', async () => {
    const rivals = await service.admin('org', 'create', '--name', 'Rivals', '--subscription', 'active');
    const person = ['--email', 'rival@example.com', '--org', rivals.organization_id, '--role', 'admin'];
    await service.admin('user', 'create', ...person);
    const rival = await AppClient.signedIn(service, 'rival@example.com');
    const { user } = (await admin.call('GET', '/me')).body;
    const { body: key } = await admin.call('POST', '/api-keys', { name: 'Ours', test: true });
    for (const owner of [rivals.organization_id, 'user']) {
      rival.owner = owner;
      const revoked = await rival.call('DELETE', `/api-keys/${key.key_id}`);
      const removed = await rival.call('DELETE', `/members/${user.user_id}`);
      const demoted = await rival.call('PATCH', `/members/${user.user_id}`, { role: 'member' });
      expect([revoked, removed, demoted].map(({ body }) => body.error)).toEqual(Array(3).fill('not_found'));
    }
    expect((await new ApiClient(service.baseUrl, key.api_key).get(PATH)).status).toBe(200);
    expect((await admin.call('GET', '/members')).status).toBe(200);
  });

  it('brand and notices are changed, and faults name their field', async () => {
    const brand = { display_name: 'Acme Homes', accent: '#1a5fb4', time_zone: 'Europe/Helsinki' };
    expect((await admin.call('PATCH', '/brand', brand)).body).toMatchObject({ ...brand, logo: null });
    expect((await admin.call('GET', '/brand')).body).toMatchObject(brand);
    const wrong = { accent: '#ffff00', reply_to: 'nobody', display_name: 'Acme' };
    expect((await admin.call('PATCH', '/brand', wrong)).body).toMatchObject({
      error: 'invalid_request',
      field: '/accent',
      errors: [
        { field: '/accent', message: expect.stringMatching(/^accent is too light/) },
        { field: '/reply_to', message: 'reply_to must be an e-mail address.' },
      ],
    });
    const notices = { notify: 'office@example.com', signer_notices: false, reminders: false };
    expect((await admin.call('PATCH', '/notices', notices)).body).toEqual(notices);
    expect((await admin.call('PATCH', '/notices', { notify: null })).body).toEqual({
      ...notices,
      notify: null,
    });
  });
});

describe('requests made on the dashboard', () => {
  it('a request names the user who made it, who gets its notices', async () => {
    const { status, body } = await admin.call('POST', PATH, await newRequest());
    expect(status).toBe(200);
    expect((await admin.call('GET', `${PATH}/${body.id}`)).body).toMatchObject({
      created_via: 'web',
      sender_email: 'admin@example.com',
      organization_id: organizationId,
      test: false,
    });
    expect((await service.admin('request', 'verify-audit', body.id)).intact).toBe(true);
    const signer = await service.verifiedSigner(body.signers[0].access_token, 'signer@example.com');
    expect((await signer.decline('No')).body).toMatchObject({ sender_notified: true });
    await until(
      () => service.mails('admin@example.com').some(({ subject }) => subject.startsWith('Declined')),
      'the notice to the user',
    );
  });

  it('X-Mode tells test requests from live ones', async () => {
    const test = { 'x-mode': 'test' };
    const { body } = await admin.call('POST', PATH, await newRequest(), test);
    expect((await admin.call('GET', `${PATH}/${body.id}`)).body.error).toBe('not_found');
    expect((await admin.call('GET', `${PATH}/${body.id}`, undefined, test)).body.test).toBe(true);
    expect((await admin.call('GET', PATH, undefined, { 'x-mode': 'both' })).body.error).toBe(
      'invalid_request',
    );
  });

  it('an idempotency key belongs to the owner, whoever of its users sends it', async () => {
    await service.admin('user', 'create', '--email', 'tom@example.com', '--org', organizationId);
    const tom = await AppClient.signedIn(service, 'tom@example.com');
    const request = await newRequest();
    const key = { 'idempotency-key': 'one' };
    const first = await admin.call('POST', PATH, request, key);
    tom.owner = organizationId;
    const again = await tom.call('POST', PATH, request, key);
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    tom.owner = 'user';
    expect((await tom.call('POST', PATH, request, key)).body.error).toBe('subscription_required');
  });
});
