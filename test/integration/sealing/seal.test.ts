/** @behaviour s3.conditional-puts sqs.visibility api-gateway.stream-length */

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY, HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { BY_DUE, DUE_SHARDS, dueShard } from '../../../shared/store/keys.ts';
import { database, output, withSecret } from '../../support/aws.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { makePdf } from '../../support/pdf.ts';
import { readPages } from '../../support/pdf-pages.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { deathsAt } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let receiver: Receiver;
let pdf: Buffer;
let counter = 0;

const PATH = '/api/v1/signatures';
const STREAM_LENGTH = 'x-amzn-remapped-content-length';

beforeAll(async () => {
  pdf = await makePdf('A contract', 2);
  service = await Service.startCold();
  client = await service.client();
  receiver = await service.receiver(client);
});
afterAll(() => service?.stop());

/** Creates a request whose only signer has signed. */
async function signed(name = 'Ann'): Promise<string> {
  counter += 1;
  const email = `s${counter}@example.com`;
  const { body } = await client.post(PATH, {
    title: 'Contract',
    signers: [{ email, name }],
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

/** Expects one sealed document and one event with its hash. */
async function expectSealed(id: string): Promise<Buffer> {
  const { document_hash: hash } = await service.untilStatus(client, id, 'signed');
  const download = await client.get(`${PATH}/${id}/document`);
  expect(download.status).toBe(200);
  expect(sha256(download.bytes)).toBe(hash);
  expect(download.bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
  await until(() => completed(id).length > 0, 'the completed event');
  expect(completed(id).map(({ data }) => data.document_hash)).toEqual([hash]);
  const sealedEvents = (await client.get(`${PATH}/${id}`)).body.audit_trail.events.filter(
    ({ type }: { type: string }) => type === 'document_sealed',
  );
  expect(sealedEvents).toHaveLength(1);
  return download.bytes;
}

describe('seal', () => {
  it('a sealed document starts with the original, downloads with its length, hash and a safe file name, and each download is recorded', async () => {
    const id = await signed();
    const bytes = await expectSealed(id);
    const { headers } = await client.get(`${PATH}/${id}/document`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get(STREAM_LENGTH)).toBe(String(bytes.length));
    expect(headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    expect(headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Vertrag%20%C3%A4%C3%B6-signed.pdf",
    );
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await client.get(`${PATH}/${id}/document`, known);
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([
      304,
      0,
      headers.get('etag'),
    ]);
    const { body } = await client.get(`${PATH}/${id}`);
    const downloads = body.audit_trail.events.filter(
      ({ type }: { type: string }) => type === 'document_downloaded',
    );
    expect(downloads).toMatchObject([{ actor: 'client' }, { actor: 'client' }]);
    expect(body.retention).toMatchObject({ pdf_purged: false, pdf_days_remaining: 7 });
    expect(Date.parse(body.retention.pdf_available_until) - Date.parse(body.signed_at)).toBe(7 * DAY);
    expect(await service.admin('request', 'verify-audit', id)).toMatchObject({ intact: true });
  });

  it('names in any script are printed by the deployed bundles, which read their fonts beside them', async () => {
    const name = '山田太郎 محمد';
    const id = await signed(name);
    const [, , page] = await readPages(new Uint8Array(await expectSealed(id)));
    const [trail] = await readPages(
      new Uint8Array((await client.get(`${PATH}/${id}/audit-trail.pdf`)).bytes),
    );
    for (const words of [page?.words, trail?.words].map((each) => each?.replaceAll(' ', ''))) {
      expect(words).toContain('山田太郎');
      expect(words).toContain('محمد');
      expect(words).not.toContain('[U+');
    }
  });

  it('the audit trail can be downloaded as a PDF before the seal', async () => {
    const { body } = await client.post(PATH, {
      title: 'Trail',
      signers: [{ email: 'trail@example.com' }],
      document: { content_base64: pdf.toString('base64') },
    });
    const trail = await client.get(`${PATH}/${body.id}/audit-trail.pdf`);
    expect([trail.status, trail.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(trail.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(trail.headers.get(STREAM_LENGTH)).toBe(String(trail.bytes.length));
    expect((await client.get(`${PATH}/${body.id}/document`)).body.error).toBe('not_yet_signed');
  });
});

describe('failing seals', () => {
  let broken: Server;
  let answer: (respond: (status: number, body: string) => void) => void;
  let calls = 0;

  beforeAll(async () => {
    broken = createServer((_, response) => {
      calls += 1;
      answer((status, body) => response.writeHead(status).end(body));
    });
    await listenHere(broken);
  });
  afterAll(() => {
    broken.close();
    broken.closeAllConnections();
  });

  const brokenAuthority = async () => {
    const caPem = await import('node:fs/promises').then(({ readFile }) =>
      readFile(service.cloud.timestampCa, 'utf8'),
    );
    return { url: `${originOf(broken)}/`, ca_pem: caPem };
  };
  const goodAuthority = async () => ({ ...(await brokenAuthority()), url: service.cloud.timestampUrl });
  const statusOf = async (id: string) => {
    const answer = await client.get(`${PATH}/${id}`);
    if (!answer.body) throw new Error(`${answer.status} ${answer.bytes}`);
    return answer.body.status;
  };

  /** A failed attempt ends by extending the visibility timeout of its message. */
  const attempts = () =>
    service.cloud.services.calls().filter(({ operation }) => operation === 'ChangeMessageVisibility').length;

  /** Advances the clock between attempts only, since a call signed before the change would be refused after it. */
  async function attemptAfter(
    wait: number,
    orElse: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    const before = attempts();
    service.advance(wait);
    await until(async () => attempts() > before || (await orElse()), 'another attempt to end');
  }

  it('a seal without a timestamp is retried for over an hour, then fails, and succeeds when an operator requeues it', async () => {
    answer = (respond) => respond(500, 'down');
    await withSecret(service, 'TimestampSecretArn', { authorities: [await brokenAuthority()] }, async () => {
      const before = attempts();
      const id = await signed();
      await until(() => attempts() > before, 'the first attempt to end');
      expect(await statusOf(id)).toBe('awaiting_stamp');
      await attemptAfter(HOUR);
      expect(await statusOf(id)).toBe('awaiting_stamp');
      await until(async () => {
        await attemptAfter(16 * MINUTE, async () => (await statusOf(id)) === 'stamp_failed');
        return (await statusOf(id)) === 'stamp_failed';
      }, 'the seal to fail');
      const { body } = await client.get(`${PATH}/${id}`);
      expect(body.audit_trail.events.at(-1)).toMatchObject({
        type: 'seal_failed',
        details: { code: 'timestamp_unavailable' },
      });
      expect((await client.get(`${PATH}/${id}/document`)).status).toBe(409);
      expect((await client.post(`${PATH}/${id}/cancel`)).status).toBe(409);
    });
    const { body: list } = await client.get(`${PATH}?status=stamp_failed`);
    const { id } = list.data[0];
    await service.admin('request', 'restamp', id);
    await expectSealed(id);
  });

  it.each([
    ['HTML instead of a token', '<html>login</html>'],
    ['garbage', '\u0000\u0001\u0002'],
    ['nothing', ''],
  ])('the second timestamp authority is used if the first returns %s', async (_, body) => {
    answer = (respond) => respond(200, body);
    const authorities = [await brokenAuthority(), await goodAuthority()];
    await withSecret(service, 'TimestampSecretArn', { authorities }, async () => {
      calls = 0;
      await expectSealed(await signed());
      // For the document and for its evidence file.
      expect(calls).toBe(2);
    });
  });

  it('a seal with an expired certificate fails at once, with the reason', async () => {
    const past = new Date('2020-01-01T00:00:00Z');
    const expired = toPkcs12(makeDemoSealIdentity(makeDemoCa(past), { now: past }), 'secret');
    const secret = { p12_base64: expired.toString('base64'), passphrase: 'secret' };
    let id = '';
    await withSecret(service, 'SealSecretArn', secret, async () => {
      id = await signed();
      const { audit_trail: trail } = await service.untilStatus(client, id, 'stamp_failed');
      // Webhook deliveries are added to the trail concurrently.
      const failed = trail.events.find(({ type }: { type: string }) => type === 'seal_failed');
      expect(failed?.details.code).toBe('certificate_expired');
    });
    await service.admin('request', 'restamp', id);
    await expectSealed(id);
  });
});

describe('test mode', () => {
  it('a test request is sealed with the test certificate', async () => {
    const test = await service.client({ subscription: 'none', test: true });
    const { body } = await test.post(PATH, {
      title: 'Try',
      signers: [{ email: 'try@example.com', name: 'Try' }],
      document: { content_base64: pdf.toString('base64') },
    });
    await (await service.verifiedSigner(body.token, 'try@example.com')).sign();
    const { audit_trail: trail } = await service.untilStatus(test, body.id, 'signed');
    const seal = trail.events.find(({ type }: { type: string }) => type === 'document_sealed');
    expect(seal.details.subject).toContain('TEST');
    expect((await client.get(`${PATH}/${body.id}`)).status).toBe(404);
  });
});

/** Lets the queue redeliver the messages of a killed function, and the sweep send the rest. */
async function redeliverAndSweep(): Promise<void> {
  service.advance(13 * MINUTE);
  await service.runSchedule('sweep');
}

/** Finds the outbox item of a request's seal job. */
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

// After all others: killed seals come back when the clock moves, and would count as attempts of failing ones.
describe('interrupted seals', () => {
  it('a seal job killed at any call produces one seal', async () => {
    let first = '';
    const calls = await service.callsOf('seal', async () => {
      first = await signed();
      await expectSealed(first);
    });
    expect(calls.length).toBeGreaterThan(6);
    for (const death of deathsAt(calls)) {
      service.fault({ ...death, function: 'seal' });
      const id = await signed();
      const what = `${death.effect} at ${death.operation} ${death.after}`;
      // A call that only happened in a race may not be repeated; then the fault never fires.
      await until(
        async () =>
          service.cloud.services.faults().length === 0 ||
          (await client.get(`${PATH}/${id}`)).body.status === 'signed',
        what,
      );
      service.cloud.services.clearFaults();
      await until(async () => {
        const { body } = await client.get(`${PATH}/${id}`);
        if (body.status !== 'signed' || completed(id).length === 0) await redeliverAndSweep();
        return body.status === 'signed' && completed(id).length > 0;
      }, `the seal after ${what}`);
      await expectSealed(id);
    }
  }, 240_000);

  it('a seal job delivered ten times at once produces one seal', async () => {
    // An error that the SDK does not repeat: the seal would be done before its job is looked for.
    service.fault({
      service: 'sqs',
      operation: 'SendMessageBatch',
      function: 'sign',
      after: 2,
      effect: 'error',
      error_code: 'AccessDenied',
    });
    service.fault({
      service: 'sqs',
      operation: 'SendMessageBatch',
      function: 'sign',
      after: 1,
      effect: 'error',
      error_code: 'AccessDenied',
    });
    const id = await signed();
    const outboxId = await sealJobOf(id);
    const queue = output(service, 'SealQueueUrl').split('/').at(-1) ?? '';
    await Promise.all(
      Array.from({ length: 10 }, () =>
        service.cloud.services.send(queue, JSON.stringify({ outbox_id: outboxId })),
      ),
    );
    await service.untilStatus(client, id, 'signed');
    await redeliverAndSweep();
    await expectSealed(id);
  });
});
