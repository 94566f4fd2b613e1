import { SignatureRequests } from '../../../client/src/node.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { type Fault, FaultyService } from './faulty-service.ts';

const RESET: Fault = { kind: 'reset', reaches: false };
const CASES: [string, Fault[]][] = [
  ['is reset before the service has the call', [RESET]],
  ['is reset when the request is made', [{ kind: 'reset', reaches: true }]],
  ['is answered 429 with a time to wait', [{ kind: 'status', status: 429, reaches: false, retryAfter: '1' }]],
  ['is answered 500 before the request is made', [{ kind: 'status', status: 500, reaches: false }]],
  ['is answered 500 although the request is made', [{ kind: 'status', status: 500, reaches: true }]],
  ['is answered 503', [{ kind: 'status', status: 503, reaches: false }]],
  ['is not answered in time', [{ kind: 'stall', reaches: false }]],
  ['is not answered in time although the request is made', [{ kind: 'stall', reaches: true }]],
  ['breaks off in the middle of the answer', [{ kind: 'cut' }]],
  ['fails in three ways in turn', [{ kind: 'cut' }, { kind: 'reset', reaches: true }, RESET]],
];

let service: Service;
let owner: ApiClient;
let file: Buffer;
const stops: (() => void)[] = [];

beforeAll(async () => {
  service = await Service.start();
  owner = await service.client();
  file = await makePdf();
});
afterAll(async () => {
  for (const stop of stops) stop();
  await service?.stop();
});

describe('creating a request over a connection that', () => {
  // At the same time: some wait until the client gives up.
  it.concurrent.each(CASES)('%s makes one request and mails its signer once', async (reference, faults) => {
    const faulty = await FaultyService.before(service.baseUrl);
    stops.push(() => faulty.stop());
    const client = new SignatureRequests({ apiKey: owner.apiKey, baseUrl: faulty.url, timeoutMs: 3_000 });
    faulty.faults = [...faults];
    const email = `p${CASES.findIndex(([name]) => name === reference)}@example.com`;
    const created = await client.signatureRequests.create({
      title: 'Lease',
      signers: [{ email }],
      reference,
      file,
    });
    expect(faulty.faults).toEqual([]);
    const { data } = await client.signatureRequests.list({ reference }).page();
    expect(data.map(({ id }) => id)).toEqual([created.id]);
    expect(service.mails(email)).toHaveLength(1);
  });
});
