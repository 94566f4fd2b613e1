/** @behaviour s3.conditional-puts s3.versions */

import { randomUUID } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { evidenceKey, originalKey, requestIdOfObject, sealedKey } from '../../../shared/store/objects.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { bucket, output, putSecret, replaceObject, settingsOf } from '../../support/aws.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { makePdf } from '../../support/pdf.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, type Invited, type Sent, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** Attacks by somebody who can write to the bucket, between the first signature and the last. */

let stage: SigningStage;
let s3: S3Client;
let Bucket: string;
beforeAll(async () => {
  stage = await SigningStage.openCold();
  s3 = bucket(stage.service);
  Bucket = output(stage.service, 'DocumentsBucket');
}, 120_000);
afterAll(async () => {
  s3?.destroy();
  await stage?.close();
});

const put = (Key: string, Body: Uint8Array) => replaceObject(s3, { Bucket, Key, Body });
const keysUnder = async (Prefix: string): Promise<string[]> => {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
  return Versions.map(({ Key = '' }) => Key);
};
const keysOf = (id: string) => keysUnder(`requests/${id}/`);
const drawingOf = async (id: string): Promise<string> => {
  const [key] = (await keysOf(id)).filter((each) => each.endsWith('.png'));
  if (!key) throw new Error('There is no drawing.');
  return key;
};
const read = async (Key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
};
const drawn = (png: Uint8Array) => ({
  signature: { type: 'drawn', png_base64: Buffer.from(png).toString('base64') },
});

/** A request whose first signer has signed with a drawing; the second one's signature will seal it. */
async function halfSigned(): Promise<{ request: Sent; second: Invited }> {
  const request = await stage.send(2);
  const [one, second] = request.signers;
  if (!one || !second) throw new Error('Two signers were asked for.');
  const { status } = await stage.sign(one, drawn(drawnSignature()));
  if (status !== 200) throw new Error('The first signature was refused.');
  return { request, second };
}

/** Kills a function once it has stored an object. */
const dieAfterStoring = (name: string) =>
  stage.service.fault({
    service: 's3',
    operation: 'PutObject',
    function: name,
    after: 1,
    effect: 'kill-after',
  });

/** Expects that the request is given up with the code, and that the fault can be mended. */
async function expectGivenUp(id: string, code: string): Promise<void> {
  await stage.untilStatus(id, 'stamp_failed');
  expect((await stage.trail(id, 'seal_failed')).map(({ details }) => details.code)).toEqual([code]);
  expect(stage.told(id, 'signature_request.completed')).toEqual([]);
}

async function expectSealedAfterRestamp(id: string): Promise<void> {
  await stage.service.admin('request', 'restamp', id);
  await stage.untilStatus(id, 'signed');
}

describe('the bucket’s policy', () => {
  it('a put without If-None-Match is refused for every object of a request, even to somebody who may put', async () => {
    const { service } = stage;
    const { request } = await halfSigned();
    const insider = new S3Client({
      ...settingsOf(service),
      forcePathStyle: true,
      credentials: service.cloud.services.admit({
        name: 'insider',
        arn: 'arn:aws:iam::000000000000:user/insider',
        statements: [{ Effect: 'Allow', Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/*` }],
      }),
    });
    const { id } = request;
    const Body = await makePdf('A contract nobody saw');
    for (const Key of [originalKey(id), await drawingOf(id), sealedKey(id), evidenceKey(id)]) {
      const object = { Bucket, Key, Body };
      await expect(insider.send(new PutObjectCommand(object))).rejects.toMatchObject({
        name: 'AccessDenied',
      });
      await expect(s3.send(new PutObjectCommand(object))).rejects.toMatchObject({ name: 'AccessDenied' });
    }
    // With the header a put is allowed, and finds the object that is there.
    const conditional = new PutObjectCommand({ Bucket, Key: originalKey(id), Body, IfNoneMatch: '*' });
    await expect(insider.send(conditional)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    insider.destroy();
  });

  it('a refused signature leaves no drawing in the bucket', async () => {
    const request = await stage.send();
    const signer = await stage.verified(first(request.signers));
    const drawing = drawn(drawnSignature());
    for (const wrong of [{ document_sha256: 'f'.repeat(64) }, { consent_version: '2000-01' }, { name: '' }])
      expect((await signer.sign({ ...drawing, ...wrong })).status).toBeGreaterThanOrEqual(400);
    expect((await stage.service.signer(first(request.signers).access_token).sign(drawing)).status).toBe(401);
    await stage.cancel(request.id);
    expect((await signer.sign(drawing)).status).toBeGreaterThanOrEqual(400);
    expect(await keysOf(request.id)).toEqual([originalKey(request.id)]);
  });
});

describe('objects overwritten in the bucket before the seal', () => {
  it('an original that was overwritten is never sealed', async () => {
    const { request, second } = await halfSigned();
    const key = originalKey(request.id);
    const original = await read(key);
    await put(key, await makePdf('A contract nobody saw'));
    expect((await stage.sign(second)).status).toBe(200);
    await expectGivenUp(request.id, 'original_changed');
    await put(key, original);
    await expectSealedAfterRestamp(request.id);
  });

  it('a drawn signature that was overwritten is never sealed', async () => {
    const { request, second } = await halfSigned();
    const key = await drawingOf(request.id);
    const drawing = await read(key);
    await put(key, drawnSignature(700));
    expect((await stage.sign(second)).status).toBe(200);
    await expectGivenUp(request.id, 'drawing_changed');
    expect(await keysOf(request.id)).not.toContain(sealedKey(request.id));
    await put(key, drawing);
    await expectSealedAfterRestamp(request.id);
  });

  it('a drawn signature that was removed is never sealed without, and with it once it is back', async () => {
    const { request, second } = await halfSigned();
    const Key = await drawingOf(request.id);
    const { VersionId } = await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect((await stage.sign(second)).status).toBe(200);
    await expectGivenUp(request.id, 'original_unsealable');
    // As the runbook restores a file.
    await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    await expectSealedAfterRestamp(request.id);
  });
});

/** Ends the seal function after it has stored its file, and changes something before the job is repeated. */
async function interruptedSeal(
  { id }: Sent,
  second: Invited,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const { service } = stage;
  dieAfterStoring('seal');
  await stage.sign(second);
  await until(async () => (await keysOf(id)).includes(sealedKey(id)), 'the seal to be stored');
  await meanwhile();
  service.advance(13 * MINUTE);
  await service.runSchedule('sweep');
}

describe('a sealed file that is found', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['another PDF', () => makePdf('A contract nobody saw')],
    [
      'the sealed file of another request for the same document',
      async () => {
        const { request, second } = await halfSigned();
        await stage.sign(second);
        await stage.untilStatus(request.id, 'signed');
        return read(sealedKey(request.id));
      },
    ],
  ])('is not taken if it is %s', async (_, make) => {
    const { request, second } = await halfSigned();
    const planted = await make();
    await put(sealedKey(request.id), planted);
    await stage.sign(second);
    await expectGivenUp(request.id, 'foreign_seal');
    expect(Buffer.compare(await read(sealedKey(request.id)), planted)).toBe(0);
    await s3.send(new DeleteObjectCommand({ Bucket, Key: sealedKey(request.id) }));
    await expectSealedAfterRestamp(request.id);
  });

  it('is not taken if bytes were appended to our seal', async () => {
    const { request, second } = await halfSigned();
    const key = sealedKey(request.id);
    await interruptedSeal(request, second, async () =>
      put(key, Buffer.concat([await read(key), Buffer.from(' ')])),
    );
    await expectGivenUp(request.id, 'foreign_seal');
  });

  it('is taken although its certificate was replaced before the job was repeated', async () => {
    const { request, second } = await halfSigned();
    const now = new Date();
    const replaced = toPkcs12(makeDemoSealIdentity(makeDemoCa(now), { now }), 'secret');
    const secret = { p12_base64: replaced.toString('base64'), passphrase: 'secret' };
    let stored = new Uint8Array();
    await interruptedSeal(request, second, async () => {
      stored = new Uint8Array(await read(sealedKey(request.id)));
      await putSecret(stage.service, 'SealSecretArn', secret);
    });
    await stage.untilStatus(request.id, 'signed');
    expect((await stage.get(request.id)).document_hash).toBe(sha256Hex(stored));
  });
});

describe('objects that no request came to refer to', () => {
  const create = (document: string, key: string) =>
    stage.client.post(
      '/api/v1/signatures',
      { title: 'Contract', signers: [{ email: 'o@example.com' }], document: { content_base64: document } },
      { 'idempotency-key': key },
    );
  const originals = async () => (await keysUnder('requests/')).filter((key) => key.endsWith('/original.pdf'));
  /** Ends a create between storing the original and creating the request. */
  async function interruptedCreate(document: string, key: string): Promise<string> {
    const before = await originals();
    dieAfterStoring('create-signature');
    expect((await create(document, key)).status).toBeGreaterThanOrEqual(500);
    const [orphan = '', ...others] = (await originals()).filter((each) => !before.includes(each));
    expect([orphan, others]).toEqual([expect.stringContaining('original.pdf'), []]);
    return orphan;
  }
  /** The clock's move may start a sweep by itself, which then removes what the second one finds leased. */
  async function sweepAnHourLater(): Promise<void> {
    stage.service.advance(HOUR + MINUTE);
    await stage.service.runSchedule('sweep');
  }

  it('an original whose create died is removed after an hour, and the create can be repeated', async () => {
    const [document, key] = [stage.pdf.toString('base64'), randomUUID()];
    const orphan = await interruptedCreate(document, key);
    await stage.service.runSchedule('sweep');
    expect(await originals()).toContain(orphan);
    await sweepAnHourLater();
    await until(async () => !(await originals()).includes(orphan), 'the removal of the original');
    const { status, body } = await create(document, key);
    expect([status, originalKey(body.id)]).toEqual([200, orphan]);
    expect(await originals()).toContain(orphan);
  });

  it('an original whose create died and was repeated is kept', async () => {
    const [document, key] = [stage.pdf.toString('base64'), randomUUID()];
    const original = await interruptedCreate(document, key);
    stage.service.advance(MINUTE + 1_000);
    expect((await create(document, key)).body.id).toBe(requestIdOfObject(original));
    await sweepAnHourLater();
    expect(await originals()).toContain(original);
  });

  it('the drawing of a signature that died is removed, the one that was signed with is kept', async () => {
    const { request, second } = await halfSigned();
    const signed = await drawingOf(request.id);
    dieAfterStoring('sign');
    const signer = await stage.verified(second);
    expect((await signer.sign(drawn(drawnSignature(500)))).status).toBeGreaterThanOrEqual(500);
    const drawings = async () => (await keysOf(request.id)).filter((key) => key.endsWith('.png'));
    expect(await drawings()).toHaveLength(2);
    await sweepAnHourLater();
    await until(async () => (await drawings()).length === 1, 'the removal of the drawing');
    expect(await drawings()).toEqual([signed]);
  });

  it('the sealed files that a late run stored after the purge are removed', async () => {
    const { request, second } = await halfSigned();
    const { id } = request;
    await stage.sign(second);
    await stage.untilStatus(id, 'signed');
    const files = [sealedKey(id), evidenceKey(id)];
    const stored = await Promise.all(files.map(read));
    expect((await stage.client.call('DELETE', `/api/v1/signatures/${id}/document`)).status).toBe(200);
    expect(await keysOf(id)).toEqual([]);
    // Such a run stores its files, and its message comes again.
    await Promise.all(files.map((key, index) => put(key, stored[index] ?? new Uint8Array())));
    const sqs = new SQSClient(settingsOf(stage.service));
    const QueueUrl = output(stage.service, 'SealQueueUrl');
    const MessageBody = JSON.stringify({ outbox_id: sealOutboxId(id) });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: request.id }));
    sqs.destroy();
    await stage.service.untilQueuesEmpty();
    await sweepAnHourLater();
    await until(async () => (await keysOf(id)).length === 0, 'the removal of the files');
  });
});

describe('objects that are written once', () => {
  it('a drawing in place of a signer’s own is not overwritten, and not signed with', async () => {
    const { request, second } = await halfSigned();
    const png = drawnSignature(500);
    dieAfterStoring('sign');
    const signer = await stage.verified(second);
    expect((await signer.sign(drawn(png))).status).toBeGreaterThanOrEqual(500);
    const [key = ''] = (await keysOf(request.id)).filter((each) => each.includes(`${second.id}-`));
    const drawing = await read(key);
    await put(key, drawnSignature(700));
    expect((await signer.sign(drawn(png))).status).toBe(500);
    await put(key, drawing);
    expect((await signer.sign(drawn(png))).status).toBe(200);
    await stage.untilStatus(request.id, 'signed');
  });
});
