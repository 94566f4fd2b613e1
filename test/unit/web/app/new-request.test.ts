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

/** A store in memory, and a service that gives these answers in turn, the last one again and again. */
function stage(...answers: (CreatedSignatureRequest | Error)[]) {
  const kept: { draft: Draft | null; file: { id: string; file: File } | null } = { draft: null, file: null };
  const keys: string[] = [];
  const sent: FileInput[] = [];
  const upload = { count: 0, done: Promise.resolve() };
  const loading = { done: Promise.resolve() };
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
        async loadFile(id) {
          await loading.done;
          return kept.file?.id === id ? kept.file.file : null;
        },
        saveFile: async (file) => {
          kept.file = file;
        },
        forget: async () => {
          kept.draft = null;
          kept.file = null;
        },
      },
    );
  return { request, kept, keys, sent, upload, loading };
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

it('a draft that an earlier version of the page has stored gets what it lacks, and is forgotten once it is sent', async () => {
  const { request, kept } = stage(MADE);
  const { reference: _, days: __, ...earlier } = (await filled(request())).draft.value;
  kept.draft = earlier as Draft;
  const again = request();
  await again.start(null);
  expect(again.draft.value).toMatchObject({ title: 'Lease', days: '30', reference: '' });
  expect(await again.review()).toBe(true);
  expect(await again.send()).toBe(MADE);
  expect(kept.draft).toBeNull();
});

it('a draft that is reviewed before its stored file is loaded is not reported as lacking it', async () => {
  const { request, loading } = stage(MADE);
  await filled(request());
  const { promise, resolve } = Promise.withResolvers<void>();
  loading.done = promise;
  const again = request();
  void again.start(null);
  const reviewing = again.review();
  resolve();
  expect(await reviewing).toBe(true);
  expect([again.step.value, again.file.value?.name]).toEqual(['reviewing', 'Lease.pdf']);
});

it('a title that the user has typed is not replaced when another file is chosen', async () => {
  const made = stage(MADE).request();
  await made.choose(pdf());
  await made.choose(pdf('Offer.pdf'));
  expect(made.draft.value.title).toBe('Offer');
  made.edit({ title: 'My own' });
  await made.choose(pdf('Other.pdf'));
  expect(made.draft.value.title).toBe('My own');
});

it('a file dropped on another page replaces a title that was made from the old file’s name', async () => {
  const { request } = stage(MADE);
  await filled(request());
  const again = request();
  await again.start(pdf('Offer.pdf'));
  expect([again.file.value?.name, again.draft.value.title]).toEqual(['Offer.pdf', 'Offer']);
});

describe('a file that takes long to read', () => {
  function slow(file: File) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const bytes = file.arrayBuffer();
    return { file: Object.assign(file, { arrayBuffer: () => promise.then(() => bytes) }), resolve };
  }

  it('a file that takes long to read does not take the place of one that was chosen after it', async () => {
    const made = stage(MADE).request();
    const { file, resolve } = slow(pdf('First.pdf'));
    const choosing = made.choose(file);
    await made.choose(pdf('Second.pdf'));
    resolve();
    expect(await choosing).toBe(true);
    expect([made.file.value?.name, made.draft.value.title]).toEqual(['Second.pdf', 'Second']);
  });

  it('a file that takes long to read does not come back after its draft was discarded', async () => {
    const { request, kept } = stage(MADE);
    const made = request();
    const { file, resolve } = slow(pdf());
    const choosing = made.choose(file);
    expect(made.chosen.value).toBe('Lease.pdf');
    await made.discard();
    expect(made.chosen.value).toBeNull();
    resolve();
    await choosing;
    expect([made.file.value, made.draft.value.title]).toEqual([null, '']);
    expect(kept).toEqual({ draft: null, file: null });
  });

  it('a file that takes long to read delays the summary until it is read', async () => {
    const made = await filled(stage(MADE).request());
    const { file, resolve } = slow(pdf('Second.pdf'));
    const choosing = made.choose(file);
    const reviewing = made.review();
    expect(made.step.value).toBe('editing');
    resolve();
    expect(await reviewing).toBe(true);
    expect([made.step.value, made.file.value?.name]).toEqual(['reviewing', 'Second.pdf']);
    await choosing;
  });

  it('a file that takes long to read keeps the form open if it is not a PDF', async () => {
    const made = await filled(stage(MADE).request());
    const { file, resolve } = slow(pdf('Offer.docx', 'PK'));
    const choosing = made.choose(file);
    const reviewing = made.review();
    resolve();
    expect(await reviewing).toBe(false);
    expect([made.step.value, made.fileFault.value]).toEqual(['editing', 'not_a_pdf']);
    await choosing;
  });
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

it('a file that was changed after it was chosen is sent as it was', async () => {
  const { request, sent } = stage(MADE);
  const chosen = pdf();
  const made = await filled(request(), chosen);
  Object.assign(chosen, { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) });
  await made.choose(chosen);
  expect(made.fileFault.value).toBe('file_unreadable');
  await made.send();
  const [file] = sent;
  expect(file instanceof File && (await file.arrayBuffer()).byteLength).toBe(8);
});

it('a wrong file dropped on the summary leads back to the form, which shows the fault until the user continues', async () => {
  const made = await filled(stage(MADE).request());
  await made.review();
  await made.choose(pdf('Offer.docx', 'PK'));
  expect([made.step.value, made.fileFault.value]).toEqual(['editing', 'not_a_pdf']);
  expect(made.file.value?.name).toBe('Lease.pdf');
  await made.review();
  expect([made.step.value, made.fileFault.value]).toEqual(['reviewing', null]);
});

it('sending twice at once calls the service once, and a sent draft is forgotten', async () => {
  const { request, kept, keys } = stage(MADE);
  const made = await filled(request());
  expect(await made.review()).toBe(true);
  expect(await Promise.all([made.send(), made.send()])).toEqual([MADE, null]);
  expect(keys).toHaveLength(1);
  expect(kept).toEqual({ draft: null, file: null });
});

it.each<[string, (later: NewRequest) => unknown]>([
  ['begun anew', (later) => later.discard().then(() => later.edit({ title: 'Next' }))],
  ['changed', (later) => later.edit({ title: 'Next' })],
])('a draft that was %s while a request was sent is kept', async (_how, change) => {
  const { request, kept, upload } = stage(MADE);
  const { promise, resolve } = Promise.withResolvers<void>();
  upload.done = promise;
  const sending = (await filled(request(), large())).send();
  await change(request());
  resolve();
  expect(await sending).toEqual(MADE);
  expect(kept.draft?.title).toBe('Next');
});

it.each<[string, (later: NewRequest) => unknown]>([
  ['document', (later) => later.choose(pdf('Offer.pdf'))],
  ['people', (later) => later.edit({ people: [{ email: 'bob@example.com', name: '' }] })],
])(
  'a draft whose %s changed while its request was still being sent is another request',
  async (_what, change) => {
    const { request, keys, upload } = stage(MADE);
    const { promise, resolve } = Promise.withResolvers<void>();
    upload.done = promise;
    const sending = (await filled(request(), large())).send();
    const later = request();
    await later.start(null);
    await change(later);
    resolve();
    await sending;
    expect(await later.send()).toEqual(MADE);
    expect(keys[1]).not.toBe(keys[0]);
  },
);

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

it.each([
  ['was lost', refusal('connection_failed', undefined)],
  ['is awaited in another tab', refusal('idempotency_in_progress', 409)],
])('an outcome that %s is asked for again with the same key, even after a change', async (_how, error) => {
  const { request, keys } = stage(error, MADE);
  const made = await filled(request());
  await made.send();
  expect(made.step.value).toBe('reviewing');
  made.edit({ message: 'Hello', people: [{ email: 'bob@example.com', name: 'Bob' }] });
  await made.send();
  expect(keys).toEqual([keys[0], keys[0]]);
});

describe('a draft in two tabs', () => {
  /** One draft with Ann's document in both. */
  async function twoTabs(...answers: (CreatedSignatureRequest | Error)[]) {
    const { request, ...rest } = stage(...answers);
    const one = await filled(request(), pdf('Ann.pdf'));
    const other = request();
    await other.start(null);
    return { ...rest, request, one, other };
  }

  it('a draft in two tabs asks for the document again if the other tab has stored another one', async () => {
    const { request, one, other } = await twoTabs(MADE);
    await other.choose(pdf('Bob.pdf'));
    one.edit({ message: 'Hello' });
    const again = request();
    await again.start(null);
    expect(again.draft.value.people).toEqual(one.draft.value.people);
    expect(again.file.value).toBeNull();
    expect(await again.review()).toBe(false);
  });

  it.each<[string, (tab: NewRequest) => unknown]>([
    ['people', (tab) => tab.edit({ people: [{ email: 'bob@example.com', name: '' }] })],
    ['document', (tab) => tab.choose(pdf('Bob.pdf'))],
  ])('a draft in two tabs is another request once its %s changed in one', async (_what, change) => {
    const { one, other, keys } = await twoTabs(MADE);
    await change(other);
    await one.send();
    await other.send();
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('a draft in two tabs creates one request while document and people are the same', async () => {
    const { one, other, keys } = await twoTabs(MADE);
    other.edit({ message: 'Hello' });
    await one.send();
    await other.send();
    expect(keys[1]).toBe(keys[0]);
  });

  it('a draft in two tabs can be changed and sent after the other tab has sent it', async () => {
    const { one, other, keys } = await twoTabs(MADE, refusal('idempotency_key_conflict', 409), MADE);
    other.edit({ message: 'Hello' });
    await one.send();
    await other.send();
    // The way back may lead over the summary once more.
    other.backToEditing();
    await other.review();
    other.backToEditing();
    other.edit({ message: 'Hello again' });
    expect(await other.send()).toEqual(MADE);
    expect(keys[2]).not.toBe(keys[1]);
  });
});

it('a draft that was begun in another tab stays when an older one is discarded', async () => {
  const { request, kept } = stage(MADE);
  const older = await filled(request());
  await older.send();
  const newer = await filled(request(), pdf('Offer.pdf'));
  await older.discard();
  expect([kept.draft, kept.file?.file.name]).toEqual([newer.draft.value, 'Offer.pdf']);
  expect(older.draft.value.title).toBe('');
});

it('a document that could not be stored is asked for again after a reload', async () => {
  const { request, kept } = stage(MADE);
  const made = await filled(request(), pdf('First.pdf'));
  const earlier = kept.file;
  await made.choose(pdf('Second.pdf'));
  kept.file = earlier;
  const again = request();
  await again.start(null);
  expect([again.draft.value.title, again.file.value]).toEqual(['Second', null]);
});

describe('a document of more than 4 MB', () => {
  const idsOf = (sent: readonly FileInput[]) => sent.map((file) => 'upload_id' in file && file.upload_id);

  it('a document of more than 4 MB is uploaded once, however often sending is tried, and after a reload too', async () => {
    const { request, keys, sent } = stage(refusal('connection_failed', undefined), MADE);
    const made = await filled(request(), large());
    expect(await Promise.all([made.send(), made.send()])).toEqual([null, null]);
    const again = request();
    await again.start(null);
    expect(await again.send()).toEqual(MADE);
    expect(idsOf(sent)).toEqual(['upload-1', 'upload-1']);
    expect(keys[1]).toBe(keys[0]);
  });

  it('a document of more than 4 MB is uploaded again under the same key when the upload has ended', async () => {
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

  it('a document of more than 4 MB keeps its draft, and the lost upload is reported, when a new upload is rejected too', async () => {
    const { request, kept } = stage(refusal('invalid_upload', 400, '/document/upload_id'));
    const made = await filled(request(), large());
    expect(await made.send()).toBeNull();
    expect(made.refused.value).toBe('fileId');
    expect(kept.file?.file.name).toBe('Plans.pdf');
  });

  it('another document of more than 4 MB gets a new upload', async () => {
    const { request, sent } = stage(refusal('connection_failed', undefined), MADE);
    const made = await filled(request(), large());
    await made.send();
    await made.choose(large());
    await made.send();
    expect(idsOf(sent)).toEqual(['upload-1', 'upload-2']);
  });
});

it('a rejected field is shown in the form, and the corrected draft has a new key', async () => {
  const { request, keys } = stage(refusal('invalid_signer_email', 400, '/signers/0/email'), MADE);
  const made = await filled(request());
  await made.send();
  expect(made.step.value).toBe('editing');
  expect(made.refused.value).toBe('email-0');
  made.edit({ people: [{ email: 'ann@example.org', name: '' }] });
  await made.send();
  expect(keys[1]).not.toBe(keys[0]);
});

it('a rejected draft gets a new key with the next change, even after a reload', async () => {
  const { request, keys } = stage(refusal('idempotency_key_conflict', 409), MADE);
  await (await filled(request())).send();
  const again = request();
  await again.start(null);
  again.edit({ message: 'Hello' });
  expect(await again.send()).toEqual(MADE);
  expect(keys[1]).not.toBe(keys[0]);
});

it('a draft whose outcome is unknown after a rejection keeps its key, even after a reload', async () => {
  const { request, keys } = stage(
    refusal('subscription_inactive', 403),
    refusal('connection_failed', undefined),
    MADE,
  );
  const made = await filled(request());
  await made.send();
  await made.send();
  const again = request();
  await again.start(null);
  again.edit({ message: 'Hello' });
  await again.send();
  expect(new Set(keys).size).toBe(1);
});

it('a draft that is sent from a page opened before its refusal is forgotten', async () => {
  const { request, kept, upload } = stage(refusal('subscription_inactive', 403), MADE);
  const { promise, resolve } = Promise.withResolvers<void>();
  upload.done = promise;
  const sending = (await filled(request(), large())).send();
  const later = request();
  await later.start(null);
  resolve();
  await sending;
  expect(await later.send()).toEqual(MADE);
  expect(kept).toEqual({ draft: null, file: null });
});

it('an error stays with its signer when a row above is removed', async () => {
  const made = await filled(stage(refusal('invalid_signer_email', 400, '/signers/1/email')).request());
  const bob = { email: 'bob@example.com', name: '' };
  made.edit({ people: [...made.draft.value.people, bob] });
  await made.send();
  expect(made.refused.value).toBe('email-1');
  made.edit({ people: [bob] });
  expect(made.refused.value).toBe('email-0');
  made.edit({ people: [{ ...bob, email: 'bob@example.org' }] });
  expect(made.refused.value).toBeUndefined();
});

it('an incomplete draft stays in the form', async () => {
  const made = stage(MADE).request();
  expect(await made.review()).toBe(false);
  expect(made.step.value).toBe('editing');
  expect(Object.keys(made.faults.value)).toEqual(['fileId', 'title', 'email-0']);
});

it('after discarding, the draft is empty', async () => {
  const { request, kept } = stage(MADE);
  const made = await filled(request());
  await made.discard();
  expect(made.draft.value).toEqual(firstDraft('en', made.draft.value.key));
  expect(kept.file).toBeNull();
});

it.each([
  ['/document', 'fileId', (made: NewRequest) => made.choose(pdf('Other.pdf'))],
  ['/title', 'title', async (made: NewRequest) => made.edit({ title: 'Other' })],
])(
  'an error at %s stays while other fields are edited, and disappears with the value that was refused',
  async (pointer, field, change) => {
    const made = await filled(stage(refusal('invalid_request', 400, pointer)).request());
    await made.send();
    made.edit({ message: 'Hello' });
    expect(made.refused.value).toBe(field);
    await change(made);
    expect(made.refused.value).toBeUndefined();
  },
);
