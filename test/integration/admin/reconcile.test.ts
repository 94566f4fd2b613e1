/** @behaviour s3.versions */

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { metaKey } from '../../../shared/store/keys.ts';
import { originalKey, requestObjects, sealedKey } from '../../../shared/store/objects.ts';
import { removeObjects } from '../../../shared/store/remove-objects.ts';
import { bucket, database, output } from '../../support/aws.ts';
import { DAY, Stage } from '../jobs/stage.ts';

/** Table and bucket disagree in each way that a restore can leave behind. */

const HOURS = 60 * 60 * 1_000;
let stage: Stage;
let s3: S3Client;
let Bucket: string;
beforeAll(async () => {
  stage = await Stage.open();
  s3 = bucket(stage.service);
  Bucket = output(stage.service, 'DocumentsBucket');
}, 90_000);
afterAll(async () => {
  s3?.destroy();
  await stage?.close();
});

interface Result {
  consistent: boolean;
  requests_without_files: { request_id: string; status: string; missing: object[] }[];
  files_without_request: { request_id: string; keys: string[] }[];
  seals_without_signatures: { request_id: string; status: string; keys: string[] }[];
}
const reconcile = (): Promise<Result> => stage.service.admin('reconcile');

describe('reconcile', () => {
  const consistent = {
    consistent: true,
    requests_without_files: [],
    files_without_request: [],
    seals_without_signatures: [],
    damaged_requests: [],
  };

  it('requests whose files are all there are consistent', async () => {
    await stage.cancel((await stage.send()).id);
    await stage.signed();
    expect(await reconcile()).toEqual(consistent);
  });

  it('a purged request needs no files', async () => {
    const { id } = await stage.send();
    await stage.cancel(id);
    stage.service.advance(8 * DAY);
    s3 = bucket(stage.service);
    await stage.service.admin('job', 'run', 'purge');
    expect(await stage.service.admin('request', 'show', id)).toMatchObject({
      purged_at: expect.any(String),
    });
    expect(await reconcile()).toEqual(consistent);
  });

  it('a deleted file is reported as restorable, and no longer once its delete marker is removed', async () => {
    const { id } = await stage.signed();
    const Key = sealedKey(id);
    const { VersionId } = await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(await reconcile()).toMatchObject({
      consistent: false,
      requests_without_files: [
        { request_id: id, status: 'signed', missing: [{ key: Key, restorable: true }] },
      ],
    });
    await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    expect((await reconcile()).consistent).toBe(true);
  });

  it('files of a request that the table lacks are reported, except for those of the last hour', async () => {
    const { id } = await stage.send();
    await database(stage.service).send(
      new DeleteItemCommand({
        TableName: output(stage.service, 'TableName'),
        Key: { pk: { S: metaKey(id).pk }, sk: { S: metaKey(id).sk } },
      }),
    );
    expect((await reconcile()).files_without_request).toEqual([]);
    stage.service.advance(2 * HOURS);
    s3 = bucket(stage.service);
    const Key = originalKey('0191e0c2-0000-7000-8000-000000000001');
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'of a create under way', IfNoneMatch: '*' }));
    expect(await reconcile()).toMatchObject({
      consistent: false,
      files_without_request: [{ request_id: id, keys: [originalKey(id)] }],
    });
  });

  it('a request without any file is reported, with what it misses', async () => {
    const { id } = await stage.send();
    await removeObjects(s3, Bucket, requestObjects(id));
    expect((await reconcile()).requests_without_files).toEqual([
      { request_id: id, status: 'sent', missing: [{ key: originalKey(id), restorable: false }] },
    ]);
  });
});
