import { jest } from '@jest/globals';
import type { Caller } from '../../../shared/accounts/authenticate.ts';
import { NEUTRAL } from '../../../shared/accounts/brand.ts';
import { createSignature, createSignatureBody } from '../../../shared/contract/signatures.ts';
import { createRequest, creationAnswer } from '../../../shared/creation/create-request.ts';
import { requestIdOfToken } from '../../../shared/requests/links.ts';
import type { MailOutcome } from '../../../shared/requests/mails.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { dispatch } from '../../../shared/store/dispatch.ts';
import type { Item } from '../../../shared/store/items.ts';
import { ownerKey, requestPartition } from '../../../shared/store/keys.ts';
import { beginRemoval, endRemoval } from '../../../shared/store/object-claims.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { WriteCollision } from '../../../shared/store/table.ts';
import { addUpload, findUpload } from '../../../shared/store/uploads.ts';
import { codeHash } from '../../../shared/verification/code.ts';
import { captureLog } from '../../support/captured-log.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { ownerItem } from '../../support/owners.ts';
import { makePdf } from '../../support/pdf.ts';
import { at, NOON, newCaller } from '../../support/requests.ts';
import { SentMessages } from '../../support/sent-messages.ts';
import { until } from '../../support/until.ts';

const PEPPER = Buffer.alloc(32, 7);
const BASE_URL = 'https://sign.example.com';
const memory = new MemoryDynamo();
const { table } = memory;
let objects: MemoryObjects;
let mails: FakeMailer;
let sent: SentMessages;
let clock: Date;
let document: { content_base64: string };

beforeAll(async () => {
  document = { content_base64: (await makePdf()).toString('base64') };
});
beforeEach(() => {
  captureLog();
  memory.clear();
  objects = new MemoryObjects();
  mails = new FakeMailer();
  sent = new SentMessages();
  clock = NOON;
});
afterEach(() => jest.restoreAllMocks());

/** Creates a request from a body as a client sends it. */
function create(body: object = {}, { key, caller }: { key?: string; caller?: Partial<Caller> } = {}) {
  const rawBody = JSON.stringify({
    title: 'Contract',
    signers: [{ email: 'a@example.com' }],
    document,
    ...body,
  });
  return createRequest(
    {
      table,
      s3: objects.s3,
      documentsBucket: 'documents',
      stagingBucket: 'staging',
      send: (items) => dispatch(sent.sqs, { event: 'events', mail: 'mails' }, items),
      mailer: mails.mailer,
      baseUrl: BASE_URL,
      codePepper: PEPPER,
      now: () => clock,
    },
    {
      caller: newCaller(caller),
      body: createSignatureBody.parse(JSON.parse(rawBody)),
      rawBody,
      idempotencyKey: key,
    },
  );
}
const created = async (...call: Parameters<typeof create>): Promise<SignatureRequest> =>
  (await create(...call)).request;
const requests = () => memory.items.filter(({ sk }) => sk === 'R#META');
/** The kinds of work that is left in the outbox. */
const left = () => memory.items.flatMap(({ pk, kind }) => (String(pk).startsWith('OUTBOX') ? [kind] : []));
const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `p${n}@example.com` }));

describe('a new request', () => {
  it('a request is stored with its document, mailed and announced', async () => {
    const request = await created({
      title: 'Lease',
      message: 'Please sign',
      signers: [{ email: 'a@example.com', name: 'Anna', locale: 'fi' }, { email: 'b@example.com' }],
      locale: 'de',
      reminders: false,
    });
    const { id } = request.state;
    expect(request.state).toMatchObject({
      ownerId: 'owner-1',
      ownerType: 'organization',
      ownerName: 'Acme',
      mode: 'live',
      status: 'sent',
      title: 'Lease',
      locale: 'de',
      reminders: false,
      createdAt: NOON.toISOString(),
    });
    expect(request.content).toMatchObject({
      message: 'Please sign',
      filename: 'document.pdf',
      metadataJson: '{}',
      documentKey: `requests/${id}/original.pdf`,
    });
    expect(request.signers).toMatchObject([
      { email: 'a@example.com', name: 'Anna', nameAsInvited: 'Anna', locale: 'fi', status: 'sent' },
      { email: 'b@example.com', name: 'b@example.com', nameAsInvited: null, locale: 'de', status: 'sent' },
    ]);
    expect(await loadRequest(table, id)).toMatchObject({ ...request });
    expect(objects.objects.has(`documents/requests/${id}/original.pdf`)).toBe(true);
    expect(mails.mails.map(({ to }) => to)).toEqual(['a@example.com', 'b@example.com']);
    expect(sent.all.map(({ queue }) => queue)).toEqual(['events', 'events']);
    // The events leave it when they are published.
    expect(left()).toEqual(['event', 'event']);
  });

  it('a request that the caller’s user made names that user', async () => {
    const user = { id: 'user-1', email: 'user@example.com' };
    expect((await created({}, { caller: { user } })).state.createdBy).toEqual({
      userId: 'user-1',
      email: 'user@example.com',
    });
    expect((await created()).state.createdBy).toBeNull();
  });

  it('a request without a message has an empty one', async () => {
    expect((await created()).content.message).toBe('');
  });

  it('in test mode without a subscription each address counts against the day’s limit', async () => {
    const free = { caller: { mode: 'test', subscription: 'none' } } as const;
    await created({ signers: people(3) }, free);
    const [day] = memory.items.filter(({ addresses }) => addresses !== undefined);
    expect(new Set(day?.addresses as string[]).size).toBe(3);
  });

  it('three signers take eight round trips, three of them mails', async () => {
    memory.mock.resetHistory();
    await created({ signers: people(3) }, { caller: { brand: null } });
    expect(mails.mails).toHaveLength(3);
    expect(objects.mock.calls()).toHaveLength(1);
    expect(sent.batches).toHaveLength(1);
    // The claim of the original, the request, and the outcomes with their report.
    expect(memory.mock.calls()).toHaveLength(3);
  });

  it('mails show the brand in the caller’s copy, else the owner’s own', async () => {
    const brand = { ...NEUTRAL, name: 'Copied' };
    await addOwner(table, ownerItem({ brand: { ...NEUTRAL, name: 'Owned' } }));
    await created({}, { caller: { brand } });
    await created();
    expect(mails.mails.map(({ content }) => /Copied|Owned/.exec(content.text)?.[0])).toEqual([
      'Copied',
      'Owned',
    ]);
  });

  it('each signer has a link and a code of its own', async () => {
    const { state, signers } = await created({ signers: people(3) });
    expect(new Set(signers.map(({ accessToken }) => accessToken)).size).toBe(3);
    for (const [n, { id, accessToken, code }] of signers.entries()) {
      expect(accessToken).toMatch(/^[A-Za-z0-9_-]{65}$/);
      expect(requestIdOfToken(accessToken)).toBe(state.id);
      expect(code?.hash).toBe(codeHash(PEPPER, state.id, id, mails.codes[n] ?? ''));
    }
  });

  it('the codes are stored only as hashes', async () => {
    await created();
    expect(mails.codes[0]).toMatch(/^\d{6}$/);
    expect(JSON.stringify(memory.items)).not.toContain(`"${mails.codes[0]}"`);
  });

  it('the language is the request’s, else the first signer’s, else English', async () => {
    const signers = [{ email: 'a@example.com', locale: 'fi' }, { email: 'b@example.com' }];
    const locales = async (body: object) => {
      const { state, signers: all } = await created(body);
      return [state.locale, ...all.map(({ locale }) => locale)];
    };
    expect(await locales({ signers, locale: 'fr' })).toEqual(['fr', 'fi', 'fr']);
    expect(await locales({ signers })).toEqual(['fi', 'fi', 'en']);
    expect(await locales({})).toEqual(['en', 'en']);
  });

  it('reminders are on unless the request or its owner turns them off', async () => {
    expect((await created()).state.reminders).toBe(true);
    expect((await created({ reminders: false })).state.reminders).toBe(false);
    expect((await created({}, { caller: { reminders: false } })).state.reminders).toBe(false);
  });

  it('archive protection of the owner applies to live requests', async () => {
    expect((await created({}, { caller: { archive: true } })).state.archiveProtected).toBe(true);
    expect((await created({}, { caller: { archive: true, mode: 'test' } })).state.archiveProtected).toBe(
      false,
    );
  });

  it('an archive that ends while a request is created does not protect it for good', async () => {
    await addOwner(table, ownerItem({ archive: true }));
    mails.outcome = () => {
      memory.set({ ...ownerKey('owner-1'), ...ownerItem() });
      return { sent: true, error: null };
    };
    const { state } = await created({}, { caller: { archive: true } });
    expect((await loadRequest(table, state.id))?.state.archiveProtected).toBe(false);
  });

  it('a blank name is the address, and a blank reference none', async () => {
    const request = await created({ signers: [{ email: 'a@example.com', name: ' ' }], reference: ' ' });
    expect(request.signers).toMatchObject([{ name: 'a@example.com', nameAsInvited: null }]);
    expect(request.state.reference).toBeNull();
  });

  it('metadata is kept verbatim', async () => {
    const body = { metadata: { b: 1, a: [1.5, 'ä'] } };
    expect((await created(body)).content.metadataJson).toBe('{"b":1,"a":[1.5,"ä"]}');
  });

  it('a request whose mails all fail is pending', async () => {
    mails.fail('rejected');
    expect((await created()).state).toMatchObject({ status: 'pending', sentAt: null });
  });

  it('every request has an id of its own', async () => {
    expect((await created()).state.id).not.toBe((await created()).state.id);
    expect(requests()).toHaveLength(2);
  });
});

describe('refused requests', () => {
  it.each([
    ['none', 'subscription_required'],
    ['inactive', 'subscription_inactive'],
  ] as const)('a live request needs a subscription: %s', async (subscription, code) => {
    await expect(create({}, { caller: { subscription } })).rejects.toMatchObject({ code });
    expect((await created({}, { caller: { subscription, mode: 'test' } })).state.mode).toBe('test');
  });

  it('a request with a document that cannot be sealed is refused, names the field, and leaves nothing', async () => {
    const gif = { content_base64: Buffer.from('GIF89a').toString('base64') };
    await expect(create({ document: gif })).rejects.toMatchObject({
      code: 'not_a_pdf',
      message: expect.stringContaining('document.content_base64'),
      fields: { field: '/document/content_base64' },
    });
    expect(memory.items).toEqual([]);
    expect(objects.objects.size).toBe(0);
    expect(mails.mails).toEqual([]);
  });
});

describe('the deprecated single-signer form', () => {
  it('a single signer can be given by address and name', async () => {
    const { signers } = await created({
      signers: undefined,
      signer_email: 'a@example.com',
      signer_name: 'Anna',
    });
    expect(signers).toMatchObject([{ email: 'a@example.com', nameAsInvited: 'Anna' }]);
  });
});

describe('the answer to a creation', () => {
  it('an answer fits the contract and says what became of each mail', async () => {
    mails.outcome = ({ to }) =>
      to.startsWith('p0') ? { sent: true, error: null } : { sent: false, error: 'rejected' };
    const request = await created({ signers: people(2) });
    const answer = creationAnswer(request, BASE_URL);
    expect(createSignature.answer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      id: request.state.id,
      status: 'sent',
      expires_at: request.state.expiresAt,
      signers: [
        {
          email: 'p0@example.com',
          name: 'p0@example.com',
          email_sent: true,
          email_error: null,
          locale: 'en',
        },
        { email_sent: false, email_error: 'rejected' },
      ],
    });
    expect(answer).not.toHaveProperty('token');
    for (const [n, { sign_url, access_token }] of answer.signers.entries()) {
      expect(access_token).toBe(request.signers[n]?.accessToken);
      expect(sign_url).toBe(`${BASE_URL}/sign/${access_token}`);
    }
  });

  it('an answer for one signer has the deprecated fields too', async () => {
    const answer = creationAnswer(
      await created({ signers: [{ email: 'a@example.com', name: 'Anna' }] }),
      BASE_URL,
    );
    const [signer] = answer.signers;
    expect(answer).toMatchObject({
      token: signer?.access_token,
      sign_url: signer?.sign_url,
      email_sent: true,
      email_error: null,
    });
    expect(signer?.name).toBe('Anna');
  });

  it('an answer without a mailed invitation is pending', async () => {
    mails.fail('rejected');
    expect(creationAnswer(await created(), BASE_URL)).toMatchObject({
      status: 'pending',
      email_sent: false,
      email_error: 'rejected',
    });
  });
});

describe('idempotent calls', () => {
  it('a repeated call gets the first answer, also after the request changed', async () => {
    const first = await create({}, { key: 'k' });
    expect(first.replayed).toBe(false);
    clock = at(HOUR);
    const again = await create({}, { key: 'k' });
    expect(again.replayed).toBe(true);
    expect(creationAnswer(again.request, BASE_URL)).toEqual(creationAnswer(first.request, BASE_URL));
    expect(mails.mails).toHaveLength(1);
    expect(requests()).toHaveLength(1);
  });

  it('a call whose writes collide with another’s answers conflict and frees its key', async () => {
    const transact = jest.spyOn(table, 'transact').mockRejectedValueOnce(new WriteCollision());
    await expect(create({}, { key: 'k' })).rejects.toMatchObject({ code: 'conflict' });
    expect(transact).toHaveBeenCalledTimes(1);
    expect(await create({}, { key: 'k' })).toMatchObject({ replayed: false });
  });

  it('a refused call frees its key for a corrected one', async () => {
    const gif = { content_base64: Buffer.from('GIF89a').toString('base64') };
    await expect(create({ document: gif }, { key: 'k' })).rejects.toMatchObject({ code: 'not_a_pdf' });
    expect(await create({}, { key: 'k' })).toMatchObject({ replayed: false });
  });

  it('a failed call keeps its key, so that a repetition cannot create a second request', async () => {
    objects.beforePuts.push(() => {
      throw new Error('S3 is down');
    });
    await expect(create({}, { key: 'k' })).rejects.toThrow('S3 is down');
    await expect(create({ title: 'Other' }, { key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_key_conflict',
    });
  });

  it('a call concurrent with the first one is told to wait', async () => {
    const mailing = Promise.withResolvers<MailOutcome>();
    mails.outcome = () => mailing.promise;
    const first = create({}, { key: 'k' });
    await expect(create({}, { key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAt: at(MINUTE).toISOString(),
    });
    mailing.resolve({ sent: true, error: null });
    expect(await first).toMatchObject({ replayed: false });
    expect(await create({}, { key: 'k' })).toMatchObject({ replayed: true });
  });

  it('a call concurrent with the first one waits, also if it sees that one’s write in part', async () => {
    const mailing = Promise.withResolvers<MailOutcome>();
    mails.outcome = () => mailing.promise;
    const first = create({ signers: people(2) }, { key: 'k' });
    await until(() => mails.mails.length === 2, 'two mails');
    const readAll = table.queryAll.bind(table);
    const withoutSigners = jest
      .spyOn(table, 'queryAll')
      .mockImplementation(async (input) =>
        (await readAll(input)).filter(({ sk }) => !String(sk).startsWith('R#SIGNER')),
      );
    await expect(create({ signers: people(2) }, { key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    withoutSigners.mockRestore();
    mailing.resolve({ sent: true, error: null });
    expect((await first).request.state).toMatchObject({ status: 'sent' });
  });

  it('a repeated call gets the first answer, also if it sees the new state beside the old signers', async () => {
    const readAll = table.queryAll.bind(table);
    let old: Item[] = [];
    mails.outcome = async ({ about }) => {
      old = await readAll({ pk: requestPartition(about?.requestId ?? '') });
      return { sent: true, error: null };
    };
    const first = await create({}, { key: 'k' });
    const oldSigner = old.filter(({ sk }) => String(sk).startsWith('R#SIGNER'));
    jest
      .spyOn(table, 'queryAll')
      .mockImplementationOnce(async (input) => [
        ...(await readAll(input)).filter(({ sk }) => !String(sk).startsWith('R#SIGNER')),
        ...oldSigner,
      ]);
    const again = await create({}, { key: 'k' });
    expect(creationAnswer(again.request, BASE_URL)).toEqual(creationAnswer(first.request, BASE_URL));
    expect(mails.mails).toHaveLength(1);
  });

  it('a call that died before the request existed is taken over after a minute', async () => {
    memory.beforeWrites.push(
      () => {},
      () => {},
      () => {
        throw new Error('The function was stopped.');
      },
    );
    await expect(create({}, { key: 'k' })).rejects.toThrow('stopped');
    expect(requests()).toEqual([]);
    clock = at(MINUTE - 1);
    await expect(create({}, { key: 'k' })).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    clock = at(MINUTE);
    expect(await create({}, { key: 'k' })).toMatchObject({
      replayed: false,
      request: { state: { status: 'sent' } },
    });
    expect(requests()).toHaveLength(1);
  });

  it('a call that died while mailing is finished by its repetition after a minute', async () => {
    mails.outcome = ({ to }) => {
      if (to.startsWith('p1')) throw new Error('The function was stopped.');
      return { sent: true, error: null };
    };
    await expect(create({ signers: people(3) }, { key: 'k' })).rejects.toThrow('stopped');
    mails.outcome = () => ({ sent: true, error: null });
    clock = at(30 * SECOND);
    await expect(create({ signers: people(3) }, { key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAt: at(MINUTE).toISOString(),
    });
    clock = at(MINUTE);
    const { request, replayed } = await create({ signers: people(3) }, { key: 'k' });
    expect(replayed).toBe(true);
    expect(request.signers.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    expect(mails.mails.map(({ to }) => to[1])).toEqual(['0', '1', '2', '1']);
    expect(requests()).toHaveLength(1);
  });

  it('of two calls that take over concurrently one creates the request', async () => {
    objects.beforePuts.push(() => {
      throw new Error('The function was stopped.');
    });
    await expect(create({}, { key: 'k' })).rejects.toThrow('stopped');
    clock = at(MINUTE);
    // The first write is the refused claim, the second one takes over.
    memory.beforeWrites.push(
      () => {},
      () => create({}, { key: 'k' }),
    );
    await expect(create({}, { key: 'k' })).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(requests()).toHaveLength(1);
    expect(mails.mails).toHaveLength(1);
  });

  it('a slow first call does not create a second request after another took over', async () => {
    // The first write claims the key, the second one the original, the third one creates the request.
    memory.beforeWrites.push(
      () => {},
      () => {},
      async () => {
        clock = at(MINUTE);
        await create({}, { key: 'k' });
      },
    );
    await expect(create({}, { key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAt: at(SECOND).toISOString(),
    });
    expect(requests()).toHaveLength(1);
    expect(await create({}, { key: 'k' })).toMatchObject({ replayed: true });
  });

  it('a call whose original is being removed creates nothing, and succeeds when repeated', async () => {
    const waiting = { code: 'idempotency_in_progress' };
    let name = '';
    memory.beforeWrites.push(
      () => {},
      () => {},
      async () => {
        const claim = memory.items.find(({ pk }) => String(pk).startsWith('OBJECT#'));
        name = String(claim?.id);
        expect(await beginRemoval(table, name, String(claim?.due_sk), clock)).toBe(true);
      },
    );
    await expect(create({}, { key: 'k' })).rejects.toMatchObject(waiting);
    clock = at(MINUTE);
    await expect(create({}, { key: 'k' })).rejects.toMatchObject(waiting);
    expect(requests()).toEqual([]);
    objects.objects.delete(`documents/${name}`);
    await endRemoval(table, name);
    clock = at(3 * MINUTE);
    expect(await create({}, { key: 'k' })).toMatchObject({ replayed: false });
    expect(objects.objects.has(`documents/${name}`)).toBe(true);
  });

  it('calls without a key are never replayed', async () => {
    expect((await create()).replayed).toBe(false);
    expect((await create()).replayed).toBe(false);
    expect(requests()).toHaveLength(2);
  });
});

describe('requests from an upload', () => {
  beforeEach(async () => {
    await addUpload(
      table,
      '6f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13',
      { ownerId: 'owner-1', mode: 'live' },
      at(HOUR).toISOString(),
    );
    objects.objects.set('staging/uploads/6f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13.pdf', {
      bytes: Buffer.from(document.content_base64, 'base64'),
    });
  });
  const upload = { document: { upload_id: '6f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13' } };

  it('an upload is used by the request that it creates', async () => {
    const { state } = await created(upload);
    expect(await findUpload(table, upload.document.upload_id)).toMatchObject({ usedBy: state.id });
    await expect(create(upload)).rejects.toMatchObject({ code: 'invalid_upload' });
  });

  it('of two concurrent requests from one upload one is refused', async () => {
    memory.beforeWrites.push(() => create(upload));
    await expect(create(upload)).rejects.toMatchObject({
      code: 'invalid_upload',
      message: expect.stringContaining('used already'),
      fields: { field: '/document/upload_id' },
    });
    expect(requests()).toHaveLength(1);
  });

  it('an error of the table is thrown', async () => {
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(create(upload)).rejects.toThrow('out of order');
  });
});

it('the trail of a new request begins with its creation', async () => {
  const { state } = await created();
  expect((await loadRequestWithTrail(table, state.id))?.events).toMatchObject([
    { type: 'request_created', actor: 'client', details: { signers: 1 } },
    { type: 'invitation_sent', actor: 'service' },
  ]);
});
