/** @behaviour api-gateway.proxy-event dynamodb.conditions ses.refused-fields */

import { createSignature, getSignature, listSigners } from '../../../shared/contract/signatures.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { craft, ONE_PAGE } from '../../unit/sealing/craft.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const PATH = '/api/v1/signatures';
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
});
afterAll(() => service?.stop());

describe('create', () => {
  it('creating a request returns the contract’s response, mails every signer, and can be read back', async () => {
    const signers = [
      { email: ' Ann@Example.com ', name: 'Ann', locale: 'fi' },
      { email: 'bob@example.com' },
      { email: 'cé@example.com'.replace('é', 'e'), name: 'Cé', locale: 'de' },
    ];
    const created = await client.post(
      PATH,
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
      // The request's id, and a secret of 256 bits.
      expect(signer.access_token).toMatch(/^[\w-]{22}[\w-]{43}$/);
      expect(signer.sign_url).toBe(`${service.baseUrl}/sign/${signer.access_token}`);
      expect(signer).toMatchObject({ email_sent: true, email_error: null });
      const [mail] = service.mails(signer.email);
      expect(mail?.text).toContain(signer.sign_url);
      expect(mail?.text).toMatch(/\b\d{6}\b/);
      expect(mail?.text).toContain('Lease of a flat');
    }

    const read = await client.get(`${PATH}/${created.body.id}`);
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

    const listed = await client.get(`${PATH}/${created.body.id}/signers`);
    expect(listSigners.answer.parse(listed.body)).toEqual(listed.body);
    expect(listed.body.data.map((signer: { position: number }) => signer.position)).toEqual([0, 1, 2]);
    expect(listed.body.data[1].name_as_invited).toBeNull();
  });

  it('the creation and the invitation are recorded in the audit trail', async () => {
    const { body: created } = await client.post(PATH, body());
    const read = await until(async () => {
      const { body: now } = await client.get(`${PATH}/${created.id}`);
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

  it('the deprecated form with a single signer is accepted, and its fields are returned', async () => {
    const { signers: _, ...legacy } = body();
    const created = await client.post(PATH, {
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
    const read = await client.get(`${PATH}/${created.body.id}`);
    expect(read.body).toMatchObject({
      token: signer.access_token,
      signer_email: 'dan@example.com',
      signer_name: 'Dan',
      opened_at: null,
    });
  });

  it('metadata is returned verbatim', async () => {
    const metadata = '{"z": 1.10, "2": 12345678901234567890, "1": "x", "nested": {"b": 1e2, "a": null}}';
    const text = JSON.stringify(body()).replace(/}$/, `,"metadata":${metadata}}`);
    const created = await client.post(PATH, text);
    const read = await client.get(`${PATH}/${created.body.id}`);
    expect(read.bytes.toString()).toContain(`"metadata":${metadata}`);
  });

  it('reference and return address come back, and the deadline is the one asked for', async () => {
    const fields = { reference: 'Case 2026/7', return_url: 'https://shop.example.com/back?order=7' };
    const { body: created } = await client.post(PATH, body({ ...fields, expires_in_days: 3 }));
    const { body: read } = await client.get(`${PATH}/${created.id}`);
    expect(read).toMatchObject(fields);
    expect(Date.parse(read.expires_at) - Date.parse(read.created_at)).toBe(3 * DAY);
    expect(read.expires_at).toBe(created.expires_at);
    const { body: list } = await client.get(`${PATH}?limit=1`);
    expect(list.data).toMatchObject([{ id: created.id, reference: 'Case 2026/7' }]);
  });

  it('a request without reference and return address has none, and thirty days', async () => {
    const { body: created } = await client.post(PATH, body({ reference: ' ', return_url: null }));
    const { body: read } = await client.get(`${PATH}/${created.id}`);
    expect(read).toMatchObject({ reference: null, return_url: null });
    expect(Date.parse(read.expires_at) - Date.parse(read.created_at)).toBe(30 * DAY);
  });

  it('invitations are sent for the owner with the longest name in any script', async () => {
    const owner = await service.client();
    for (const name of ['株式会社'.repeat(50), '👩🏽‍🚀'.repeat(28)]) {
      await service.admin('org', 'rename', owner.ownerId, name);
      const created = await owner.post(PATH, body());
      expect(created.body.signers[0]).toMatchObject({ email_sent: true, email_error: null });
    }
  });

  it('each signer has a mail outcome, and a request stays pending if no mail was sent', async () => {
    const some = await client.post(
      PATH,
      body({ signers: [{ email: 'reject@example.com' }, { email: 'eve@example.com' }] }),
    );
    expect(some.body.status).toBe('sent');
    expect(some.body.signers.map((signer: { email_sent: boolean }) => signer.email_sent)).toEqual([
      false,
      true,
    ]);
    expect(some.body.signers[0].email_error).toBe('rejected');
    const none = await client.post(PATH, body({ signers: [{ email: 'reject@example.com' }] }));
    expect(none.body.status).toBe('pending');
    const read = await client.get(`${PATH}/${none.body.id}`);
    expect(read.body).toMatchObject({ status: 'pending', sent_at: null });
    expect(read.body.signers[0]).toMatchObject({ status: 'pending', sent_at: null });
  });

  const twentyOne = Array.from({ length: 21 }, (_, n) => ({ email: `s${n}@example.com` }));
  type Refusal = [string, () => Record<string, unknown>, string, string];
  const refusals: Refusal[] = [
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
    ['an empty list of signers', () => body({ signers: [] }), 'signers_required', 'signers'],
    ['no signers', () => body({ signers: undefined }), 'signers_required', 'signers'],
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
      () => body({ signers: [{ email: 'a@example.com', locale: 'xx' }] }),
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
    ['a long reference', () => body({ reference: 'x'.repeat(201) }), 'invalid_reference', 'reference'],
    ['a reference of two lines', () => body({ reference: 'a\nb' }), 'invalid_reference', 'reference'],
    ...['http://example.com/', 'javascript:alert(1)', 'back', 'https://ann:secret@example.com/', 7].map(
      (address): Refusal => [
        `the return address ${address}`,
        () => body({ return_url: address }),
        'invalid_return_url',
        'return_url',
      ],
    ),
    ...[0, 31, 1.5, '7', null].map(
      (days): Refusal => [
        `a deadline of ${JSON.stringify(days)} days`,
        () => body({ expires_in_days: days }),
        'invalid_expiry',
        'expires_in_days',
      ],
    ),
    ['no document', () => body({ document: undefined }), 'document_required', 'document'],
    ['an empty document', () => body({ document: {} }), 'document_required', 'content_base64'],
    [
      'broken base64',
      () => body({ document: { content_base64: 'abc$' } }),
      'invalid_base64',
      'document.content_base64',
    ],
    [
      'a file that is not a PDF',
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
  it.each(refusals)('a request with %s is refused, naming the field', async (_, makeBody, code, field) => {
    const { status, body: answer } = await client.post(PATH, makeBody());
    expect([status, answer.error]).toEqual([400, code]);
    expect(answer.message).toContain(field);
  });

  const page = (entries: string) => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] ${entries}>>`;
  const catalog = (entries: string) => `<</Type /Catalog /Pages 2 0 R ${entries}>>`;
  const layers = '/OCProperties <</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>';
  const printed = '<</Type /OCG /Name (A) /Usage <</Print <</PrintState /ON>>>>>>';
  it.each<[string, Record<string, string>]>([
    ['JavaScript', { 1: catalog('/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>') }],
    [
      'a Launch action on page 1',
      { 3: page('/Annots [<</Subtype /Link /Rect [0 0 9 9] /A <</S /Launch /F (calc.exe)>>>>]') },
    ],
    [
      'an annotation that is printed but not shown on page 1',
      { 3: page('/Annots [<</Subtype /Stamp /Rect [0 0 9 9] /F 36>>]') },
    ],
    ['a layer that is printed but not shown', { 1: catalog(layers), 4: printed }],
  ])('a document with %s is refused, and nobody is mailed', async (found, objects) => {
    const document = { content_base64: craft({ objects: { ...ONE_PAGE, ...objects } }).toString('base64') };
    const signers = [{ email: 'guarantor@example.com' }];
    const { status, body: answer } = await client.post(PATH, body({ document, signers }));
    expect([status, answer.error]).toEqual([400, 'pdf_active_content']);
    expect(answer.message).toContain(found);
    expect(service.mails('guarantor@example.com')).toEqual([]);
  });

  it('two signers with the same address are refused, regardless of case and spaces', async () => {
    const answer = await client.post(
      PATH,
      body({ signers: [{ email: 'x@example.com' }, { email: ' X@EXAMPLE.com' }] }),
    );
    expect([answer.status, answer.body.error]).toEqual([409, 'duplicate_signer']);
    expect(answer.body.message).toContain('signers[1].email');
  });

  it('a body that is not a JSON object, or has another media type, is refused', async () => {
    expect((await client.post(PATH, '{"title":')).body.error).toBe('invalid_json');
    expect((await client.post(PATH, '[]')).body.error).toBe('invalid_request');
    const form = await client.post(PATH, 'title=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  it('live requests require an active subscription; test requests need none', async () => {
    const none = await service.client({ subscription: 'none' });
    expect(await none.post(PATH, body())).toMatchObject({
      status: 402,
      body: { error: 'subscription_required' },
    });
    const inactive = await service.client({ subscription: 'inactive' });
    expect(await inactive.post(PATH, body())).toMatchObject({
      status: 402,
      body: { error: 'subscription_inactive' },
    });
    const test = await service.client({ subscription: 'none', test: true });
    const created = await test.post(PATH, body({ signers: [{ email: 'tess@example.com' }] }));
    expect(created.status).toBe(200);
    expect((await test.get(`${PATH}/${created.body.id}`)).body.test).toBe(true);
    expect(service.mails('tess@example.com')[0]?.subject).toContain('TEST');
  });
});
