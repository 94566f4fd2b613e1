import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
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
  it('come back as they were put, with their headers and metadata', async () => {
    const key = 'a folder/ü + (1) & ?.pdf';
    const { ETag } = await put(key, 'hello', {
      ContentType: 'application/pdf',
      ContentDisposition: 'attachment',
      CacheControl: 'no-store',
      Metadata: { owner: 'anna' },
      ServerSideEncryption: 'aws:kms',
      SSEKMSKeyId: 'key-1',
    });
    const answer = await get(key);
    expect(await answer.Body?.transformToString()).toBe('hello');
    expect(answer).toMatchObject({
      ETag,
      ContentType: 'application/pdf',
      ContentDisposition: 'attachment',
      CacheControl: 'no-store',
      ContentLength: 5,
      Metadata: { owner: 'anna' },
      ServerSideEncryption: 'aws:kms',
      SSEKMSKeyId: 'key-1',
    });
    expect(await client.send(new HeadObjectCommand({ Bucket: 'docs', Key: key }))).toMatchObject({
      ContentLength: 5,
      ETag,
    });
  });

  it('may be streamed both ways, with a checksum at the end', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const body = Readable.from([megabyte, megabyte, Buffer.from('end')]);
    const length = 2 * megabyte.length + 3;
    expect(await put('streamed', body, { ContentLength: length })).toHaveProperty('ChecksumCRC32');
    const answer = await get('streamed');
    expect(answer.ContentLength).toBe(length);
    expect((await answer.Body?.transformToByteArray())?.length).toBe(length);
  });

  it('may be empty', async () => {
    await put('empty', '');
    expect(await text('empty')).toBe('');
  });

  it('are read by range', async () => {
    await put('digits', '0123456789');
    expect(await text('digits', { Range: 'bytes=2-4' })).toBe('234');
    expect(await text('digits', { Range: 'bytes=7-' })).toBe('789');
    expect(await text('digits', { Range: 'bytes=-2' })).toBe('89');
    expect(await get('digits', { Range: 'bytes=2-4' })).toMatchObject({
      ContentRange: 'bytes 2-4/10',
      ContentLength: 3,
    });
    expect(await failure(get('digits', { Range: 'bytes=20-' }))).toMatchObject({
      name: 'InvalidRange',
      status: 416,
    });
  });

  it('answer 304 to the ETag that the caller has, 412 to one that it lost', async () => {
    const { ETag } = await put('tagged', 'x');
    expect(await failure(get('tagged', { IfNoneMatch: ETag }))).toMatchObject({ status: 304 });
    expect(await failure(get('tagged', { IfMatch: '"other"' }))).toMatchObject({
      name: 'PreconditionFailed',
      status: 412,
    });
  });

  it('are refused when a checksum does not fit', async () => {
    for (const more of [
      { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' },
      { ChecksumCRC32: 'AAAAAA==' },
      { ChecksumSHA256: `${'A'.repeat(43)}=` },
    ]) {
      expect(await failure(put('wrong', 'hello', more))).toMatchObject({ name: 'BadDigest', status: 400 });
    }
    expect(await failure(get('wrong'))).toMatchObject({ name: 'NoSuchKey', status: 404 });
  });

  it('are copied, with new metadata if wanted', async () => {
    await put('source file', 'hello', { Metadata: { a: '1' } });
    const copy = { Bucket: 'docs', CopySource: encodeURI('docs/source file') };
    await client.send(new CopyObjectCommand({ ...copy, Key: 'same' }));
    await client.send(
      new CopyObjectCommand({ ...copy, Key: 'other', MetadataDirective: 'REPLACE', Metadata: { b: '2' } }),
    );
    expect((await get('same')).Metadata).toEqual({ a: '1' });
    expect((await get('other')).Metadata).toEqual({ b: '2' });
    await client.send(new DeleteObjectCommand({ Bucket: 'docs', Key: 'source file' }));
    expect(await text('same')).toBe('hello');
  });

  it('are deleted singly and in bulk, also when they are not there', async () => {
    for (const key of ['d1', 'd2', 'd&3']) await put(key, 'x');
    await client.send(new DeleteObjectCommand({ Bucket: 'docs', Key: 'd1' }));
    await client.send(new DeleteObjectCommand({ Bucket: 'docs', Key: 'd1' }));
    const Objects = [{ Key: 'd2' }, { Key: 'd&3' }, { Key: 'never' }];
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket: 'docs', Delete: { Objects } }));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['d2', 'd&3', 'never']);
    expect(await failure(get('d&3'))).toMatchObject({ name: 'NoSuchKey' });
  });

  it('belong to a bucket that exists', async () => {
    const call = client.send(new PutObjectCommand({ Bucket: 'nowhere', Key: 'x', Body: 'x' }));
    expect(await failure(call)).toMatchObject({ name: 'NoSuchBucket', status: 404 });
    await client.send(new HeadBucketCommand({ Bucket: 'docs' }));
    expect(await failure(client.send(new HeadBucketCommand({ Bucket: 'nowhere' })))).toMatchObject({
      status: 404,
    });
  });
});

describe('conditional puts', () => {
  it('make an object only if there is none', async () => {
    await put('once', 'first', { IfNoneMatch: '*' });
    expect(await failure(put('once', 'second', { IfNoneMatch: '*' }))).toMatchObject({
      name: 'PreconditionFailed',
      status: 412,
    });
    expect(await text('once')).toBe('first');
  });

  it('replace only what the caller has seen', async () => {
    const { ETag } = await put('seen', 'first');
    await put('seen', 'second', { IfMatch: ETag });
    expect(await failure(put('seen', 'third', { IfMatch: ETag }))).toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(await failure(put('unseen', 'x', { IfMatch: ETag }))).toMatchObject({
      name: 'NoSuchKey',
      status: 404,
    });
  });

  it('raced, let one win and tell the others of the conflict', async () => {
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

describe('lists', () => {
  it('go by prefix, fold at a delimiter, and come in pages', async () => {
    await cloud.services.createBucket(bucket('listed'));
    const keys = ['a/1', 'a/2', 'a/x/3', 'b', 'c/ü 4', 'd'];
    for (const Key of keys) await client.send(new PutObjectCommand({ Bucket: 'listed', Key, Body: 'x' }));
    const list = (more: object) => client.send(new ListObjectsV2Command({ Bucket: 'listed', ...more }));
    const names = async (more: object) => (await list(more)).Contents?.map(({ Key }) => Key) ?? [];

    expect(await names({})).toEqual(keys);
    expect(await names({ Prefix: 'a/' })).toEqual(['a/1', 'a/2', 'a/x/3']);
    expect(await names({ Prefix: 'zzz' })).toEqual([]);
    expect(await names({ StartAfter: 'b' })).toEqual(['c/ü 4', 'd']);
    const folded = await list({ Delimiter: '/' });
    expect(folded.Contents?.map(({ Key }) => Key)).toEqual(['b', 'd']);
    expect(folded.CommonPrefixes).toEqual([{ Prefix: 'a/' }, { Prefix: 'c/' }]);
    expect((await list({ Prefix: 'a/', Delimiter: '/' })).CommonPrefixes).toEqual([{ Prefix: 'a/x/' }]);

    const paged: (string | undefined)[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ MaxKeys: 2, Delimiter: '/', ContinuationToken });
      paged.push(
        ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
        ...(page.Contents ?? []).map(({ Key }) => Key),
      );
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(paged.sort()).toEqual(['a/', 'b', 'c/', 'd']);
  });
});

describe('versions', () => {
  it('are kept under a delete marker and removed one by one', async () => {
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

  it('let a conditional put through where only a delete marker is', async () => {
    const target = { Bucket: 'kept', Key: 'again' };
    await client.send(new PutObjectCommand({ ...target, Body: 'x' }));
    await client.send(new DeleteObjectCommand(target));
    await client.send(new PutObjectCommand({ ...target, Body: 'y', IfNoneMatch: '*' }));
  });
});

describe('multipart uploads', () => {
  const target = { Bucket: 'docs', Key: 'large' };
  const part = (UploadId: string | undefined, PartNumber: number, Body: Buffer) =>
    client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body }));

  it('join their parts', async () => {
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...target, ContentType: 'text/plain' }),
    );
    const large = Buffer.alloc(5 * 1024 * 1024, 'a');
    const first = await part(UploadId, 1, large);
    const second = await part(UploadId, 2, Buffer.from('end'));
    const Parts = [
      { PartNumber: 1, ETag: first.ETag },
      { PartNumber: 2, ETag: second.ETag },
    ];
    const wrong = { Parts: [{ PartNumber: 1, ETag: '"0"' }] };
    const complete = (MultipartUpload: object) =>
      client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload }));
    expect(await failure(complete(wrong))).toMatchObject({ name: 'InvalidPart' });
    expect(await failure(complete({ Parts: Parts.toReversed() }))).toMatchObject({
      name: 'InvalidPartOrder',
    });
    const { ETag } = await complete({ Parts });
    expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
    expect(await get('large')).toMatchObject({ ContentLength: large.length + 3, ContentType: 'text/plain' });
    expect(await text('large', { Range: 'bytes=-4' })).toBe('aend');
    expect(await failure(complete({ Parts }))).toMatchObject({ name: 'NoSuchUpload', status: 404 });
  });

  it('leave nothing when given up', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, Key: 'given up' }));
    const upload = { Bucket: 'docs', Key: 'given up', UploadId };
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(
      await failure(client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'x' }))),
    ).toMatchObject({
      name: 'NoSuchUpload',
    });
  });
});

describe('lifecycle', () => {
  it('expires objects by the clock, and versions that are no longer current', async () => {
    await cloud.services.createBucket(
      bucket('staging', { lifecycle: [{ prefix: 'up/', expireAfterDays: 1 }] }),
    );
    await cloud.services.createBucket(
      bucket('archive', { versioned: true, lifecycle: [{ noncurrentExpireAfterDays: 1 }] }),
    );
    for (const Key of ['up/x', 'else/x'])
      await client.send(new PutObjectCommand({ Bucket: 'staging', Key, Body: 'x' }));
    for (const Body of ['old', 'new'])
      await client.send(new PutObjectCommand({ Bucket: 'archive', Key: 'a', Body }));
    cloud.clock.advance(25 * 3600);
    const later = new S3Client(cloud.operator);
    const keys = async () => {
      const { Contents } = await later.send(new ListObjectsV2Command({ Bucket: 'staging' }));
      return Contents?.map(({ Key }) => Key);
    };
    const versions = async () =>
      (await later.send(new ListObjectVersionsCommand({ Bucket: 'archive' }))).Versions?.length;
    while ((await keys())?.length !== 1 || (await versions()) !== 1);
    expect(await keys()).toEqual(['else/x']);
  });
});

describe('who may do what', () => {
  const as = (...statements: Parameters<Cloud['caller']>[1][]) =>
    new S3Client(cloud.caller('limited', ...statements));
  const denied = { name: 'AccessDenied', status: 403 };

  it('is in the policy of the caller', async () => {
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
    const copy = new CopyObjectCommand({ Bucket: 'docs', Key: 'copy', CopySource: 'docs/mine/x' });
    expect(await failure(mine.send(copy))).toMatchObject(denied);
  });

  it('tells of a missing object only those who may list', async () => {
    const get = new GetObjectCommand({ Bucket: 'docs', Key: 'missing' });
    const objects = allow('s3:GetObject', 'arn:aws:s3:::docs/*');
    expect(await failure(as(objects).send(get))).toMatchObject(denied);
    expect(await failure(as(objects, allow('s3:ListBucket', 'arn:aws:s3:::docs')).send(get))).toMatchObject({
      name: 'NoSuchKey',
    });
  });

  it('may be held to a prefix of a list', async () => {
    const lister = as({
      ...allow('s3:ListBucket', 'arn:aws:s3:::docs'),
      Condition: { StringLike: { 's3:prefix': 'mine/*' } },
    });
    await lister.send(new ListObjectsV2Command({ Bucket: 'docs', Prefix: 'mine/a' }));
    expect(await failure(lister.send(new ListObjectsV2Command({ Bucket: 'docs' })))).toMatchObject(denied);
  });

  it('is in the policy of the bucket as well: it may deny, and it may allow by itself', async () => {
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

describe('the engine of the local cloud', () => {
  it('reads and writes objects by itself', async () => {
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
