import { createHash } from 'node:crypto';
import { RequestEndedError, SignatureRequests, webhooks } from '../../../client/src/node.ts';
import { makePdf, makePdfOfSize } from '../../support/pdf.ts';
import { Receiver } from '../../support/receiver.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;

let service: Service;
let client: SignatureRequests;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start();
  receiver = await Receiver.start();
  const { apiKey } = await service.client();
  client = new SignatureRequests({ apiKey, baseUrl: service.baseUrl });
});
afterAll(async () => {
  receiver.stop();
  await service.stop();
});

const create = async (email: string, file: Uint8Array, title = 'Lease') =>
  client.signatureRequests.create({ title, signers: [{ email, name: 'Ann' }], file, filename: 'lease.pdf' });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the client and the service', () => {
  it('a request is created, signed, awaited, downloaded and deleted, and its webhook verified', async () => {
    const { id: endpointId, secret } = await client.webhookEndpoints.create({ url: receiver.url });
    const { id, signers } = await create('ann@example.com', await makePdf());
    const signer = await service.verifiedSigner(signers[0]?.access_token ?? '', 'ann@example.com');
    const waiting = client.signatureRequests.waitUntilSealed(id, { timeoutMs: 60_000 });
    expect((await signer.sign()).status).toBe(200);

    const { document_hash: hash } = await waiting;
    const document = await (await client.signatureRequests.download(id)).bytes();
    expect(sha256(document)).toBe(hash);
    const evidence = await (await client.signatureRequests.downloadEvidence(id)).bytes();
    const trail = await (await client.signatureRequests.downloadAuditTrail(id)).bytes();
    for (const pdf of [document, evidence, trail])
      expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');

    const delivery = await until(
      () => receiver.deliveries.find(({ envelope }) => envelope.type === 'signature_request.completed'),
      'the webhook',
    );
    const event = await webhooks.verify(delivery.raw, delivery.headers, secret);
    expect(event).toMatchObject({ type: 'signature_request.completed', data: { document_hash: hash } });
    await expect(webhooks.verify(`${delivery.raw} `, delivery.headers, secret)).rejects.toThrow(
      'No signature fits',
    );

    expect((await client.signatureRequests.signers(id))[0]).toMatchObject({
      email: 'ann@example.com',
      status: 'signed',
    });
    const types: string[] = [];
    for await (const { type } of client.signatureRequests.events(id, { limit: 3 })) types.push(type);
    expect(types).toContain('document_sealed');
    expect(await client.signatureRequests.deleteDocument(id)).toMatchObject({ id, pdf_purged: true });
    await expect(client.signatureRequests.download(id)).rejects.toMatchObject({
      code: 'document_purged',
      status: 410,
    });
    expect(await client.webhookEndpoints.delete(endpointId)).toEqual({ ok: true, id: endpointId });
  });

  it('a file of 6 MB is uploaded, and one with a key of your own travels in the request', async () => {
    const file = await makePdfOfSize(6 * MB);
    const { id, signers } = await create('ben@example.com', file, 'Large');
    const signer = await service.verifiedSigner(signers[0]?.access_token ?? '', 'ben@example.com');
    expect((await signer.view()).body.document).toMatchObject({ size: file.length, sha256: sha256(file) });

    const twice = { title: 'Twice', signers: [{ email: 'cai@example.com' }], file };
    const first = await client.signatureRequests.create(twice, { idempotencyKey: 'order-7' });
    const again = await client.signatureRequests.create(twice, { idempotencyKey: 'order-7' });
    expect(again.id).toBe(first.id);
    expect(first.id).not.toBe(id);
  });

  it('a list goes through all pages', async () => {
    const file = await makePdf();
    const made: string[] = [];
    for (const n of [1, 2, 3]) made.push((await create(`d${n}@example.com`, file, `Page ${n}`)).id);
    const found = await until(async () => {
      const ids: string[] = [];
      for await (const { id } of client.signatureRequests.list({ title_prefix: 'page ', limit: 2 }))
        ids.push(id);
      return ids.length === 3 && ids;
    }, 'three requests');
    expect(found).toEqual(made);
  });

  it('waiting for a request that is cancelled ends with its state', async () => {
    const { id, signers } = await create('eve@example.com', await makePdf());
    expect(await client.signatureRequests.resend(id, signers[0]?.id ?? '')).toMatchObject({
      email_sent: true,
    });
    const correction = { email: 'eva@example.com' };
    expect(await client.signatureRequests.correctSigner(id, signers[0]?.id ?? '', correction)).toMatchObject({
      ...correction,
      email_sent: true,
    });
    await client.signatureRequests.cancel(id, { reason: 'Too late' });
    const error = await client.signatureRequests.waitUntilSealed(id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RequestEndedError);
    expect(error).toMatchObject({ code: 'request_cancelled', request: { id, status: 'cancelled' } });
    await expect(client.signatureRequests.download(id)).rejects.toMatchObject({ code: 'request_cancelled' });
  });

  it('a body with faults names all of them', async () => {
    const faulty = { title: ' ', signers: [{ email: 'not an address' }], file: await makePdf() };
    await expect(client.signatureRequests.create(faulty)).rejects.toMatchObject({
      code: 'invalid_title',
      status: 400,
      field: '/title',
      errors: [{ field: '/title' }, { field: '/signers/0/email' }],
    });
  });

  it('a webhook endpoint is made, changed, tried and deleted', async () => {
    const { webhookEndpoints } = client;
    const { id, secret } = await webhookEndpoints.create({ url: receiver.url, description: 'Mine' });
    expect(await webhookEndpoints.update(id, { description: 'Ours' })).toMatchObject({
      id,
      description: 'Ours',
    });
    expect((await webhookEndpoints.list()).map((endpoint) => endpoint.id)).toContain(id);
    const { event_id } = await webhookEndpoints.test(id);
    const delivery = await until(
      () => receiver.deliveries.find(({ envelope }) => envelope.id === event_id),
      'the test event',
    );
    expect(await webhooks.verify(delivery.raw, delivery.headers, secret)).toMatchObject({
      type: 'webhook_endpoint.test',
      data: { webhook_endpoint_id: id },
    });
    const logged = await until(
      async () => (await webhookEndpoints.deliveries(id).page()).data[0],
      'the attempt',
    );
    expect(logged).toMatchObject({ event_id, outcome: 'delivered', http_status: 200 });
    expect(await webhookEndpoints.redeliver(id, event_id)).toEqual({ ok: true, event_id });
    const same = () => receiver.deliveries.filter(({ envelope }) => envelope.id === event_id);
    await until(() => same().length === 2, 'the same event again');
    await webhookEndpoints.delete(id);
    await expect(webhookEndpoints.retrieve(id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});
