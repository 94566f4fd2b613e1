import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { until } from '../../support/until.ts';
import { allow, bucket, type Cloud, failure, startCloud } from './harness.ts';

let cloud: Cloud;
let client: S3Client;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createBucket(bucket('docs'));
  await cloud.services.createBucket(bucket('kept', { versioned: true }));
  client = new S3Client(cloud.operator);
});
afterAll(() => cloud.stop());

const put = (Key: string, Body: string | Buffer | Readable, more: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket: 'docs', Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  client.send(new GetObjectCommand({ Bucket: 'docs', Key, ...more }));
const text = async (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  (await get(Key, more)).Body?.transformToString();

describe('objects', () => {
  it('an object is returned with the content type it was put with', async () => {
    const key = 'a folder/ü + (1) & ?.pdf';
    const { ETag } = await put(key, 'hello', { ContentType: 'application/pdf' });
    const answer = await get(key);
    expect(await answer.Body?.transformToString()).toBe('hello');
    expect(answer).toMatchObject({ ETag, ContentType: 'application/pdf', ContentLength: 5 });
  });

  it('an object can be uploaded as a stream with a trailing checksum, and downloaded as a stream', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const body = Readable.from([megabyte, megabyte, Buffer.from('end')]);
    const length = 2 * megabyte.length + 3;
    expect(await put('streamed', body, { ContentLength: length })).toHaveProperty('ChecksumCRC32');
    const answer = await get('streamed');
    expect(answer.ContentLength).toBe(length);
    expect((await answer.Body?.transformToByteArray())?.length).toBe(length);
  });

  it('an object can be empty', async () => {
    await put('empty', '');
    expect(await text('empty')).toBe('');
  });

  /** @behaviour s3.ranges */
  it('an object is read from a byte on, without the checksum of the whole, and not from its end on', async () => {
    const { ETag } = await put('ranged', '0123456789');
    const rest = await get('ranged', { Range: 'bytes=4-', ChecksumMode: 'ENABLED' });
    expect(rest).toMatchObject({
      ETag,
      ContentLength: 6,
      ContentRange: 'bytes 4-9/10',
      AcceptRanges: 'bytes',
    });
    expect(rest.ChecksumCRC32).toBeUndefined();
    expect(await rest.Body?.transformToString()).toBe('456789');
    expect(await text('ranged', { Range: 'bytes=0-' })).toBe('0123456789');
    expect(await failure(get('ranged', { Range: 'bytes=10-' }))).toMatchObject({
      name: 'InvalidRange',
      status: 416,
    });
  });

  it('a read of another range, a conditional read and a put over a known version are refused by name', async () => {
    const { ETag = '' } = await put('whole', '0123456789');
    const refused = (header: string) => ({
      name: 'NotImplemented',
      status: 501,
      message: `The local cloud does not implement ${header}`,
    });
    expect(await failure(get('whole', { Range: 'bytes=2-4' }))).toEqual(refused('Range: bytes=2-4'));
    expect(await failure(get('whole', { IfNoneMatch: ETag }))).toEqual(refused('if-none-match'));
    expect(await failure(put('whole', 'x', { IfMatch: ETag }))).toEqual(refused('if-match'));
    expect(await text('whole')).toBe('0123456789');
  });

  it.each<[string, Partial<PutObjectCommandInput>]>([
    ['x-amz-meta-owner', { Metadata: { owner: 'anna' } }],
    ['x-amz-tagging', { Tagging: 'owner=anna' }],
    ['x-amz-server-side-encryption', { ServerSideEncryption: 'aws:kms' }],
    ['x-amz-object-lock-mode', { ObjectLockMode: 'COMPLIANCE' }],
    ['content-disposition', { ContentDisposition: 'attachment' }],
  ])('a put with the header %s, which would be dropped here, is refused by name', async (header, more) => {
    expect(await failure(put('dropped', 'x', more))).toEqual({
      name: 'NotImplemented',
      status: 501,
      message: `The local cloud does not implement ${header}`,
    });
  });

  /** @behaviour s3.checksums */
  it('an upload with a wrong checksum is refused and not stored', async () => {
    expect(await failure(put('wrong', 'hello', { ChecksumCRC32: 'AAAAAA==' }))).toMatchObject({
      name: 'BadDigest',
      status: 400,
    });
    expect(await failure(put('wrong', 'hello', { ContentMD5: `${'A'.repeat(22)}==` }))).toMatchObject({
      name: 'NotImplemented',
    });
    expect(await failure(get('wrong'))).toMatchObject({ name: 'NoSuchKey', status: 404 });
  });

  it('objects are deleted one by one or in bulk, and a missing one is no error', async () => {
    for (const key of ['d1', 'd2', 'd&3']) await put(key, 'x');
    await client.send(new DeleteObjectCommand({ Bucket: 'docs', Key: 'd1' }));
    await client.send(new DeleteObjectCommand({ Bucket: 'docs', Key: 'd1' }));
    const Objects = [{ Key: 'd2' }, { Key: 'd&3' }, { Key: 'never' }];
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket: 'docs', Delete: { Objects } }));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['d2', 'd&3', 'never']);
    expect(await failure(get('d&3'))).toMatchObject({ name: 'NoSuchKey' });
  });

  it('an upload to a bucket that does not exist is an error', async () => {
    const call = client.send(new PutObjectCommand({ Bucket: 'nowhere', Key: 'x', Body: 'x' }));
    expect(await failure(call)).toMatchObject({ name: 'NoSuchBucket', status: 404 });
  });
});

describe('conditional puts', () => {
  it('a put with If-None-Match creates an object only once', async () => {
    await put('once', 'first', { IfNoneMatch: '*' });
    expect(await failure(put('once', 'second', { IfNoneMatch: '*' }))).toMatchObject({
      name: 'PreconditionFailed',
      status: 412,
    });
    expect(await text('once')).toBe('first');
  });

  /** @behaviour s3.conditional-puts */
  it('of concurrent conditional puts one succeeds, the others fail with a conflict', async () => {
    const racers = Array.from({ length: 8 }, (_, n) =>
      failure(put('raced', `body of ${n}`, { IfNoneMatch: '*' })).then(
        ({ name }) => name,
        () => 'won',
      ),
    );
    const outcomes = await Promise.all(racers);
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    const lost = outcomes.filter((outcome) => outcome !== 'won');
    expect(lost.every((name) => name === 'ConditionalRequestConflict' || name === 'PreconditionFailed')).toBe(
      true,
    );
    expect(lost).toContain('ConditionalRequestConflict');
    expect(await text('raced')).toBe(`body of ${outcomes.indexOf('won')}`);
  });
});

describe('versions', () => {
  it('a delete marker hides versions, which are listed, read and deleted by their id', async () => {
    const target = { Bucket: 'kept', Key: 'v' };
    const first = await client.send(new PutObjectCommand({ ...target, Body: 'first' }));
    const second = await client.send(new PutObjectCommand({ ...target, Body: 'second' }));
    const marker = await client.send(new DeleteObjectCommand(target));
    expect(marker.DeleteMarker).toBe(true);
    expect(await failure(client.send(new GetObjectCommand(target)))).toMatchObject({ name: 'NoSuchKey' });
    const old = await client.send(new GetObjectCommand({ ...target, VersionId: first.VersionId }));
    expect(await old.Body?.transformToString()).toBe('first');
    const hidden = client.send(new GetObjectCommand({ ...target, VersionId: marker.VersionId }));
    expect(await failure(hidden)).toMatchObject({ name: 'MethodNotAllowed', status: 405 });

    const listed = await client.send(new ListObjectVersionsCommand({ Bucket: 'kept', Prefix: 'v' }));
    expect(listed.Versions?.map(({ VersionId }) => VersionId)).toEqual([second.VersionId, first.VersionId]);
    expect(listed.DeleteMarkers).toMatchObject([{ VersionId: marker.VersionId, IsLatest: true }]);
    const page = await client.send(
      new ListObjectVersionsCommand({ Bucket: 'kept', Prefix: 'v', MaxKeys: 2 }),
    );
    const rest = await client.send(
      new ListObjectVersionsCommand({
        Bucket: 'kept',
        Prefix: 'v',
        KeyMarker: page.NextKeyMarker,
        VersionIdMarker: page.NextVersionIdMarker,
      }),
    );
    expect(rest.Versions?.map(({ VersionId }) => VersionId)).toEqual([first.VersionId]);

    await client.send(new DeleteObjectCommand({ ...target, VersionId: marker.VersionId }));
    const back = await client.send(new GetObjectCommand(target));
    expect(await back.Body?.transformToString()).toBe('second');
    const gone = client.send(new GetObjectCommand({ ...target, VersionId: 'never' }));
    expect(await failure(gone)).toMatchObject({ name: 'NoSuchVersion', status: 404 });
  });

  /** @behaviour s3.versions */
  it('a listing goes on with an object of which the last version listed was deleted since', async () => {
    const target = { Bucket: 'kept', Key: 'listed' };
    const first = await client.send(new PutObjectCommand({ ...target, Body: 'first' }));
    const second = await client.send(new PutObjectCommand({ ...target, Body: 'second' }));
    const list = { Bucket: 'kept', Prefix: target.Key };
    const page = await client.send(new ListObjectVersionsCommand({ ...list, MaxKeys: 1 }));
    expect(page.NextVersionIdMarker).toBe(second.VersionId);
    await client.send(new DeleteObjectCommand({ ...target, VersionId: second.VersionId }));
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    const rest = await client.send(new ListObjectVersionsCommand({ ...list, KeyMarker, VersionIdMarker }));
    expect(rest.Versions?.map(({ VersionId }) => VersionId)).toEqual([first.VersionId]);
  });

  /** @behaviour s3.versions */
  it('a put with If-None-Match succeeds over a delete marker', async () => {
    const target = { Bucket: 'kept', Key: 'again' };
    await client.send(new PutObjectCommand({ ...target, Body: 'x' }));
    await client.send(new DeleteObjectCommand(target));
    await client.send(new PutObjectCommand({ ...target, Body: 'y', IfNoneMatch: '*' }));
    expect(await text(target.Key, target)).toBe('y');
  });
});

describe('lifecycle', () => {
  /** @behaviour s3.lifecycle */
  it('lifecycle rules expire objects and noncurrent versions when the clock moves', async () => {
    await cloud.services.createBucket(bucket('staging', { lifecycle: [{ expireAfterDays: 1 }] }));
    await cloud.services.createBucket(
      bucket('archive', { versioned: true, lifecycle: [{ noncurrentExpireAfterDays: 1 }] }),
    );
    await client.send(new PutObjectCommand({ Bucket: 'staging', Key: 'x', Body: 'x' }));
    for (const Body of ['old', 'new'])
      await client.send(new PutObjectCommand({ Bucket: 'archive', Key: 'a', Body }));
    cloud.clock.advance(25 * 3600);
    const later = new S3Client(cloud.operator);
    const keys = async (Bucket: string) => {
      const { Versions } = await later.send(new ListObjectVersionsCommand({ Bucket }));
      return Versions?.map(({ Key }) => Key);
    };
    await until(async () => (await keys('staging')) === undefined, 'the expiry of an object');
    await until(async () => (await keys('archive'))?.length === 1, 'the expiry of a version');
  });
});

describe('authorization', () => {
  const as = (...statements: Parameters<Cloud['caller']>[1][]) =>
    new S3Client(cloud.caller('limited', ...statements));
  const denied = { name: 'AccessDenied', status: 403 };

  it('a caller may do only what its policy allows, object by object', async () => {
    await new S3Client(cloud.operator).send(
      new PutObjectCommand({ Bucket: 'docs', Key: 'mine/x', Body: 'x' }),
    );
    const mine = as(allow('s3:GetObject*', 'arn:aws:s3:::docs/mine/*'));
    await mine.send(new GetObjectCommand({ Bucket: 'docs', Key: 'mine/x' }));
    expect(await failure(mine.send(new GetObjectCommand({ Bucket: 'docs', Key: 'theirs/x' })))).toMatchObject(
      denied,
    );
    expect(
      await failure(mine.send(new PutObjectCommand({ Bucket: 'docs', Key: 'mine/x', Body: 'y' }))),
    ).toMatchObject(denied);
    const Delete = { Objects: [{ Key: 'mine/x' }] };
    const { Errors } = await mine.send(new DeleteObjectsCommand({ Bucket: 'docs', Delete }));
    expect(Errors).toMatchObject([{ Key: 'mine/x', Code: 'AccessDenied' }]);
  });

  /** @behaviour s3.missing-objects */
  it('a missing object is reported as missing only to callers who may list the bucket', async () => {
    const get = new GetObjectCommand({ Bucket: 'docs', Key: 'missing' });
    const objects = allow('s3:GetObject', 'arn:aws:s3:::docs/*');
    expect(await failure(as(objects).send(get))).toMatchObject(denied);
    expect(await failure(as(objects, allow('s3:ListBucket', 'arn:aws:s3:::docs')).send(get))).toMatchObject({
      name: 'NoSuchKey',
    });
  });

  it('a bucket policy can deny an allowed caller, and allow one without a policy of its own', async () => {
    const limited = cloud.caller('named', allow('s3:*'));
    const role = 'arn:aws:iam::000000000000:role/named';
    const Resource = ['arn:aws:s3:::strict', 'arn:aws:s3:::strict/*'];
    await cloud.services.createBucket(
      bucket('strict', {
        policy: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 's3:*',
            Resource,
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `${Resource[0]}/sealed/*` },
          { Effect: 'Allow', Principal: { AWS: role }, Action: 's3:GetObject', Resource: `${Resource[0]}/*` },
        ],
      }),
    );
    const client = new S3Client(limited);
    await client.send(new PutObjectCommand({ Bucket: 'strict', Key: 'open/x', Body: 'x' }));
    const sealed = new PutObjectCommand({ Bucket: 'strict', Key: 'sealed/x', Body: 'x' });
    expect(await failure(client.send(sealed))).toMatchObject(denied);
    const powerless = new S3Client(cloud.caller('named'));
    await powerless.send(new GetObjectCommand({ Bucket: 'strict', Key: 'open/x' }));
    const other = new S3Client(cloud.caller('other'));
    expect(
      await failure(other.send(new GetObjectCommand({ Bucket: 'strict', Key: 'open/x' }))),
    ).toMatchObject(denied);
  });
});

describe('the local cloud itself', () => {
  it('the local cloud reads and writes objects without a signed call', async () => {
    await cloud.services.writeObject('docs', 'page/index.html', Buffer.from('<p>'), {
      contentType: 'text/html',
      cacheControl: 'max-age=60',
    });
    const read = await cloud.services.readObject('docs', 'page/index.html');
    expect(read).toMatchObject({ contentType: 'text/html', cacheControl: 'max-age=60' });
    expect(Buffer.from(read?.body ?? []).toString()).toBe('<p>');
    expect(await cloud.services.readObject('docs', 'page/missing')).toBeUndefined();
  });
});
