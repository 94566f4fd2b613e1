import { cancelSignature, resendInvitation } from '../../../shared/contract/signatures.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let receiver: Receiver;
let pdf: string;
let counter = 0;

const path = '/api/v1/signatures';
async function create(signers = 1) {
  counter += 1;
  const people = Array.from({ length: signers }, (_, n) => ({
    email: `c${counter}s${n}@example.com`,
    name: `Signer ${n}`,
  }));
  const { body } = await client.post(path, {
    title: `Contract ${counter}`,
    signers: people,
    document: { content_base64: pdf },
  });
  return body as { id: string; signers: { id: string; email: string; access_token: string }[] };
}
const first = <T>(list: T[]): T => {
  const [item] = list;
  if (item === undefined) throw new Error('The list is empty.');
  return item;
};

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
  client = await service.client();
  receiver = await service.receiver(client);
}, 60_000);
afterAll(() => service?.stop());

describe('cancelling', () => {
  it('ends the request, kills the links at once, keeps the reason, and tells once', async () => {
    const { id, signers } = await create(2);
    const answer = await client.post(`${path}/${id}/cancel`, { reason: 'Not needed' });
    expect(answer.status).toBe(200);
    expect(cancelSignature.answer.parse(answer.body)).toEqual(answer.body);
    const { body } = await client.get(`${path}/${id}`);
    expect(body).toMatchObject({ status: 'cancelled', cancelled_at: answer.body.cancelled_at });
    expect(body.signers.map(({ status }: { status: string }) => status)).toEqual([
      'invalidated',
      'invalidated',
    ]);
    expect(
      body.audit_trail.events.find(({ type }: { type: string }) => type === 'request_cancelled').details,
    ).toEqual({ reason: 'Not needed' });
    const dead = await service.signer(first(signers).access_token).open();
    expect([dead.status, dead.body.error]).toEqual([409, 'link_cancelled']);
    const document = await client.get(`${path}/${id}/document`);
    expect([document.status, document.body.error]).toEqual([409, 'not_yet_signed']);
    const again = await client.post(`${path}/${id}/cancel`);
    expect([again.status, again.body.error]).toEqual([409, 'request_not_cancellable']);
  });

  it('takes no body, an empty one, and refuses a reason of 501 characters', async () => {
    expect((await client.post(`${path}/${(await create()).id}/cancel`)).status).toBe(200);
    expect((await client.post(`${path}/${(await create()).id}/cancel`, {})).status).toBe(200);
    const tooLong = await client.post(`${path}/${(await create()).id}/cancel`, { reason: 'x'.repeat(501) });
    expect([tooLong.status, tooLong.body.error]).toEqual([400, 'invalid_reason']);
  });

  it('has one winner in each of 50 races, and one event', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      const { id } = await create();
      const answers = await Promise.all([1, 2, 3].map(() => client.post(`${path}/${id}/cancel`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      ids.push(id);
    }
    const cancelled = (id: string) =>
      receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.cancelled');
    await until(() => ids.every((id) => cancelled(id).length > 0), 'every cancel to be told');
    expect(ids.map((id) => cancelled(id).length)).toEqual(ids.map(() => 1));
  }, 120_000);

  it('races the last signature 50 times: either is cancelled or sealed, never both', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      const { id, signers } = await create();
      const { email, access_token } = first(signers);
      const signer = await service.verifiedSigner(access_token, email);
      const { body: view } = await signer.view();
      const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
      const [cancelled, signed] = await Promise.all([
        wait().then(() => client.post(`${path}/${id}/cancel`)),
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
      const { body } = await client.get(`${path}/${id}`);
      expect(cancelled.status === 200 ? ['cancelled'] : ['awaiting_stamp', 'signed']).toContain(body.status);
    }
  }, 180_000);

  it('costs four round trips', async () => {
    const { id } = await create();
    await until(async () => {
      const { body } = await client.get(`${path}/${id}`);
      return body.audit_trail.events.length >= 4;
    }, 'the invitation and both deliveries to be written, which would race the cancel');
    expect(await service.callsOf('cancel-signature', () => client.post(`${path}/${id}/cancel`))).toHaveLength(
      4,
    );
  });
});

describe('resending', () => {
  it('mails a new code, kills the old one, lifts the lock, and changes the locale for good', async () => {
    const { id, signers } = await create();
    const { id: signerId, email, access_token } = first(signers);
    const old = service.code(email);
    const signer = service.signer(access_token);
    for (let n = 0; n < 5; n += 1) await signer.verify(old === '111111' ? '222222' : '111111');
    expect((await signer.verify(old)).body.error).toBe('locked');

    const answer = await client.post(`${path}/${id}/signers/${signerId}/resend`, { locale: 'fi' });
    expect(answer.status).toBe(200);
    expect(resendInvitation.answer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ ok: true, signer_id: signerId, email_sent: true, email_error: null });
    expect(service.mails(email)).toHaveLength(2);
    const fresh = service.code(email);
    if (fresh !== old)
      expect((await signer.verify(old)).body).toMatchObject({ error: 'wrong_code', attempts_left: 4 });
    expect((await signer.verify(fresh)).status).toBe(200);
    const { body } = await client.get(`${path}/${id}`);
    expect(body.signers[0].locale).toBe('fi');
  });

  it('is refused for who has signed or declined and for an ended request, and not found for strangers', async () => {
    const { id, signers } = await create(2);
    const [one, two] = signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    await (await service.verifiedSigner(one.access_token, one.email)).sign();
    const signed = await client.post(`${path}/${id}/signers/${one.id}/resend`);
    expect([signed.status, signed.body.error]).toEqual([409, 'signer_not_active']);
    expect((await client.post(`${path}/${id}/signers/${id}/resend`)).status).toBe(404);
    await client.post(`${path}/${id}/cancel`);
    expect((await client.post(`${path}/${id}/signers/${two.id}/resend`)).status).toBe(409);
    const stranger = await service.client();
    expect((await stranger.post(`${path}/${id}/signers/${two.id}/resend`)).status).toBe(404);
  });

  it('makes a pending request sent', async () => {
    const { body: created } = await client.post(path, {
      title: 'Pending',
      signers: [{ email: 'late@example.com' }],
      document: { content_base64: pdf },
    });
    expect(created.status).toBe('sent');
    service.fault({
      service: 'ses',
      operation: 'SendEmail',
      after: 1,
      effect: 'error',
      error_code: 'MessageRejected',
    });
    const { body: pending } = await client.post(path, {
      title: 'Pending',
      signers: [{ email: 'later@example.com' }],
      document: { content_base64: pdf },
    });
    expect(pending.status).toBe('pending');
    await client.post(`${path}/${pending.id}/signers/${pending.signers[0].id}/resend`);
    expect((await client.get(`${path}/${pending.id}`)).body).toMatchObject({ status: 'sent' });
  });

  it('leaves one code that works after 20 at once: that of the last mail', async () => {
    const { id, signers } = await create();
    const { id: signerId, email, access_token } = first(signers);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`${path}/${id}/signers/${signerId}/resend`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const mails = service.mails(email);
    expect(mails).toHaveLength(21);
    const [last, ...older] = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
    const signer = service.signer(access_token);
    const stale = older.find((code) => code !== last) ?? '';
    expect((await signer.verify(stale)).body.error).toBe('wrong_code');
    expect((await signer.verify(last ?? '')).status).toBe(200);
  }, 60_000);
});

describe('uploads', () => {
  const form = async (file: Buffer, type = 'application/pdf') => {
    const { status, body } = await client.post('/api/v1/uploads');
    expect(status).toBe(201);
    const data = new FormData();
    for (const [name, value] of Object.entries(body.fields as Record<string, string>))
      data.set(name, name === 'Content-Type' ? type : value);
    data.set('file', new Blob([new Uint8Array(file)], { type }));
    const sent = await fetch(body.url, { method: 'POST', body: data });
    return { id: body.upload_id as string, status: sent.status };
  };
  const use = (owner: ApiClient, id: string) =>
    owner.post(path, {
      title: 'Uploaded',
      signers: [{ email: 'up@example.com' }],
      document: { upload_id: id },
    });

  it('stand in for inline content, once, for their owner, within the hour', async () => {
    const file = Buffer.from(pdf, 'base64');
    const upload = await form(file);
    expect(upload.status).toBeLessThan(300);
    const stranger = await service.client();
    expect((await use(stranger, upload.id)).body.error).toBe('invalid_upload');
    const created = await use(client, upload.id);
    expect(created.status).toBe(200);
    expect((await use(client, upload.id)).body).toMatchObject({ error: 'invalid_upload' });
    const late = await form(file);
    service.advance(60 * MINUTE);
    expect((await use(client, late.id)).body.error).toBe('invalid_upload');
  });

  it('are bound in size and type by their form', async () => {
    expect((await form(Buffer.from(pdf, 'base64'), 'text/html')).status).toBe(403);
    expect((await form(Buffer.alloc(10_485_761))).status).toBe(400);
  });

  it('are refused while nothing was uploaded', async () => {
    const { body } = await client.post('/api/v1/uploads');
    expect((await use(client, body.upload_id)).body).toMatchObject({ error: 'invalid_upload' });
  });
});
