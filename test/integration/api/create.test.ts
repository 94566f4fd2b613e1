import { createSignature, getSignature, listSigners } from '../../../shared/contract/signatures.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const path = '/api/v1/signatures';
const body = (overrides: Record<string, unknown> = {}) => ({
  title: 'Lease of a flat',
  signers: [{ email: 'ann@example.com', name: 'Ann' }],
  document: { filename: 'lease.pdf', content_base64: pdf },
  ...overrides,
});

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
  client = await service.client();
}, 60_000);
afterAll(() => service?.stop());

describe('creating a request', () => {
  it('answers what the contract says, mails every signer, and shows the same on reading', async () => {
    const signers = [
      { email: ' Ann@Example.com ', name: 'Ann', locale: 'fi' },
      { email: 'bob@example.com' },
      { email: 'cé@example.com'.replace('é', 'e'), name: 'Cé', locale: 'de' },
    ];
    const created = await client.post(
      path,
      body({ signers, locale: 'fr', message: 'Please', metadata: { order: 7 } }),
    );
    expect(created.status).toBe(200);
    expect(createSignature.answer.parse(created.body)).toEqual(created.body);
    expect(created.headers.get('x-request-id')).toBeTruthy();
    expect(created.body.status).toBe('sent');
    expect(created.body).not.toHaveProperty('token');
    expect(created.body.signers.map((signer: { email: string }) => signer.email)).toEqual([
      'ann@example.com',
      'bob@example.com',
      'ce@example.com',
    ]);
    expect(created.body.signers.map((signer: { locale: string }) => signer.locale)).toEqual([
      'fi',
      'fr',
      'de',
    ]);
    for (const signer of created.body.signers) {
      expect(Buffer.from(signer.access_token, 'base64url')).toHaveLength(32);
      expect(signer.sign_url).toBe(`${service.baseUrl}/sign/${signer.access_token}`);
      expect(signer).toMatchObject({ email_sent: true, email_error: null });
      const [mail] = service.mails(signer.email);
      expect(mail?.text).toContain(signer.sign_url);
      expect(mail?.text).toMatch(/\b\d{6}\b/);
      expect(mail?.text).toContain('Lease of a flat');
    }

    const read = await client.get(`${path}/${created.body.id}`);
    expect(getSignature.answer.parse(read.body)).toEqual(read.body);
    expect(read.body).toMatchObject({
      status: 'sent',
      message: 'Please',
      metadata: { order: 7 },
      owner_type: 'organization',
      organization_id: client.ownerId,
      created_via: 'api',
      sender_email: null,
      is_expired: false,
      document_hash: null,
      test: false,
    });
    expect(Date.parse(read.body.expires_at) - Date.parse(read.body.created_at)).toBe(30 * 86_400_000);
    expect(read.body.signers[1]).toMatchObject({ name: 'bob@example.com', status: 'sent' });

    const listed = await client.get(`${path}/${created.body.id}/signers`);
    expect(listSigners.answer.parse(listed.body)).toEqual(listed.body);
    expect(listed.body.data.map((signer: { position: number }) => signer.position)).toEqual([0, 1, 2]);
    expect(listed.body.data[1].name_as_invited).toBeNull();
  });

  it('writes the mails into the trail and tells the sender once', async () => {
    const { body: created } = await client.post(path, body());
    const read = await until(async () => {
      const { body: now } = await client.get(`${path}/${created.id}`);
      return now.audit_trail.events.length >= 2 && now;
    }, 'the invitation to be in the trail');
    expect(read.audit_trail.events.map((event: { type: string }) => event.type)).toEqual([
      'request_created',
      'invitation_sent',
    ]);
    expect(await service.admin('request', 'verify-audit', created.id)).toMatchObject({
      intact: true,
      events: 2,
    });
  });

  it('takes the deprecated form of one signer and answers its fields', async () => {
    const { signers: _, ...legacy } = body();
    const created = await client.post(path, {
      ...legacy,
      signer_email: 'dan@example.com',
      signer_name: 'Dan',
    });
    const [signer] = created.body.signers;
    expect(createSignature.answer.parse(created.body)).toEqual(created.body);
    expect(created.body).toMatchObject({
      token: signer.access_token,
      sign_url: signer.sign_url,
      email_sent: true,
      email_error: null,
    });
    const read = await client.get(`${path}/${created.body.id}`);
    expect(read.body).toMatchObject({
      token: signer.access_token,
      signer_email: 'dan@example.com',
      signer_name: 'Dan',
      opened_at: null,
    });
  });

  it('gives metadata back to the letter', async () => {
    const metadata = '{"z": 1.10, "2": 12345678901234567890, "1": "x", "nested": {"b": 1e2, "a": null}}';
    const text = JSON.stringify(body()).replace(/}$/, `,"metadata":${metadata}}`);
    const created = await client.post(path, text);
    const read = await client.get(`${path}/${created.body.id}`);
    expect(read.bytes.toString()).toContain(`"metadata":${metadata}`);
  });

  it('says for each signer what became of the mail, and stays pending where none went out', async () => {
    const some = await client.post(
      path,
      body({ signers: [{ email: 'reject@example.com' }, { email: 'eve@example.com' }] }),
    );
    expect(some.body.status).toBe('sent');
    expect(some.body.signers.map((signer: { email_sent: boolean }) => signer.email_sent)).toEqual([
      false,
      true,
    ]);
    expect(some.body.signers[0].email_error).toBe('rejected');
    const none = await client.post(path, body({ signers: [{ email: 'reject@example.com' }] }));
    expect(none.body.status).toBe('pending');
    const read = await client.get(`${path}/${none.body.id}`);
    expect(read.body).toMatchObject({ status: 'pending', sent_at: null });
    expect(read.body.signers[0]).toMatchObject({ status: 'pending', sent_at: null });
  });

  const twentyOne = Array.from({ length: 21 }, (_, n) => ({ email: `s${n}@example.com` }));
  const refusals: [string, () => Record<string, unknown>, string, string][] = [
    ['no title', () => body({ title: undefined }), 'invalid_title', 'title'],
    ['a blank title', () => body({ title: '   ' }), 'invalid_title', 'title'],
    ['a title of 201 characters', () => body({ title: 'x'.repeat(201) }), 'invalid_title', 'title'],
    ['a title of two lines', () => body({ title: 'a\nBcc: x@example.com' }), 'invalid_title', 'title'],
    [
      'a message of 5,001 characters',
      () => body({ message: 'x'.repeat(5_001) }),
      'invalid_message',
      'message',
    ],
    ['no signers', () => body({ signers: [] }), 'signers_required', 'signers'],
    ['signers left out', () => body({ signers: undefined }), 'signers_required', 'signers'],
    ['21 signers', () => body({ signers: twentyOne }), 'too_many_signers', 'signers'],
    [
      'a signer without e-mail',
      () => body({ signers: [{ email: 'a@example.com' }, { name: 'B' }] }),
      'invalid_signer_email',
      'signers[1].email',
    ],
    [
      'a wrong e-mail',
      () => body({ signers: [{ email: 'a@b@c' }] }),
      'invalid_signer_email',
      'signers[0].email',
    ],
    [
      'an unknown locale',
      () => body({ signers: [{ email: 'a@example.com', locale: 'sv' }] }),
      'invalid_locale',
      'signers[0].locale',
    ],
    ['an unknown default locale', () => body({ locale: 'xx' }), 'invalid_locale', 'locale'],
    [
      'both forms of signers',
      () => body({ signer_email: 'a@example.com' }),
      'ambiguous_signers',
      'signer_email',
    ],
    ['metadata that is a list', () => body({ metadata: [1] }), 'invalid_metadata', 'metadata'],
    [
      'metadata over 16 KB',
      () => body({ metadata: { x: 'y'.repeat(16_384) } }),
      'metadata_too_large',
      'metadata',
    ],
    ['no document', () => body({ document: undefined }), 'document_required', 'document'],
    ['an empty document', () => body({ document: {} }), 'document_required', 'document.content_base64'],
    [
      'broken base64',
      () => body({ document: { content_base64: 'abc$' } }),
      'invalid_base64',
      'document.content_base64',
    ],
    [
      'no PDF',
      () => body({ document: { content_base64: Buffer.from('hello there').toString('base64') } }),
      'not_a_pdf',
      'document.content_base64',
    ],
    [
      'a file name with a path',
      () => body({ document: { filename: '../x.pdf', content_base64: pdf } }),
      'invalid_filename',
      'document.filename',
    ],
    [
      'an upload that does not exist',
      () => body({ document: { upload_id: '8b0f6f6e-6f0e-4c1e-9d5c-1f8f6f0e4c1e' } }),
      'invalid_upload',
      'document.upload_id',
    ],
  ];
  it.each(refusals)('refuses %s and names the field', async (_, make, code, field) => {
    const { status, body: answer } = await client.post(path, make());
    expect([status, answer.error]).toEqual([400, code]);
    expect(answer.message).toContain(field);
  });

  it('refuses the same address twice, however it is written', async () => {
    const answer = await client.post(
      path,
      body({ signers: [{ email: 'x@example.com' }, { email: ' X@EXAMPLE.com' }] }),
    );
    expect([answer.status, answer.body.error]).toEqual([409, 'duplicate_signer']);
    expect(answer.body.message).toContain('signers[1].email');
  });

  it('refuses what is no JSON, no object, or of another media type', async () => {
    expect((await client.post(path, '{"title":')).body.error).toBe('invalid_json');
    expect((await client.post(path, '[]')).body.error).toBe('invalid_request');
    const form = await client.post(path, 'title=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  it('wants a subscription, and says whether there is none or an inactive one; test requests need none', async () => {
    const none = await service.client({ subscription: 'none' });
    expect(await none.post(path, body())).toMatchObject({
      status: 402,
      body: { error: 'subscription_required' },
    });
    const inactive = await service.client({ subscription: 'inactive' });
    expect(await inactive.post(path, body())).toMatchObject({
      status: 402,
      body: { error: 'subscription_inactive' },
    });
    const test = await service.client({ subscription: 'none', test: true });
    const created = await test.post(path, body({ signers: [{ email: 'tess@example.com' }] }));
    expect(created.status).toBe(200);
    expect((await test.get(`${path}/${created.body.id}`)).body.test).toBe(true);
    expect(service.mails('tess@example.com')[0]?.subject).toContain('TEST');
  });
});
