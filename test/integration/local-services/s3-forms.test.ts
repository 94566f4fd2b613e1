import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { allow, bucket, type ClientSettings, type Cloud, startCloud } from './harness.ts';

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createBucket(
    bucket('uploads', {
      cors: [
        {
          allowedOrigins: ['https://app.test'],
          allowedMethods: ['POST', 'PUT'],
          allowedHeaders: ['content-*'],
        },
      ],
    }),
  );
});
afterAll(() => cloud.stop());

const form = (caller: ClientSettings, more: Partial<PresignedPostOptions> = {}) =>
  createPresignedPost(new S3Client(caller), {
    Bucket: 'uploads',
    Key: 'up/1.pdf',
    Conditions: [
      ['content-length-range', 1, 100],
      ['starts-with', '$Content-Type', 'application/'],
    ],
    Fields: { 'Content-Type': 'application/pdf' },
    Expires: 600,
    ...more,
  });

async function post(
  { url, fields }: { url: string; fields: Record<string, string> },
  content = 'hello',
  headers = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([content]), 'mine.pdf');
  const answer = await fetch(url, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const code = (name: string) => expect.stringContaining(`<Code>${name}</Code>`);

it('A form upload that keeps to its policy becomes an object', async () => {
  expect(await post(await form(cloud.operator))).toMatchObject({ status: 204, text: '' });
  const object = await new S3Client(cloud.operator).send(
    new GetObjectCommand({ Bucket: 'uploads', Key: 'up/1.pdf' }),
  );
  expect(object.ContentType).toBe('application/pdf');
  expect(await object.Body?.transformToString()).toBe('hello');
});

it('A form may ask for 201 and an XML answer', async () => {
  const options = { Fields: { success_action_status: '201' }, Conditions: [] };
  const answer = await post(await form(cloud.operator, options));
  expect(answer.status).toBe(201);
  expect(answer.text).toContain('<Key>up/1.pdf</Key>');
});

it('The name of the file stands in where the key says so', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: S3's own placeholder
  await post(await form(cloud.operator, { Key: 'named/${filename}' }));
  expect(await cloud.services.readObject('uploads', 'named/mine.pdf')).toBeDefined();
});

it('A file that is too large or too small is refused, and nothing is stored', async () => {
  const target = await form(cloud.operator, { Key: 'size' });
  expect(await post(target, 'x'.repeat(101))).toMatchObject({ status: 400, text: code('EntityTooLarge') });
  expect(await post(target, 'x'.repeat(5_000_000))).toMatchObject({
    status: 400,
    text: code('EntityTooLarge'),
  });
  expect(await post(target, '')).toMatchObject({ status: 400, text: code('EntityTooSmall') });
  expect(await cloud.services.readObject('uploads', 'size')).toBeUndefined();
});

it.each([
  ['another key', { key: 'up/2.pdf' }],
  ['another content type', { 'Content-Type': 'text/html' }],
  ['a field without a condition', { 'x-amz-meta-owner': 'eve' }],
])('A form with %s is refused', async (_what, changed) => {
  const { url, fields } = await form(cloud.operator);
  expect(await post({ url, fields: { ...fields, ...changed } })).toMatchObject({
    status: 403,
    text: code('AccessDenied'),
  });
});

it('A form for another bucket is refused', async () => {
  await cloud.services.createBucket(bucket('other'));
  const { url, fields } = await form(cloud.operator);
  expect(await post({ url: url.replace('uploads', 'other'), fields })).toMatchObject({
    status: 403,
    text: code('AccessDenied'),
  });
});

it('A policy that was tampered with, or signed by a stranger, is refused', async () => {
  const { url, fields } = await form(cloud.operator);
  const policy = JSON.parse(Buffer.from(fields.Policy ?? '', 'base64').toString());
  const wider = Buffer.from(JSON.stringify({ ...policy, conditions: [] })).toString('base64');
  expect(await post({ url, fields: { ...fields, Policy: wider } })).toMatchObject({
    status: 403,
    text: code('SignatureDoesNotMatch'),
  });
  const stranger = { ...cloud.operator, credentials: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' } };
  expect(await post(await form(stranger))).toMatchObject({ status: 403, text: code('InvalidAccessKeyId') });
  const { Policy: _gone, ...without } = fields;
  expect(await post({ url, fields: without })).toMatchObject({ status: 403, text: code('AccessDenied') });
});

it('A form is good until it expires', async () => {
  const target = await form(cloud.operator, { Expires: 600 });
  cloud.clock.advance(599);
  expect(await post(target)).toMatchObject({ status: 204 });
  cloud.clock.advance(2);
  const answer = await post(target);
  expect(answer).toMatchObject({ status: 403, text: code('AccessDenied') });
  expect(answer.text).toContain('Policy expired');
});

it('A form may do only what its signer may do', async () => {
  const elsewhere = cloud.caller('signer', allow('s3:PutObject', 'arn:aws:s3:::uploads/else/*'));
  const fresh = { Expires: 3600 };
  expect(await post(await form(elsewhere, fresh))).toMatchObject({ status: 403, text: code('AccessDenied') });
  expect(await post(await form(elsewhere, { ...fresh, Key: 'else/1' }))).toMatchObject({ status: 204 });
});

it('A browser of an allowed origin is told that it may upload, and any other that it may not', async () => {
  const ask = (origin: string, method: string, header: string) =>
    fetch(`${cloud.services.url}/uploads/`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': header },
    });
  const allowed = await ask('https://app.test', 'POST', 'Content-Type');
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.test');
  expect(allowed.headers.get('access-control-allow-methods')).toContain('POST');
  for (const [origin, method, header] of [
    ['https://evil.test', 'POST', 'content-type'],
    ['https://app.test', 'DELETE', 'content-type'],
    ['https://app.test', 'POST', 'x-other'],
  ] as const) {
    const refused = await ask(origin, method, header);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  }
  const upload = await post(await form(cloud.operator, { Expires: 3600 }), 'hello', {
    origin: 'https://app.test',
  });
  expect(upload.headers.get('access-control-allow-origin')).toBe('https://app.test');
});
