/** @behaviour dynamodb.conditions */

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { signatureRequest, signer as signerSchema } from '../../../shared/contract/resources.ts';
import { requestPartition, tokenKey } from '../../../shared/store/keys.ts';
import { evidenceKey, requestObjects } from '../../../shared/store/objects.ts';
import { findSignerRequests } from '../../../shared/store/signer-requests.ts';
import { Table } from '../../../shared/store/table.ts';
import { bucket, database, output, settingsOf } from '../../support/aws.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, type Invited, type Sent, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

let stage: SigningStage;
let dynamo: DynamoDBClient;
let table: Table;
let s3: S3Client;
beforeAll(async () => {
  stage = await SigningStage.open();
  dynamo = database(stage.service);
  table = new Table(dynamo, output(stage.service, 'TableName'));
  s3 = bucket(stage.service);
}, 120_000);
afterAll(async () => {
  dynamo?.destroy();
  s3?.destroy();
  await stage?.close();
});

const admin = (...args: string[]) => stage.service.admin(...args);
const documents = () => output(stage.service, 'DocumentsBucket');

/** The keys of the request's items that hold such words. The unit tests look at every other item too. */
async function itemsWith(words: RegExp, id: string): Promise<unknown[]> {
  const items = await table.queryAll({ pk: requestPartition(id), consistent: true });
  return items.filter((item) => words.test(JSON.stringify(item))).map(({ sk }) => sk);
}

const wordsOf = ({ email, name }: Invited, ...more: string[]) =>
  new RegExp([email, `${name}\\b`, ...more].join('|'));

async function sealedFor(): Promise<{ request: Sent; typist: Invited; painter: Invited; key: string }> {
  const key = randomUUID();
  // Short enough for one line of a table in a PDF.
  const people = [1, 2].map((n) => ({
    email: `${key.slice(0, 8)}-${n}@example.com`,
    name: `Mx${n} ${key.slice(9, 13)}`,
  }));
  const { body: request } = await stage.client.post<Sent>(
    '/api/v1/signatures',
    { title: 'Contract', signers: people, document: { content_base64: stage.pdf.toString('base64') } },
    { 'idempotency-key': key },
  );
  const [typist, painter] = request.signers;
  if (!typist || !painter) throw new Error('Two signers were asked for.');
  await stage.sign(typist, {
    signature: { type: 'typed', text: 'typed mark' },
    representing: { name: 'Oy Ab', role: 'CEO', entity_id: '1234567-8' },
  });
  const png_base64 = Buffer.from(drawnSignature()).toString('base64');
  await stage.sign(painter, { signature: { type: 'drawn', png_base64 } });
  await stage.untilStatus(request.id, 'signed');
  const count = async (type: string) => (await stage.trail(request.id, type)).length;
  await until(
    async () => (await count('sealed_notice_sent')) === 2 && (await count('webhook_delivered')) === 7,
    'the last events',
  );
  return { request, typist, painter, key };
}

const erase = ({ email }: Invited, ...options: string[]) =>
  admin('person', 'erase', '--email', email, '--yes', ...options);

describe('a person’s data', () => {
  it('is exported, kept while it is needed, and then gone from table, bucket, answers and webhooks', async () => {
    const { request, typist, painter, key } = await sealedFor();
    const { id } = request;
    const words = wordsOf(typist, 'typed mark', 'Oy Ab', '1234567-8', typist.access_token);

    const copy = await admin('person', 'export', '--email', typist.email.toUpperCase());
    expect(copy.requests).toHaveLength(1);
    expect(copy.requests[0]).toMatchObject({
      request_id: id,
      signer: { email: typist.email, representing_role: 'CEO', signature: { text: 'typed mark' } },
      files: { bucket: documents(), evidence: evidenceKey(id) },
    });
    expect(copy.requests[0].mails.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['invitation_sent', 'sealed_notice_sent']),
    );
    expect(JSON.stringify(copy)).not.toMatch(new RegExp(`${typist.access_token}|${painter.email}|salt`));

    const refused = await erase(typist);
    expect(refused).toMatchObject({ complete: false, erased: [], refused: [{ request_id: id }] });
    expect(refused.refused[0].reason).toContain('--purge');

    const evidence = await s3.send(new GetObjectCommand({ Bucket: documents(), Key: evidenceKey(id) }));
    const file = join(stage.service.dir, 'evidence.pdf');
    await writeFile(file, (await evidence.Body?.transformToByteArray()) ?? '');

    expect(await erase(typist, '--purge')).toMatchObject({ complete: true, erased: [id] });
    expect(await itemsWith(words, id)).toEqual([]);
    expect(await table.get(tokenKey(typist.access_token))).toBeUndefined();
    expect(await findSignerRequests(table, typist.email)).toEqual([]);
    const { Versions = [], DeleteMarkers = [] } = await s3.send(
      new ListObjectVersionsCommand({ Bucket: documents(), Prefix: requestObjects(id) }),
    );
    expect([...Versions, ...DeleteMarkers]).toEqual([]);

    const intact = { intact: true, differences: [] };
    expect(await admin('request', 'verify-audit', id)).toMatchObject({ ...intact, anchored: false });
    expect(await admin('request', 'verify-audit', id, '--evidence', file)).toMatchObject({
      ...intact,
      anchored: true,
    });

    const full = await stage.get(id);
    signatureRequest.parse(full);
    expect(full.signers[0]).toMatchObject({
      email: `${typist.id}@erased.invalid`,
      name: 'Erased person',
      status: 'signed',
    });
    expect(full.signers[1]).toMatchObject({ email: painter.email, name: painter.name });
    const paths = ['', '/signers', '/events?limit=100', '/audit-trail.pdf'].map((path) => `/${id}${path}`);
    for (const path of [...paths, '?limit=100']) {
      const { status, bytes } = await stage.client.get(`/api/v1/signatures${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(bytes.toString()).not.toMatch(words);
    }
    const { body: signers } = await stage.client.get(`/api/v1/signatures/${id}/signers`);
    for (const each of signers.data) signerSchema.parse(each);
    const trail = await stage.client.get(`/api/v1/signatures/${id}/audit-trail.pdf`);
    const text = (await readPages(new Uint8Array(trail.bytes))).map((page) => page.words).join(' ');
    expect(text).toContain('Erased person');
    expect(text).toContain('Personal data of the signer erased');
    expect(text).toContain(painter.email);
    expect(text).not.toMatch(words);
    for (const path of ['document', 'evidence.pdf']) {
      const { status, body } = await stage.client.get(`/api/v1/signatures/${id}/${path}`);
      expect([status, body.error]).toEqual([410, 'document_purged']);
    }
    const replay = await stage.client.post(
      '/api/v1/signatures',
      {
        title: 'Contract',
        signers: [typist, painter].map(({ email, name }) => ({ email, name })),
        document: { content_base64: stage.pdf.toString('base64') },
      },
      { 'idempotency-key': key },
    );
    expect(replay.status).toBe(200);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(JSON.stringify(replay.body)).not.toMatch(words);
    expect((await stage.linkOf(typist).open()).status).toBe(404);
  }, 120_000);

  it('is not carried by a webhook that waited in a queue, and the other signer’s is', async () => {
    const { request, typist, painter } = await sealedFor();
    const { id } = request;
    const old = stage.receiver.eventsOf(id).find(({ type }) => type === 'signature_request.created');
    expect(JSON.stringify(old)).toMatch(wordsOf(typist));
    await erase(typist, '--purge');
    const { body: endpoints } = await stage.client.get('/api/v1/webhook-endpoints');
    const eventId = `evt_${randomUUID()}`;
    const message = {
      eventId,
      eventType: 'signature_request.created',
      requestId: id,
      ownerId: stage.client.ownerId,
      mode: 'live',
      endpointId: first<{ id: string }>(endpoints.data).id,
      body: JSON.stringify({ ...old, id: eventId }),
    };
    const sqs = new SQSClient(settingsOf(stage.service));
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: output(stage.service, 'DeliveriesQueueUrl'),
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.endpointId,
      }),
    );
    sqs.destroy();
    const isRecorded = async () =>
      (await stage.trail(id, 'webhook_delivered')).some(({ details }) => details.event_id === eventId);
    await until(isRecorded, 'the delivery of the old message');
    const delivered = stage.receiver.eventsOf(id).find((event) => event.id === eventId);
    expect(delivered?.data.signers).toMatchObject([
      { signer_id: typist.id, email: `${typist.id}@erased.invalid`, name: 'Erased person' },
      { signer_id: painter.id, email: painter.email, name: painter.name },
    ]);
  }, 120_000);

  it('killed at any call to the database and run again, an erasure ends the same, and the chain verifies', async () => {
    const request = await stage.send(2);
    const [signer, other] = request.signers;
    if (!signer || !other) throw new Error('Two signers were asked for.');
    await stage.sign(signer);
    await stage.cancel(request.id);
    await stage.untilTold(request.id, 'signature_request.cancelled');
    const calls = [
      ['TransactWriteItems', 1],
      ['TransactWriteItems', 2],
      ['UpdateItem', 2],
      ['Query', 2],
      ['DeleteItem', 1],
    ] as const;
    for (const [operation, after] of calls) {
      // `service.fault` takes functions only.
      stage.service.cloud.services.addFault({
        service: 'dynamodb',
        operation,
        function: 'operator',
        after,
        effect: 'error',
        error_code: 'ValidationException',
      });
      await expect(erase(signer, '--purge')).rejects.toThrow('injected as a fault');
      expect(await admin('request', 'verify-audit', request.id)).toMatchObject({
        intact: true,
        differences: [],
      });
    }
    await Promise.all([erase(signer, '--purge'), erase(other, '--purge'), erase(signer, '--purge')]);
    expect(await itemsWith(wordsOf(signer), request.id)).toEqual([]);
    expect(await itemsWith(wordsOf(other), request.id)).toEqual([]);
    expect(await stage.trail(request.id, 'person_erased')).toHaveLength(2);
    expect(await stage.trail(request.id, 'document_purged')).toHaveLength(1);
    expect(await admin('request', 'verify-audit', request.id)).toMatchObject({
      intact: true,
      differences: [],
    });
  }, 120_000);

  it('of a running request is kept, with advice', async () => {
    const { id, signers } = await stage.send();
    const answer = await erase(first(signers), '--purge');
    expect(answer).toMatchObject({ complete: false, erased: [] });
    expect(answer.refused).toEqual([
      { request_id: id, reason: expect.stringContaining(`request cancel ${id}`) },
    ]);
    expect(await itemsWith(wordsOf(first(signers)), id)).not.toEqual([]);
  });
});
