import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY, HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../../shared/sealing/keys/demo.ts';
import { BY_DUE, DUE_SHARDS, dueShard } from '../../../shared/store/keys.ts';
import { database, output, withSecret } from '../../support/aws.ts';
import { makePdf } from '../../support/pdf.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let receiver: Receiver;
let pdf: Buffer;
let counter = 0;

const path = '/api/v1/signatures';

beforeAll(async () => {
  pdf = await makePdf('A contract', 2);
  service = await Service.start();
  client = await service.client();
  receiver = await service.receiver(client);
}, 60_000);
afterAll(() => service?.stop());

/** A request that its one signer has signed. */
async function signed(): Promise<string> {
  counter += 1;
  const email = `s${counter}@example.com`;
  const { body } = await client.post(path, {
    title: 'Contract',
    signers: [{ email, name: 'Ann' }],
    document: { filename: 'Vertrag äö.pdf', content_base64: pdf.toString('base64') },
  });
  const signer = await service.verifiedSigner(body.token, email);
  const answer = await signer.sign();
  if (answer.status !== 200) throw new Error(`The signature was refused: ${answer.bytes}`);
  return body.id;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const completed = (id: string) =>
  receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.completed');

/** The end that every way must lead to: one document, whose hash is told once, and is right. */
async function expectSealed(id: string): Promise<Buffer> {
  const { document_hash: hash } = await service.untilStatus(client, id, 'signed');
  const download = await client.get(`${path}/${id}/document`);
  expect(download.status).toBe(200);
  expect(sha256(download.bytes)).toBe(hash);
  expect(download.bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
  await until(() => completed(id).length > 0, 'the completed event');
  expect(completed(id).map(({ data }) => data.document_hash)).toEqual([hash]);
  const sealedEvents = (await client.get(`${path}/${id}`)).body.audit_trail.events.filter(
    ({ type }: { type: string }) => type === 'document_sealed',
  );
  expect(sealedEvents).toHaveLength(1);
  return download.bytes;
}

/** Brings back what a dead function held: its messages become visible, and the sweep sends what was left behind. */
async function letTimePass(): Promise<void> {
  service.advance(13 * MINUTE);
  await service.runSchedule('sweep');
}

describe('the seal', () => {
  it('keeps the original as the prefix, and comes whole with its length, hash and a safe file name', async () => {
    const id = await signed();
    const bytes = await expectSealed(id);
    const { headers } = await client.get(`${path}/${id}/document`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    expect(headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Vertrag%20%C3%A4%C3%B6-signed.pdf",
    );
    const { body } = await client.get(`${path}/${id}`);
    expect(body.retention).toMatchObject({ pdf_purged: false, pdf_days_remaining: 7 });
    expect(Date.parse(body.retention.pdf_available_until) - Date.parse(body.signed_at)).toBe(7 * DAY);
    expect(await service.admin('request', 'verify-audit', id)).toMatchObject({ intact: true });
  });

  it('has an audit trail as a PDF, before and after', async () => {
    const { body } = await client.post(path, {
      title: 'Trail',
      signers: [{ email: 'trail@example.com' }],
      document: { content_base64: pdf.toString('base64') },
    });
    const trail = await client.get(`${path}/${body.id}/audit-trail.pdf`);
    expect([trail.status, trail.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(trail.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(trail.headers.get('content-length')).toBe(String(trail.bytes.length));
    expect((await client.get(`${path}/${body.id}/document`)).body.error).toBe('not_yet_signed');
  });

  it('is one, wherever the job is killed', async () => {
    let first = '';
    const calls = await service.callsOf('seal', async () => {
      first = await signed();
      await expectSealed(first);
    });
    expect(calls.length).toBeGreaterThan(6);
    for (const effect of ['kill', 'kill-after'] as const) {
      const seen = new Map<string, number>();
      for (const { service: name, operation } of calls) {
        const nth = (seen.get(`${name}.${operation}`) ?? 0) + 1;
        seen.set(`${name}.${operation}`, nth);
        service.fault({ service: name, operation, function: 'seal', after: nth, effect });
        const id = await signed();
        // A call that only a race made the first time may not come again: then there is nothing to be killed at.
        await until(
          async () =>
            service.cloud.services.faults().length === 0 ||
            (await client.get(`${path}/${id}`)).body.status === 'signed',
          `${effect} at ${operation} ${nth}`,
        );
        service.cloud.services.clearFaults();
        await until(async () => {
          const { body } = await client.get(`${path}/${id}`);
          if (body.status !== 'signed' || completed(id).length === 0) await letTimePass();
          return body.status === 'signed' && completed(id).length > 0;
        }, `the seal after ${effect} at ${operation} ${nth}`);
        await expectSealed(id);
      }
    }
  }, 240_000);

  it('is one, when its job comes ten times at once', async () => {
    service.fault({
      service: 'sqs',
      operation: 'SendMessageBatch',
      function: 'sign',
      after: 2,
      effect: 'error',
      error_code: 'ServiceUnavailable',
    });
    service.fault({
      service: 'sqs',
      operation: 'SendMessageBatch',
      function: 'sign',
      after: 1,
      effect: 'error',
      error_code: 'ServiceUnavailable',
    });
    const id = await signed();
    const outboxId = await sealJobOf(id);
    const queue = output(service, 'SealQueueUrl').split('/').at(-1) ?? '';
    await Promise.all(
      Array.from({ length: 10 }, () =>
        service.cloud.services.send(queue, JSON.stringify({ outbox_id: outboxId })),
      ),
    );
    await letTimePass();
    await expectSealed(id);
  }, 60_000);
});

/** The outbox item that asks for a request's seal. */
async function sealJobOf(requestId: string): Promise<string> {
  const client = database(service);
  for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: output(service, 'TableName'),
        IndexName: BY_DUE.name,
        KeyConditionExpression: 'due_pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: dueShard('OUTBOX', shard) } },
      }),
    );
    for (const { pk } of Items) {
      const { Items: found = [] } = await client.send(
        new QueryCommand({
          TableName: output(service, 'TableName'),
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk ?? { S: '' } },
        }),
      );
      const [item] = found;
      if (item?.kind?.S === 'seal' && item.requestId?.S === requestId) return item.id?.S ?? '';
    }
  }
  throw new Error('The seal is not in the outbox.');
}

describe('a seal that cannot be made', () => {
  let broken: Server;
  let answer: (respond: (status: number, body: string) => void) => void;
  let asked = 0;

  beforeAll(async () => {
    broken = createServer((_, response) => {
      asked += 1;
      answer((status, body) => response.writeHead(status).end(body));
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    broken.close();
    broken.closeAllConnections();
  });

  const brokenAuthority = async () => {
    const caPem = await import('node:fs/promises').then(({ readFile }) =>
      readFile(service.cloud.timestampCa, 'utf8'),
    );
    return { url: `http://127.0.0.1:${(broken.address() as AddressInfo).port}/`, ca_pem: caPem };
  };
  const goodAuthority = async () => ({ ...(await brokenAuthority()), url: service.cloud.timestampUrl });
  const statusOf = async (id: string) => {
    const answer = await client.get(`${path}/${id}`);
    if (!answer.body) throw new Error(`${answer.status} ${answer.bytes}`);
    return answer.body.status;
  };

  /** An attempt that failed ends by putting its message off. */
  const attempts = () =>
    service.cloud.services.calls().filter(({ operation }) => operation === 'ChangeMessageVisibility').length;

  /** Moves the clock only between attempts: a call that is signed before and read after a jump is refused for its time. */
  async function attemptAfter(
    wait: number,
    orElse: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    const before = attempts();
    service.advance(wait);
    await until(async () => attempts() > before || (await orElse()), 'another attempt to end');
  }

  it('for want of a timestamp waits, is given up after more than an hour, and is made when an operator asks again', async () => {
    answer = (respond) => respond(500, 'down');
    await withSecret(service, 'TimestampSecretArn', { authorities: [await brokenAuthority()] }, async () => {
      const id = await signed();
      await until(() => attempts() > 0, 'the first attempt to end');
      expect(await statusOf(id)).toBe('awaiting_stamp');
      await attemptAfter(HOUR);
      expect(await statusOf(id)).toBe('awaiting_stamp');
      await until(async () => {
        await attemptAfter(16 * MINUTE, async () => (await statusOf(id)) === 'stamp_failed');
        return (await statusOf(id)) === 'stamp_failed';
      }, 'the seal to be given up');
      const { body } = await client.get(`${path}/${id}`);
      expect(body.audit_trail.events.at(-1)).toMatchObject({
        type: 'seal_failed',
        details: { code: 'timestamp_unavailable' },
      });
      expect((await client.get(`${path}/${id}/document`)).status).toBe(409);
      expect((await client.post(`${path}/${id}/cancel`)).status).toBe(409);
    });
    const { body: list } = await client.get(`${path}?status=stamp_failed`);
    const { id } = list.data[0];
    await service.admin('request', 'restamp', id);
    await expectSealed(id);
  }, 60_000);

  it.each([
    ['HTML instead of a token', '<html>login</html>'],
    ['garbage', '\u0000\u0001\u0002'],
    ['nothing', ''],
  ])('is made by the second authority when the first gives %s', async (_, body) => {
    answer = (respond) => respond(200, body);
    const authorities = [await brokenAuthority(), await goodAuthority()];
    await withSecret(service, 'TimestampSecretArn', { authorities }, async () => {
      asked = 0;
      await expectSealed(await signed());
      expect(asked).toBe(1);
    });
  });

  it('for a certificate that is over fails at once, with the reason', async () => {
    const past = new Date('2020-01-01T00:00:00Z');
    const expired = toPkcs12(makeDemoSealIdentity(makeDemoCa(past), { now: past }), 'secret');
    const secret = { p12_base64: expired.toString('base64'), passphrase: 'secret' };
    let id = '';
    await withSecret(service, 'SealSecretArn', secret, async () => {
      id = await signed();
      const { audit_trail: trail } = await service.untilStatus(client, id, 'stamp_failed');
      // Deliveries of webhooks enter the trail beside it.
      const failed = trail.events.find(({ type }: { type: string }) => type === 'seal_failed');
      expect(failed?.details.code).toBe('certificate_expired');
    });
    await service.admin('request', 'restamp', id);
    await expectSealed(id);
  });
});

describe('a test request', () => {
  it('is sealed under the certificate that says so', async () => {
    const test = await service.client({ subscription: 'none', test: true });
    const { body } = await test.post(path, {
      title: 'Try',
      signers: [{ email: 'try@example.com', name: 'Try' }],
      document: { content_base64: pdf.toString('base64') },
    });
    await (await service.verifiedSigner(body.token, 'try@example.com')).sign();
    const { audit_trail: trail } = await service.untilStatus(test, body.id, 'signed');
    const seal = trail.events.find(({ type }: { type: string }) => type === 'document_sealed');
    expect(seal.details.subject).toContain('TEST');
    expect((await client.get(`${path}/${body.id}`)).status).toBe(404);
  });
});
