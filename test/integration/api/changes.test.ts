/** @behaviour dynamodb.conditions api-gateway.proxy-event */

import { cancelSignature, resendInvitation } from '../../../shared/contract/signatures.ts';
import { CLIENT_SETTINGS } from '../../../shared/runtime/clients.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { first } from '../../support/signing-stage.ts';
import { rounds } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let receiver: Receiver;
let pdf: string;
let counter = 0;

const PATH = '/api/v1/signatures';
const SDK_ATTEMPTS = CLIENT_SETTINGS.maxAttempts;
async function create(signers = 1) {
  counter += 1;
  const people = Array.from({ length: signers }, (_, n) => ({
    email: `c${counter}s${n}@example.com`,
    name: `Signer ${n}`,
  }));
  const { body } = await client.post(PATH, {
    title: `Contract ${counter}`,
    signers: people,
    document: { content_base64: pdf },
  });
  return body as { id: string; signers: { id: string; email: string; access_token: string }[] };
}

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
  client = await service.client();
  receiver = await service.receiver(client);
});
afterAll(() => service?.stop());

describe('cancel', () => {
  it('cancelling ends the request, invalidates its links at once and records the reason', async () => {
    const { id, signers } = await create(2);
    const answer = await client.post(`${PATH}/${id}/cancel`, { reason: 'Not needed' });
    expect(answer.status).toBe(200);
    expect(cancelSignature.answer.parse(answer.body)).toEqual(answer.body);
    const { body } = await client.get(`${PATH}/${id}`);
    expect(body).toMatchObject({ status: 'cancelled', cancelled_at: answer.body.cancelled_at });
    expect(body.signers.map(({ status }: { status: string }) => status)).toEqual([
      'invalidated',
      'invalidated',
    ]);
    expect(
      body.audit_trail.events.find(({ type }: { type: string }) => type === 'request_cancelled').details,
    ).toEqual({ reason: 'Not needed' });
    const refusedLink = await service.signer(first(signers).access_token).open();
    expect([refusedLink.status, refusedLink.body.error]).toEqual([409, 'link_cancelled']);
    const document = await client.get(`${PATH}/${id}/document`);
    expect([document.status, document.body.error]).toEqual([409, 'request_cancelled']);
    const again = await client.post(`${PATH}/${id}/cancel`);
    expect([again.status, again.body.error]).toEqual([409, 'request_not_cancellable']);
  });

  it('cancelling accepts no body or an empty one, and refuses a reason of 501 characters', async () => {
    for (const body of [undefined, {}, { reason: null }, { reason: ' ' }]) {
      const { id } = await create();
      expect((await client.post(`${PATH}/${id}/cancel`, body)).status).toBe(200);
      const { audit_trail } = (await client.get(`${PATH}/${id}`)).body;
      expect(audit_trail.events).toContainEqual(
        expect.objectContaining({ type: 'request_cancelled', details: { reason: null } }),
      );
    }
    const tooLong = await client.post(`${PATH}/${(await create()).id}/cancel`, { reason: 'x'.repeat(501) });
    expect([tooLong.status, tooLong.body.error]).toEqual([400, 'invalid_reason']);
  });

  it('concurrent cancels have one winner and one event in each round', async () => {
    const ids: string[] = [];
    for (let round = 0; round < rounds(50); round += 1) {
      const { id } = await create();
      const answers = await Promise.all([1, 2, 3].map(() => client.post(`${PATH}/${id}/cancel`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      ids.push(id);
    }
    const cancelled = (id: string) =>
      receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.cancelled');
    await until(() => ids.every((id) => cancelled(id).length > 0), 'every cancel event');
    expect(ids.map((id) => cancelled(id).length)).toEqual(ids.map(() => 1));
  }, 120_000);

  it('a request cancelled during the last signature is either cancelled or signed in each round', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < rounds(50); round += 1) {
      const { id, signers } = await create();
      const { email, access_token } = first(signers);
      const signer = await service.verifiedSigner(access_token, email);
      const { body: view } = await signer.view();
      const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
      const [cancelled, signed] = await Promise.all([
        wait().then(() => client.post(`${PATH}/${id}/cancel`)),
        wait().then(() =>
          signer.call('POST', '/sign', {
            document_sha256: view.document.sha256,
            consent_version: view.consent.version,
            consent_locale: 'en',
            name: 'Me',
            signature: { type: 'typed', text: 'Me' },
          }),
        ),
      ]);
      expect([cancelled.status, signed.status].sort()).toEqual([200, 409]);
      outcomes.add(cancelled.status === 200 ? 'cancelled' : 'signed');
      const { body } = await client.get(`${PATH}/${id}`);
      expect(cancelled.status === 200 ? ['cancelled'] : ['awaiting_stamp', 'signed']).toContain(body.status);
    }
  }, 180_000);

  it('cancelling takes five AWS calls', async () => {
    const { id } = await create();
    await until(async () => {
      const { body } = await client.get(`${PATH}/${id}`);
      return body.audit_trail.events.length >= 4;
    }, 'the invitation and both deliveries to be written, which would race the cancel');
    expect(await service.callsOf('cancel-signature', () => client.post(`${PATH}/${id}/cancel`))).toHaveLength(
      5,
    );
  });
});

describe('resend', () => {
  it('a resend mails a new code, invalidates the old one, removes the lock and changes the locale', async () => {
    const { id, signers } = await create();
    const { id: signerId, email, access_token } = first(signers);
    const old = service.code(email);
    const signer = service.signer(access_token);
    for (let n = 0; n < 5; n += 1) await signer.verify(old === '111111' ? '222222' : '111111');
    expect((await signer.verify(old)).body.error).toBe('locked');

    const answer = await client.post(`${PATH}/${id}/signers/${signerId}/resend`, { locale: 'fi' });
    expect(answer.status).toBe(200);
    expect(resendInvitation.answer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ ok: true, signer_id: signerId, email_sent: true, email_error: null });
    expect(service.mails(email)).toHaveLength(2);
    const current = service.code(email);
    if (current !== old)
      expect((await signer.verify(old)).body).toMatchObject({ error: 'wrong_code', attempts_left: 4 });
    expect((await signer.verify(current)).status).toBe(200);
    const { body } = await client.get(`${PATH}/${id}`);
    expect(body.signers[0].locale).toBe('fi');
  });

  it('a resend is refused for a signer who has signed and for an ended request, and not found for other owners', async () => {
    const { id, signers } = await create(2);
    const [one, two] = signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    await (await service.verifiedSigner(one.access_token, one.email)).sign();
    const signed = await client.post(`${PATH}/${id}/signers/${one.id}/resend`);
    expect([signed.status, signed.body.error]).toEqual([409, 'signer_not_active']);
    expect((await client.post(`${PATH}/${id}/signers/${id}/resend`)).status).toBe(404);
    await client.post(`${PATH}/${id}/cancel`);
    expect((await client.post(`${PATH}/${id}/signers/${two.id}/resend`)).status).toBe(409);
    const stranger = await service.client();
    expect((await stranger.post(`${PATH}/${id}/signers/${two.id}/resend`)).status).toBe(404);
  });

  it('a successful resend changes a pending request to sent', async () => {
    const { body: created } = await client.post(PATH, {
      title: 'Pending',
      signers: [{ email: 'late@example.com' }],
      document: { content_base64: pdf },
    });
    expect(created.status).toBe('sent');
    service.refuseMail('create-signature');
    const { body: pending } = await client.post(PATH, {
      title: 'Pending',
      signers: [{ email: 'later@example.com' }],
      document: { content_base64: pdf },
    });
    expect(pending.status).toBe('pending');
    await client.post(`${PATH}/${pending.id}/signers/${pending.signers[0].id}/resend`);
    expect((await client.get(`${PATH}/${pending.id}`)).body).toMatchObject({ status: 'sent' });
  });

  it('after 20 concurrent resends only the code of the last mail is valid', async () => {
    const { id, signers } = await create();
    const { id: signerId, email, access_token } = first(signers);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`${PATH}/${id}/signers/${signerId}/resend`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const mails = service.mails(email);
    expect(mails).toHaveLength(21);
    const [last, ...older] = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
    const signer = service.signer(access_token);
    const stale = older.find((code) => code !== last) ?? '';
    expect((await signer.verify(stale)).body.error).toBe('wrong_code');
    expect((await signer.verify(last ?? '')).status).toBe(200);
  });
});

describe('a database without capacity', () => {
  it('a change is refused with a time to come back, has changed nothing, and succeeds then', async () => {
    const { id } = await create();
    for (let attempt = 1; attempt <= SDK_ATTEMPTS; attempt += 1)
      service.fault({
        service: 'dynamodb',
        operation: 'TransactWriteItems',
        function: 'cancel-signature',
        after: attempt,
        effect: 'error',
        error_code: 'ThrottlingException',
      });
    const { status, headers, body } = await client.post(`${PATH}/${id}/cancel`);
    expect([status, body.error]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.get(`${PATH}/${id}`)).body.status).toBe('sent');
    expect((await client.post(`${PATH}/${id}/cancel`)).status).toBe(200);
  });
});

describe('uploads', () => {
  const newForm = async () => {
    const { status, body } = await client.post('/api/v1/uploads');
    expect(status).toBe(201);
    return body as { upload_id: string; url: string; fields: Record<string, string> };
  };
  /** Returns the status of S3's answer. */
  const sendTo = async ({ url, fields }: Awaited<ReturnType<typeof newForm>>, file: Buffer, type: string) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields))
      data.set(name, name === 'Content-Type' ? type : value);
    data.set('file', new Blob([new Uint8Array(file)], { type }));
    return (await fetch(url, { method: 'POST', body: data })).status;
  };
  const uploadFile = async (file: Buffer, type = 'application/pdf') => {
    const form = await newForm();
    return { id: form.upload_id, status: await sendTo(form, file, type) };
  };
  const createFrom = (owner: ApiClient, id: string) =>
    owner.post(PATH, {
      title: 'Uploaded',
      signers: [{ email: 'up@example.com' }],
      document: { upload_id: id },
    });

  it('an upload replaces inline content once, for its owner only, within an hour', async () => {
    const file = Buffer.from(pdf, 'base64');
    const upload = await uploadFile(file);
    expect(upload.status).toBeLessThan(300);
    const stranger = await service.client();
    expect((await createFrom(stranger, upload.id)).body.error).toBe('invalid_upload');
    const created = await createFrom(client, upload.id);
    expect(created.status).toBe(200);
    expect((await createFrom(client, upload.id)).body).toMatchObject({ error: 'invalid_upload' });
    const [late, unsent] = [await uploadFile(file), await newForm()];
    service.advance(60 * MINUTE);
    expect((await createFrom(client, late.id)).body.error).toBe('invalid_upload');
    expect(await sendTo(unsent, file, 'application/pdf')).toBe(403);
  });

  it('an upload of another type or over 10 MB is refused by its form', async () => {
    expect((await uploadFile(Buffer.from(pdf, 'base64'), 'text/html')).status).toBe(403);
    expect((await uploadFile(Buffer.alloc(10_485_761))).status).toBe(400);
  });

  it('an upload without a file is refused', async () => {
    const { body } = await client.post('/api/v1/uploads');
    expect((await createFrom(client, body.upload_id)).body).toMatchObject({ error: 'invalid_upload' });
  });
});
