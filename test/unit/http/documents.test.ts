import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import type { Caller } from '../../../shared/accounts/authenticate.ts';
import { notFound } from '../../../shared/contract/api-error.ts';
import { requireOwned } from '../../../shared/http/owned-request.ts';
import { contentDisposition, pdfReply, recordedReply } from '../../../shared/http/pdf-reply.ts';
import { evidenceFile, sealedDocument } from '../../../shared/http/sealed-document.ts';
import { changeOf, type SignatureRequest } from '../../../shared/requests/model.ts';
import { after, DAY } from '../../../shared/runtime/time.ts';
import { evidenceKey, renewedKey } from '../../../shared/store/objects.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { sentRequest } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const client = new S3Client({ region: 'eu-north-1' });
const s3 = mockClient(client);
const memory = new MemoryDynamo();
const files = { table: memory.table, s3: client, bucket: 'documents' };
const SHA256 = 'b'.repeat(64);
const noSuchKey = Object.assign(new Error('The specified key does not exist.'), { name: 'NoSuchKey' });

const holds = (key: string, bytes: string) =>
  s3
    .on(GetObjectCommand, { Bucket: 'documents', Key: key })
    .resolves({ Body: Readable.from([bytes]) as never, ContentLength: bytes.length });

beforeEach(() => {
  memory.clear();
  s3.reset();
  s3.on(GetObjectCommand).rejects(noSuchKey);
});

const wanted = {
  bucket: 'documents',
  key: 'a.pdf',
  filename: 'a.pdf',
  disposition: 'inline',
  sha256: SHA256,
} as const;

const streamOf = async (reply: unknown) => text((reply as { stream: Readable }).stream);

describe('PDFs from the bucket', () => {
  it('a PDF is streamed with its length, name and hash', async () => {
    holds('a.pdf', '%PDF-1.7');
    const reply = await pdfReply(client, wanted);
    expect(reply?.headers).toEqual({
      'Content-Length': '8',
      'Content-Disposition': `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`,
      ETag: `"${SHA256}"`,
    });
    expect(await streamOf(reply)).toBe('%PDF-1.7');
  });

  it('a missing object, or one without a length, gives no reply', async () => {
    expect(await pdfReply(client, wanted)).toBeUndefined();
    s3.on(GetObjectCommand).resolves({ Body: Readable.from(['x']) as never });
    expect(await pdfReply(client, wanted)).toBeUndefined();
    s3.on(GetObjectCommand).resolves({ ContentLength: 8 });
    expect(await pdfReply(client, wanted)).toBeUndefined();
  });

  it('an empty object has the length 0', async () => {
    holds('a.pdf', '');
    expect((await pdfReply(client, wanted))?.headers).toMatchObject({ 'Content-Length': '0' });
  });

  describe('a file that the client has', () => {
    const asking = (ifNoneMatch: string) =>
      pdfReply(client, wanted, { range: 'bytes=4-', 'if-none-match': ifNoneMatch });
    beforeEach(() => holds('a.pdf', '%PDF-1.7'));

    it.each([`"${SHA256}"`, `W/"${SHA256}"`, `"other", "${SHA256}"`])(
      'is not sent again, though a part of it was asked for: %s',
      async (tag) => {
        const reply = await asking(tag);
        expect(reply).toMatchObject({ status: 304, headers: { ETag: `"${SHA256}"` } });
        expect(await streamOf(reply)).toBe('');
        expect(s3.calls()).toHaveLength(0);
      },
    );

    it('is sent if it is another one', async () => {
      expect(await streamOf(await asking(`"${'c'.repeat(64)}"`))).toBe('%PDF-1.7');
    });

    it('is not recorded as downloaded', async () => {
      const reply = await asking(`"${SHA256}"`);
      const record = () => Promise.reject(new Error('recorded'));
      expect(reply && (await recordedReply(reply, record))).toBe(reply);
    });
  });

  describe('the rest of a file', () => {
    const rest = { range: 'bytes=10-', 'if-range': `"${SHA256}"` };
    const asked = () => s3.commandCalls(GetObjectCommand).map(({ args: [{ input }] }) => input.Range);
    beforeEach(() => holds('a.pdf', '%PDF-1.7 %%EOF'));

    it.each([
      ['of the named file', rest],
      ['of a file that goes unnamed', { range: rest.range }],
    ])('the rest %s is read from the bucket and answered with its range', async (_what, asks) => {
      s3.on(GetObjectCommand, { Range: 'bytes=10-' }).resolves({
        Body: Readable.from(['%EOF']) as never,
        ContentLength: 4,
        ContentRange: 'bytes 10-13/14',
      });
      const reply = await pdfReply(client, wanted, asks);
      expect(reply).toMatchObject({
        status: 206,
        headers: { 'Content-Length': '4', 'Content-Range': 'bytes 10-13/14', ETag: `"${SHA256}"` },
      });
      expect(await streamOf(reply)).toBe('%EOF');
    });

    it.each([
      ['of another file', { 'if-range': `"${'c'.repeat(64)}"` }],
      ['to an end', { range: 'bytes=4-5' }],
      ['of the last bytes', { range: 'bytes=-4' }],
      ['of several', { range: 'bytes=1-,4-' }],
      ['in another unit', { range: 'pages=4-' }],
      ['from the first byte', { range: 'bytes=0-' }],
      ['beyond all numbers', { range: `bytes=${'9'.repeat(40)}-` }],
    ])('a range %s is ignored', async (_what, other) => {
      const reply = await pdfReply(client, wanted, { ...rest, ...other });
      expect(reply?.status).toBeUndefined();
      expect(await streamOf(reply)).toBe('%PDF-1.7 %%EOF');
      expect(asked()).toEqual([undefined]);
    });

    it('a range that begins beyond the end gives the whole file', async () => {
      s3.on(GetObjectCommand, { Range: 'bytes=10-' }).rejects(
        Object.assign(new Error('The requested range is not satisfiable'), { name: 'InvalidRange' }),
      );
      expect(await streamOf(await pdfReply(client, wanted, rest))).toBe('%PDF-1.7 %%EOF');
    });
  });

  it('an error of the bucket is thrown', async () => {
    s3.on(GetObjectCommand).rejects(new Error('SlowDown'));
    await expect(pdfReply(client, wanted)).rejects.toThrow('SlowDown');
  });

  it('a PDF whose download cannot be recorded is closed, and left open otherwise', async () => {
    const stream = Readable.from(['%PDF-1.7']);
    expect(await recordedReply({ stream }, async () => undefined)).toEqual({ stream });
    expect(stream.destroyed).toBe(false);
    const refused = recordedReply({ stream }, () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    ['contract.pdf', 'contract.pdf', 'contract.pdf'],
    ['Sopimus – Åbo.pdf', 'Sopimus _ Abo.pdf', 'Sopimus%20%E2%80%93%20%C3%85bo.pdf'],
    ['\u0301.pdf', '_.pdf', '%CC%81.pdf'],
    ['a"b\\c%d;e.pdf', 'a_b_c_d_e.pdf', 'a%22b%5Cc%25d%3Be.pdf'],
    ["it's (new)*.pdf", "it's (new)*.pdf", 'it%27s%20%28new%29%2A.pdf'],
    ['line\r\nbreak.pdf', 'line break.pdf', 'line%20break.pdf'],
    ['~tilde\u007f.pdf', '~tilde.pdf', '~tilde.pdf'],
    ['👩‍💻.pdf', '___.pdf', '%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe', 'invoicefdp.exe'],
    ['half\ud83d.pdf', 'half_.pdf', 'half%EF%BF%BD.pdf'],
    ['\u200b\u3164', 'document.pdf', 'document.pdf'],
  ])('a file name is given in ASCII and in UTF-8: %j', (filename, ascii, encoded) => {
    expect(contentDisposition('attachment', filename)).toBe(
      `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    );
  });
});

/** A sealed request with changes to its state. */
function sealedRequest(
  state: Partial<SignatureRequest['state']> = {},
  filename = 'Contract.PDF',
): SignatureRequest {
  const request = sentRequest(1);
  const seal = {
    sealedAt: '2026-11-21T12:00:00.000Z',
    objectKey: 'sealed.pdf',
    size: 8,
    pagesAdded: 1,
    technical: {},
  };
  return {
    ...request,
    content: { ...request.content, filename },
    state: {
      ...request.state,
      status: 'signed',
      seal,
      documentHash: SHA256,
      purgeAt: '2026-11-28T12:00:00.000Z',
      ...state,
    },
  };
}

describe('sealed documents', () => {
  it('a client that has the document hears of its purge all the same', async () => {
    const asked = { rest: { 'if-none-match': `"${SHA256}"` } };
    const purged = sealedRequest({ purgedAt: '2026-11-28T12:00:00.000Z' });
    await expect(sealedDocument(files, purged, asked)).rejects.toMatchObject({ code: 'document_purged' });
    expect(await sealedDocument(files, sealedRequest(), asked)).toMatchObject({ status: 304 });
  });

  it.each([
    ['Contract.PDF', 'Contract-signed.pdf'],
    ['contract', 'contract-signed.pdf'],
    ['a.pdf.pdf', 'a.pdf-signed.pdf'],
  ])('the sealed version of %s is downloaded as %s', async (filename, name) => {
    holds('sealed.pdf', '%PDF-1.7');
    const reply = await sealedDocument(files, sealedRequest({}, filename));
    expect(reply.headers).toMatchObject({
      'Content-Disposition': expect.stringContaining(`attachment; filename="${name}"`),
      ETag: `"${SHA256}"`,
    });
    expect(await streamOf(reply)).toBe('%PDF-1.7');
  });

  it.each([
    ['no seal', { seal: null }],
    ['no hash', { documentHash: null }],
  ])('a request with %s has no sealed document yet', async (_what, state) => {
    await expect(sealedDocument(files, sealedRequest(state))).rejects.toMatchObject({
      code: 'not_yet_signed',
    });
  });
});

describe('the archival form', () => {
  const [document, evidence] = ['d'.repeat(64), 'e'.repeat(64)];
  const renewed = { number: 1, at: '2036-05-21T12:00:00.000Z', documentHash: document };
  const replies = async (request: SignatureRequest) => {
    const both = await Promise.all([
      sealedDocument(files, request, { form: 'archival' }),
      evidenceFile(files, request, { form: 'archival' }),
    ]);
    return Promise.all(both.map(async (reply) => [await streamOf(reply), reply.headers?.ETag]));
  };

  it('the archival form is the sealed file until the first renewal', async () => {
    const request = sealedRequest({ evidenceHash: evidence });
    holds('sealed.pdf', 'sealed');
    holds(evidenceKey(request.state.id), 'evidence');
    expect(await replies(request)).toEqual([
      ['sealed', `"${SHA256}"`],
      ['evidence', `"${evidence}"`],
    ]);
  });

  it('the archival form is the newest renewed file after a renewal, of the evidence too if it was renewed', async () => {
    const newEvidence = 'f'.repeat(64);
    const request = sealedRequest({
      evidenceHash: evidence,
      renewed: { ...renewed, evidenceHash: newEvidence },
    });
    const { id } = request.state;
    holds(renewedKey(id, document), 'renewed');
    holds(renewedKey(id, newEvidence), 'renewed evidence');
    holds(evidenceKey(id), 'evidence');
    expect(await replies(request)).toEqual([
      ['renewed', `"${document}"`],
      ['renewed evidence', `"${newEvidence}"`],
    ]);
    const alone = sealedRequest({ id, evidenceHash: evidence, renewed: { ...renewed, evidenceHash: null } });
    holds(renewedKey(id, document), 'renewed');
    expect(await replies(alone)).toEqual([
      ['renewed', `"${document}"`],
      ['evidence', `"${evidence}"`],
    ]);
  });

  it('the archival form is answered to nobody who did not ask for it', async () => {
    const request = sealedRequest({
      evidenceHash: evidence,
      renewed: { ...renewed, evidenceHash: 'f'.repeat(64) },
    });
    holds('sealed.pdf', 'sealed');
    holds(evidenceKey(request.state.id), 'evidence');
    expect(await streamOf(await sealedDocument(files, request))).toBe('sealed');
    expect(await streamOf(await evidenceFile(files, request))).toBe('evidence');
  });
});

it.each([
  ['cancelled', 'request_cancelled'],
  ['declined', 'request_declined'],
  ['expired', 'request_expired'],
  ['opened', 'not_yet_signed'],
  ['awaiting_stamp', 'not_yet_signed'],
  ['stamp_failed', 'not_yet_signed'],
] as const)(
  'a client that waits for the files of a request that is %s learns whether there may be some yet',
  async (status, code) => {
    const request = sealedRequest({ status, seal: null, documentHash: null });
    for (const file of [sealedDocument, evidenceFile])
      await expect(file(files, request)).rejects.toMatchObject({ code, status: 409 });
  },
);

describe('ownership', () => {
  const request = sentRequest(1);
  const caller = { ownerId: request.state.ownerId, mode: 'live' } as Caller;

  it('an owner can read its request', () => {
    expect(requireOwned(request, caller)).toBe(request);
  });

  it.each([
    ['another owner', request, { ...caller, ownerId: 'another' }],
    ['the owner’s other mode', request, { ...caller, mode: 'test' as const }],
    ['anybody where it does not exist', undefined, caller],
  ])('a request does not exist for %s', (_who, found, by) => {
    expect(() => requireOwned(found, by)).toThrow(notFound('id'));
  });
});

describe('evidence files', () => {
  const evidenceHash = 'e'.repeat(64);

  it('an evidence file is downloaded under the name of its document', async () => {
    const request = sealedRequest({ evidenceHash }, 'Contract.PDF');
    holds(evidenceKey(request.state.id), '%PDF-1.7');
    const reply = await evidenceFile(files, request);
    expect(reply.headers).toMatchObject({
      'Content-Disposition': expect.stringContaining('attachment; filename="Contract-evidence.pdf"'),
      ETag: `"${evidenceHash}"`,
    });
    expect(await streamOf(reply)).toBe('%PDF-1.7');
  });

  it.each([
    ['is not sealed', { seal: null }, 'not_yet_signed', 409],
    ['was sealed without evidence', {}, 'evidence_unavailable', 404],
  ])('a request that %s has no evidence file', async (_what, state, code, status) => {
    await expect(evidenceFile(files, sealedRequest(state))).rejects.toMatchObject({
      code,
      status,
    });
  });
});

describe('a file that is missing', () => {
  const [yesterday, tomorrow] = [after(new Date(), -DAY), after(new Date(), DAY)];
  const downloads = [
    ['the sealed document', sealedDocument],
    ['the evidence file', evidenceFile],
  ] as const;

  /** A download by a call that has read this state, and what is stored by the time it finds no file. */
  async function missing(
    download: typeof sealedDocument,
    read: Partial<SignatureRequest['state']>,
    stored = read,
  ) {
    const { state } = await storedRequest(memory.table);
    await changed(memory.table, state.id, (request) =>
      changeOf(request, { state: { ...request.state, ...stored } }),
    );
    return download(files, sealedRequest({ id: state.id, evidenceHash: 'e'.repeat(64), ...read }));
  }
  const purged = (at: string) => ({ code: 'document_purged', status: 410, fields: { purged_at: at } });

  it.each(downloads)('%s is gone since its purge, and is not looked for', async (_what, download) => {
    const gone = missing(download, { purgeAt: yesterday, purgedAt: tomorrow });
    await expect(gone).rejects.toMatchObject(purged(tomorrow));
    expect(s3.calls()).toHaveLength(0);
  });

  it.each(downloads)('%s is gone while it is being purged', async (_what, download) => {
    await expect(missing(download, { purgeAt: yesterday })).rejects.toMatchObject(purged(yesterday));
  });

  it.each(downloads)('%s is gone if it was deleted after the call began', async (_what, download) => {
    const read = { purgeAt: tomorrow };
    const begun = missing(download, read, { purgeAt: yesterday });
    await expect(begun).rejects.toMatchObject(purged(yesterday));
    const ended = missing(download, read, { purgeAt: yesterday, purgedAt: tomorrow });
    await expect(ended).rejects.toMatchObject(purged(tomorrow));
  });

  it.each(downloads)('%s is lost if no purge is due', async (_what, download) => {
    for (const purgeAt of [null, tomorrow])
      await expect(missing(download, { purgeAt })).rejects.toThrow('is missing');
  });
});
