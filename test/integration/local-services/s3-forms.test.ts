import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { allow, bucket, type ClientSettings, type Cloud, startCloud } from './harness.ts';

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createBucket(bucket('uploads'));
});
afterAll(() => cloud.stop());

const form = (caller: ClientSettings, more: Partial<PresignedPostOptions> = {}) =>
  createPresignedPost(new S3Client(caller), {
    Bucket: 'uploads',
    Key: 'up/1.pdf',
    Conditions: [
      ['content-length-range', 1, 100],
      ['eq', '$Content-Type', 'application/pdf'],
    ],
    Fields: { 'Content-Type': 'application/pdf' },
    Expires: 600,
    ...more,
  });

async function post({ url, fields }: { url: string; fields: Record<string, string> }, content = 'hello') {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([content]), 'mine.pdf');
  const answer = await fetch(url, { method: 'POST', body });
  return { status: answer.status, text: await answer.text() };
}

const code = (name: string) => expect.stringContaining(`<Code>${name}</Code>`);

it('a form upload within its policy is stored as an object', async () => {
  expect(await post(await form(cloud.operator))).toMatchObject({ status: 204, text: '' });
  const object = await new S3Client(cloud.operator).send(
    new GetObjectCommand({ Bucket: 'uploads', Key: 'up/1.pdf' }),
  );
  expect(object.ContentType).toBe('application/pdf');
  expect(await object.Body?.transformToString()).toBe('hello');
});

/** @behaviour s3.form-uploads */
it('a file outside of the size range is refused and not stored', async () => {
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
])('a form with %s is refused', async (_what, changed) => {
  const { url, fields } = await form(cloud.operator);
  expect(await post({ url, fields: { ...fields, ...changed } })).toMatchObject({
    status: 403,
    text: code('AccessDenied'),
  });
});

it('a form with a field that is not implemented is refused by name', async () => {
  const named = { 'x-amz-meta-owner': 'anna' };
  const target = await form(cloud.operator, { Fields: { 'Content-Type': 'application/pdf', ...named } });
  expect(await post(target)).toMatchObject({
    status: 501,
    text: expect.stringContaining('the form field x-amz-meta-owner'),
  });
});

it('a form posted to another bucket is refused', async () => {
  await cloud.services.createBucket(bucket('other'));
  const { url, fields } = await form(cloud.operator);
  expect(await post({ url: url.replace('uploads', 'other'), fields })).toMatchObject({
    status: 403,
    text: code('AccessDenied'),
  });
});

it('a form without a policy, with a modified one or with an unknown signer is refused', async () => {
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

it('a form is valid until its policy expires', async () => {
  const target = await form(cloud.operator, { Expires: 600 });
  cloud.clock.advance(540);
  expect(await post(target)).toMatchObject({ status: 204 });
  cloud.clock.advance(61);
  const answer = await post(target);
  expect(answer).toMatchObject({ status: 403, text: code('AccessDenied') });
  expect(answer.text).toContain('Policy expired');
});

it('a form may do only what its signer may do', async () => {
  const elsewhere = cloud.caller('signer', allow('s3:PutObject', 'arn:aws:s3:::uploads/else/*'));
  const fresh = { Expires: 3600 };
  expect(await post(await form(elsewhere, fresh))).toMatchObject({ status: 403, text: code('AccessDenied') });
  expect(await post(await form(elsewhere, { ...fresh, Key: 'else/1' }))).toMatchObject({ status: 204 });
});

/** @behaviour iam.session-tokens */
it('a form that a role signed needs the session token of its credentials', async () => {
  const role = cloud.caller('role', allow('s3:PutObject'));
  const { url, fields } = await form(role, { Expires: 3600 });
  const { 'X-Amz-Security-Token': token, ...without } = fields;
  expect(token).toEqual(expect.any(String));
  expect(await post({ url, fields })).toMatchObject({ status: 204 });
  const { sessionToken: _gone, ...credentials } = role.credentials;
  const unaware = await form({ ...role, credentials }, { Expires: 3600 });
  for (const wrong of [without, unaware.fields])
    expect(await post({ url, fields: wrong })).toMatchObject({ status: 403 });
});

describe('a page of another origin', () => {
  const PAGE = 'https://app.example.com';
  const preflight = async (name: string, headers: Record<string, string>) => {
    const { url } = await form(cloud.operator, { Bucket: name });
    return fetch(url, { method: 'OPTIONS', headers });
  };
  const asked = { origin: PAGE, 'access-control-request-method': 'POST' };

  beforeAll(() =>
    cloud.services.createBucket(bucket('open', { cors: [{ methods: ['POST'], maxAgeSeconds: 600 }] })),
  );

  /** @behaviour s3.cors */
  it('is let in by a rule of the bucket, and may then read the answer to its form', async () => {
    const answer = await preflight('open', asked);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    });
    const { url, fields } = await form(cloud.operator, { Bucket: 'open' });
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob(['x'.repeat(101)]), 'mine.pdf');
    const refused = await fetch(url, { method: 'POST', body, headers: { origin: PAGE } });
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.text()).toEqual(code('EntityTooLarge'));
  });

  it.each([
    ['where the bucket has no rules', 'uploads', asked, 403, 'AccessForbidden'],
    [
      'with a method that no rule names',
      'open',
      { ...asked, 'access-control-request-method': 'PUT' },
      403,
      'AccessForbidden',
    ],
    [
      'with a header of its own',
      'open',
      { ...asked, 'access-control-request-headers': 'x-other' },
      403,
      'AccessForbidden',
    ],
    ['that names no method', 'open', { origin: PAGE }, 400, 'BadRequest'],
    ['that names no origin', 'open', { 'access-control-request-method': 'POST' }, 400, 'BadRequest'],
  ])('is refused %s', async (_when, name, headers, status, errorCode) => {
    const answer = await preflight(name, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(await answer.text()).toEqual(code(errorCode));
  });
});
