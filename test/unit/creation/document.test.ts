import { GetObjectCommand } from '@aws-sdk/client-s3';
import { checkDocument, type DocumentInput, storeOriginal } from '../../../shared/creation/document.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { HOUR } from '../../../shared/runtime/time.ts';
import type { OwnerMode } from '../../../shared/store/keys.ts';
import { addUpload, findUpload } from '../../../shared/store/uploads.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { makePdf, makePdfWithFiles } from '../../support/pdf.ts';
import { at, NOON } from '../../support/requests.ts';

const LIMIT = 10_485_760;
const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const memory = new MemoryDynamo();
const { table } = memory;
let objects: MemoryObjects;
let pdf: Buffer;

beforeAll(async () => {
  pdf = await makePdf('A contract', 2);
});
beforeEach(async () => {
  memory.clear();
  objects = new MemoryObjects();
  await addUpload(table, 'u1', OWNER, at(HOUR).toISOString());
  objects.objects.set('staging/uploads/u1.pdf', { bytes: pdf });
});

const check = (document: DocumentInput, owner: OwnerMode = OWNER, now = NOON) =>
  checkDocument({ s3: objects.s3, stagingBucket: 'staging', table, now: () => now }, document, {
    owner,
    requestId: 'request-1',
  });
const inline = (bytes: Uint8Array) => ({ content_base64: Buffer.from(bytes).toString('base64') });
const refused = (code: string, message?: string, field?: string) => ({
  code,
  ...(message && { message: expect.stringContaining(message) }),
  ...(field && { fields: { field } }),
});

describe('a document in the body', () => {
  it('a document is described by its name, size, hash and pages', async () => {
    expect(await check({ ...inline(pdf), filename: 'lease.pdf' })).toEqual({
      bytes: pdf,
      content: {
        filename: 'lease.pdf',
        documentSize: pdf.length,
        documentSha256: sha256Hex(pdf),
        pageCount: 2,
        alreadySigned: false,
        attachments: null,
      },
      extraWrites: [],
    });
  });

  it('the files attached to a document are listed, the first 20 of many', async () => {
    const attached = async (count: number) =>
      (await check(inline(await makePdfWithFiles(count)))).content.attachments;
    expect(await attached(2)).toEqual({
      count: 2,
      listed: [
        { filename: 'file-01.xml', size: 1 },
        { filename: 'file-02.xml', size: 2 },
      ],
    });
    const many = await attached(21);
    expect(many?.count).toBe(21);
    expect(many?.listed).toHaveLength(20);
    expect(many?.listed.at(-1)).toEqual({ filename: 'file-20.xml', size: 20 });
  });

  it('a document without a name is called document.pdf', async () => {
    expect((await check(inline(pdf))).content.filename).toBe('document.pdf');
  });

  it('white space between the characters of base64 is ignored', async () => {
    const lines = pdf.toString('base64').replace(/.{76}/g, '$&\r\n\t \u00a0');
    expect((await check({ content_base64: lines })).bytes).toEqual(pdf);
  });

  it('a file that is not a PDF is refused, and the field is named', async () => {
    await expect(check(inline(Buffer.from('GIF89a')))).rejects.toMatchObject(
      refused('not_a_pdf', 'document.content_base64: ', '/document/content_base64'),
    );
  });

  it('a PDF of more than 10 MB is refused', async () => {
    await expect(check(inline(Buffer.alloc(LIMIT + 1)))).rejects.toMatchObject(
      refused('document_too_large', 'document.content_base64'),
    );
    await expect(check(inline(Buffer.alloc(LIMIT)))).rejects.toMatchObject(refused('not_a_pdf'));
  });
});

describe('an uploaded document', () => {
  it('an upload is read from the staging bucket, and marked as used with the request', async () => {
    const { bytes, content, extraWrites } = await check({ upload_id: 'u1' });
    expect(Buffer.from(bytes).equals(pdf)).toBe(true);
    expect(content).toMatchObject({ filename: 'document.pdf', documentSha256: sha256Hex(pdf) });
    await table.transact(extraWrites);
    expect(await findUpload(table, 'u1')).toMatchObject({ usedBy: 'request-1' });
  });

  it.each([
    ['an unknown upload', 'u2', OWNER],
    ['another owner’s upload', 'u1', { ...OWNER, ownerId: 'owner-2' }],
    ['a live upload in a test request', 'u1', { ...OWNER, mode: 'test' as const }],
  ])('%s does not exist', async (_what, id, owner) => {
    await expect(check({ upload_id: id }, owner)).rejects.toMatchObject(
      refused('invalid_upload', 'of yours', '/document/upload_id'),
    );
  });

  it('a test upload belongs to test requests only', async () => {
    await addUpload(table, 'u1', { ...OWNER, mode: 'test' }, at(HOUR).toISOString());
    await expect(check({ upload_id: 'u1' })).rejects.toMatchObject(refused('invalid_upload'));
    expect((await check({ upload_id: 'u1' }, { ...OWNER, mode: 'test' })).content.pageCount).toBe(2);
  });

  it('an upload serves one request, which may use it again after an interruption', async () => {
    await table.transact((await check({ upload_id: 'u1' })).extraWrites);
    expect((await check({ upload_id: 'u1' })).content.pageCount).toBe(2);
    await table.update({ pk: 'UPLOAD#u1', sk: 'UPLOAD' }, { usedBy: 'request-2' });
    await expect(check({ upload_id: 'u1' })).rejects.toMatchObject(refused('invalid_upload', 'used already'));
  });

  it('two requests that checked an upload concurrently cannot both use it', async () => {
    const { extraWrites } = await check({ upload_id: 'u1' });
    await table.update({ pk: 'UPLOAD#u1', sk: 'UPLOAD' }, { usedBy: 'request-2' });
    await expect(table.transact(extraWrites)).rejects.toMatchObject({ name: 'ConditionFailed' });
  });

  it('an upload ends after an hour', async () => {
    await check({ upload_id: 'u1' }, OWNER, at(HOUR - 1));
    await expect(check({ upload_id: 'u1' }, OWNER, at(HOUR))).rejects.toMatchObject(
      refused('invalid_upload', 'ended'),
    );
  });

  it('a new upload is known at once', async () => {
    memory.isLagging = true;
    await addUpload(table, 'u9', OWNER, at(HOUR).toISOString());
    expect(await findUpload(table, 'u9')).toMatchObject({ usedBy: null, ownerId: 'owner-1' });
  });

  it('an upload whose file was not sent is refused', async () => {
    objects.objects.clear();
    await expect(check({ upload_id: 'u1' })).rejects.toMatchObject(refused('invalid_upload', 'not finished'));
  });

  it('an error of the bucket is thrown', async () => {
    objects.mock.on(GetObjectCommand).rejects(new Error('SlowDown'));
    await expect(check({ upload_id: 'u1' })).rejects.toThrow('SlowDown');
  });

  it('an uploaded file is checked like one in the body', async () => {
    objects.objects.set('staging/uploads/u1.pdf', { bytes: Buffer.from('GIF89a') });
    await expect(check({ upload_id: 'u1' })).rejects.toMatchObject(
      refused('not_a_pdf', 'document.upload_id: ', '/document/upload_id'),
    );
    objects.objects.set('staging/uploads/u1.pdf', { bytes: Buffer.alloc(LIMIT + 1) });
    await expect(check({ upload_id: 'u1' })).rejects.toMatchObject(
      refused('document_too_large', 'document.upload_id'),
    );
  });
});

it('the original is stored as a PDF under its request', async () => {
  await storeOriginal(objects.s3, 'documents', 'request-1', pdf);
  expect(objects.objects.get('documents/requests/request-1/original.pdf')).toMatchObject({
    bytes: pdf,
    type: 'application/pdf',
  });
});

it('a resumed call accepts the same original and never overwrites another', async () => {
  const stored = objects.objects;
  await storeOriginal(objects.s3, 'documents', 'request-1', pdf);
  await storeOriginal(objects.s3, 'documents', 'request-1', Buffer.from(pdf));
  await expect(
    storeOriginal(objects.s3, 'documents', 'request-1', Buffer.from('%PDF of another')),
  ).rejects.toMatchObject(refused('idempotency_key_conflict', 'document.upload_id'));
  expect(stored.get('documents/requests/request-1/original.pdf')?.bytes).toBe(pdf);
});
