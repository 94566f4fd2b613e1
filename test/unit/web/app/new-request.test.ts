import type { FileInput } from '../../../../client/src/document.ts';
import { SignatureRequestsError } from '../../../../client/src/errors.ts';
import type { CreatedSignatureRequest } from '../../../../client/src/types.ts';
import { type Draft, firstDraft } from '../../../../web/app/new/draft.ts';
import { NewRequest } from '../../../../web/app/new/new-request.ts';

const MADE: CreatedSignatureRequest = {
  id: '8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10',
  status: 'sent',
  expires_at: '2026-12-22T10:00:00.000Z',
  signers: [],
};
const pdf = (name = 'Lease.pdf', bytes = '%PDF-1.7') => new File([bytes], name);
const large = () => pdf('Plans.pdf', `%PDF-${' '.repeat(4_000_000)}`);
const refusal = (code: string, status: number | undefined, field?: string) =>
  new SignatureRequestsError(code, code, { ...(status && { status }), field });

/** A desk in memory, and a service that gives these answers in turn, the last one again and again. */
function stage(...answers: (CreatedSignatureRequest | Error)[]) {
  const kept: { draft: Draft | null; file: File | null } = { draft: null, file: null };
  const keys: string[] = [];
  const sent: FileInput[] = [];
  const upload = { count: 0, done: Promise.resolve() };
  const request = () =>
    new NewRequest(
      {
        async upload() {
          upload.count += 1;
          await upload.done;
          return { upload_id: `upload-${upload.count}`, expires_at: '2026-11-22T11:00:00.000Z' };
        },
        async createRequest({ file }, key) {
          keys.push(key);
          sent.push(file);
          const answer = answers.length > 1 ? answers.shift() : answers[0];
          if (!answer || answer instanceof Error) throw answer;
          return answer;
        },
      },
      {
        locale: 'en',
        loadDraft: () => kept.draft,
        saveDraft: (draft) => {
          kept.draft = draft;
        },
        loadFile: async () => kept.file,
        saveFile: async (file) => {
          kept.file = file;
        },
        forget: async () => {
          kept.draft = null;
          kept.file = null;
        },
      },
    );
  return { request, kept, keys, sent, upload };
}

async function filled(made: NewRequest, file = pdf()) {
  await made.choose(file);
  made.edit({ people: [{ email: 'ann@example.com', name: 'Ann' }] });
  return made;
}

it('a draft survives a reload with its file', async () => {
  const { request } = stage(MADE);
  await filled(request());
  const again = request();
  await again.start(null);
  expect(again.draft.value).toMatchObject({ title: 'Lease', people: [{ email: 'ann@example.com' }] });
  expect(again.file.value?.name).toBe('Lease.pdf');
});

it('a title of one’s own is not replaced by that of another file', async () => {
  const made = stage(MADE).request();
  await made.choose(pdf());
  await made.choose(pdf('Offer.pdf'));
  expect(made.draft.value.title).toBe('Offer');
  made.edit({ title: 'My own' });
  await made.choose(pdf('Other.pdf'));
  expect(made.draft.value.title).toBe('My own');
});

it.each([
  ['not_a_pdf', pdf('Lease.pdf', 'hello')],
  ['document_too_large', pdf('Lease.pdf', `%PDF-${' '.repeat(10_485_760)}`)],
])('a file that is refused as %s leaves the one before', async (fault, file) => {
  const made = stage(MADE).request();
  await made.choose(pdf('First.pdf'));
  await made.choose(file);
  expect(made.fileFault.value).toBe(fault);
  expect(made.file.value?.name).toBe('First.pdf');
});

it('sending twice at once calls the service once, and a sent draft is forgotten', async () => {
  const { request, kept, keys } = stage(MADE);
  const made = await filled(request());
  expect(made.review()).toBe(true);
  expect(await Promise.all([made.send(), made.send()])).toEqual([MADE, null]);
  expect(keys).toHaveLength(1);
  expect(kept).toEqual({ draft: null, file: null });
});

it('a file that is dropped while a request is sent changes neither its document nor its title', async () => {
  const { request, sent, upload } = stage(MADE);
  const { promise, resolve } = Promise.withResolvers<void>();
  upload.done = promise;
  const made = await filled(request(), large());
  const checked = made.choose(pdf('Early.pdf'));
  const sending = made.send();
  const taken = [await checked, await made.choose(pdf('Late.pdf'))];
  expect([made.file.value?.name, made.draft.value.title]).toEqual(['Plans.pdf', 'Plans']);
  expect(taken).toEqual([false, false]);
  resolve();
  await sending;
  expect(sent).toEqual([expect.objectContaining({ upload_id: 'upload-1' })]);
});

it('an outcome that was lost is asked for again with the same key, even after a change', async () => {
  const { request, keys } = stage(refusal('connection_failed', undefined), MADE);
  const made = await filled(request());
  await made.send();
  expect(made.step.value).toBe('reviewing');
  made.edit({ message: 'Hello' });
  await made.send();
  expect(keys).toEqual([keys[0], keys[0]]);
});

describe('a document of more than 4 MB', () => {
  const idsOf = (sent: readonly FileInput[]) => sent.map((file) => 'upload_id' in file && file.upload_id);

  it('is uploaded once, however often sending is tried, and after a reload too', async () => {
    const { request, keys, sent } = stage(refusal('connection_failed', undefined), MADE);
    const made = await filled(request(), large());
    expect(await Promise.all([made.send(), made.send()])).toEqual([null, null]);
    const again = request();
    await again.start(null);
    expect(await again.send()).toEqual(MADE);
    expect(idsOf(sent)).toEqual(['upload-1', 'upload-1']);
    expect(keys[1]).toBe(keys[0]);
  });

  it('is uploaded again under the same key when the upload has ended', async () => {
    const { request, keys, sent } = stage(
      refusal('connection_failed', undefined),
      refusal('invalid_upload', 400, '/document/upload_id'),
      MADE,
    );
    const made = await filled(request(), large());
    await made.send();
    expect(await made.send()).toEqual(MADE);
    expect(idsOf(sent)).toEqual(['upload-1', 'upload-1', 'upload-2']);
    expect(new Set(keys).size).toBe(1);
  });

  it('is kept, and said to be gone, when a new upload is refused too', async () => {
    const { request, kept } = stage(refusal('invalid_upload', 400, '/document/upload_id'));
    const made = await filled(request(), large());
    expect(await made.send()).toBeNull();
    expect(made.refused.value).toEqual({ field: 'document', code: 'invalid_upload' });
    expect(kept.file?.name).toBe('Plans.pdf');
  });

  it('has an upload of its own when another document takes its place', async () => {
    const { request, sent } = stage(refusal('connection_failed', undefined), MADE);
    const made = await filled(request(), large());
    await made.send();
    await made.choose(large());
    await made.send();
    expect(idsOf(sent)).toEqual(['upload-1', 'upload-2']);
  });
});

it('a refused field is shown in the form, and the corrected draft has a key of its own', async () => {
  const { request, keys } = stage(refusal('invalid_signer_email', 400, '/signers/0/email'), MADE);
  const made = await filled(request());
  await made.send();
  expect(made.step.value).toBe('editing');
  expect(made.refused.value).toEqual({ field: 'email-0', code: 'invalid_signer_email' });
  made.edit({ people: [{ email: 'ann@example.org', name: '' }] });
  await made.send();
  expect(keys[1]).not.toBe(keys[0]);
});

it('what is missing keeps the draft in the form', () => {
  const made = stage(MADE).request();
  expect(made.review()).toBe(false);
  expect(made.step.value).toBe('editing');
  expect(Object.keys(made.faults.value)).toEqual(['document', 'title', 'email-0']);
});

it('a discarded draft begins anew', async () => {
  const { request, kept } = stage(MADE);
  const made = await filled(request());
  await made.discard();
  expect(made.draft.value).toEqual(firstDraft('en', made.draft.value.key));
  expect(kept.file).toBeNull();
});
