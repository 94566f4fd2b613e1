import { createHash } from 'node:crypto';
import { loadOnce } from '../support/load-once.ts';
import type { StartedServices } from '../support/local-service.ts';
import { makePdf } from '../support/pdf.ts';
import type { Receiver } from '../support/receiver.ts';
import { type ApiClient, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Moto } from './moto.ts';
import type * as motoServices from './moto-services.ts';

/**
 * The bundled functions over another engine than the local cloud's own: moto's DynamoDB, S3, SQS, SES, KMS and Secrets Manager. What
 * both engines take from the functions is less likely to be a fault of one of them.
 */

const { servicesAt } = loadOnce<typeof motoServices>(new URL('moto-services.ts', import.meta.url));

const PATH = '/api/v1/signatures';
/** The sender of a stack without the option mailFrom. */
const SENDER = 'no-reply@example.com';
const MONTH = 31 * 24 * 3_600_000;
const MINUTES = 60_000;

let moto: Moto;
let service: Service;
let client: ApiClient;
let receiver: Receiver;
let pdf: Buffer;

beforeAll(async () => {
  moto = await Moto.start();
  const services: StartedServices = (options) => servicesAt(moto.url, SENDER, options);
  service = await Service.start({ services });
  client = await service.client();
  receiver = await service.receiver(client);
  pdf = await makePdf();
}, 4 * MINUTES);
afterAll(async () => {
  await service?.stop();
  await moto?.stop();
});

async function send(email: string, key: string) {
  const body = {
    title: 'Contract',
    signers: [{ email, name: 'Ann' }],
    document: { filename: 'contract.pdf', content_base64: pdf.toString('base64') },
  };
  return client.post(PATH, body, { 'idempotency-key': key });
}

const untilTold = (id: string, type: string) =>
  until(() => receiver.eventsOf(id).some((event) => event.type === type), `${type} of ${id}`, 120);

it(
  'a request is created once, signed, sealed, and told to its webhook endpoint',
  async () => {
    const created = await send('ann@example.com', 'first');
    expect(created.status).toBe(200);
    expect((await send('ann@example.com', 'first')).body).toEqual(created.body);
    const { id, signers } = created.body;

    const signer = service.signer(signers[0].access_token);
    expect((await signer.open()).status).toBe(200);
    const code = await moto.codeMailedTo('ann@example.com');
    expect((await signer.verify(code)).status).toBe(200);
    expect((await signer.sign()).body).toMatchObject({ status: 'signed', request_status: 'awaiting_stamp' });

    await untilTold(id, 'signature_request.completed');
    const { body } = await client.get(`${PATH}/${id}`);
    const { bytes } = await client.get(`${PATH}/${id}/document`);
    expect(body.status).toBe('signed');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.document_hash);
    expect((await client.get(`${PATH}/${id}/evidence.pdf`)).status).toBe(200);
  },
  4 * MINUTES,
);

it(
  'a request that nobody signs expires, and its endpoint is told',
  async () => {
    const { body } = await send('ben@example.com', 'second');
    service.advance(MONTH);
    await service.runSchedule('expire');
    await untilTold(body.id, 'signature_request.expired');
    expect((await client.get(`${PATH}/${body.id}`)).body.status).toBe('expired');
  },
  4 * MINUTES,
);
