import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { deletionRequested, purged, restamp } from '../../../shared/requests/ending.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import type { SignInput } from '../../../shared/requests/signing.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { SealError } from '../../../shared/sealing/errors.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import { RETRY_PERIOD_MS, sealRequest } from '../../../shared/stamping/seal-request.ts';
import type { Sealing } from '../../../shared/stamping/sealing.ts';
import { readEvidence } from '../../../shared/stamping/verify-evidence.ts';
import { followArchive } from '../../../shared/store/follow-archive.ts';
import { auditKey, metaKey, outboxKey, sealFaultKey, signerKey } from '../../../shared/store/keys.ts';
import {
  drawnSignatureKey,
  evidenceKey,
  originalKey,
  requestObjects,
  sealedKey,
} from '../../../shared/store/objects.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { addOwner, brandSchema, changeOwner } from '../../../shared/store/owners.ts';
import { removeObjects } from '../../../shared/store/remove-objects.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { sweepOrphans } from '../../../shared/work/orphans.ts';
import { captureLog } from '../../support/captured-log.ts';
import { makeDemoSealIdentity } from '../../support/demo-keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { ownerItem } from '../../support/owners.ts';
import { makePdf } from '../../support/pdf.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { at, NOON, newRequest, purgedEarly, signedBy } from '../../support/requests.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { fetchOf, timestamperOf } from '../../support/timestamp-authority.ts';
import { now as CERTIFICATES_FROM, demoSealing, sealIt } from '../sealing/sealing-kit.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let objects: MemoryObjects;
let original: Buffer;
let id: string;
let clock: Date;
let keysFor: string[];

/** Metadata that sealed objects carried formerly. */
const metadataOfEarlierCode = Buffer.from(
  JSON.stringify({ sealedAt: NOON.toISOString(), objectKey: 'x', size: 1, pagesAdded: 4, technical: {} }),
).toString('base64url');

function sealing(changes: Partial<Sealing> = {}): Sealing {
  const { key, tsa } = demoSealing();
  return {
    table,
    s3: objects.s3,
    bucket: 'documents',
    baseUrl: 'https://sign.example.com',
    keyFor: async (mode) => {
      keysFor.push(mode);
      return key;
    },
    timestamp: timestamperOf(tsa, () => CERTIFICATES_FROM),
    isRepeated: true,
    anchors: async () => certificatesOfPem(tsa.authority.caPem),
    trustFor: async () => ({
      certificates: key.certificateChain.slice(0, 1).map((der) => ({ der })),
      anchors: certificatesOfPem(tsa.authority.caPem),
    }),
    now: () => clock,
    ...changes,
  };
}
const run = (changes: Partial<Sealing> = {}) => sealRequest(sealing(changes), sealOutboxId(id), id);
const load = async (): Promise<SignatureRequest> => {
  const request = await loadRequest(table, id);
  if (!request) throw new Error('The request is gone.');
  return request;
};
const sealedObject = () => objects.objects.get(`documents/${sealedKey(id)}`);
const evidenceObject = () => objects.objects.get(`documents/${evidenceKey(id)}`);
const job = () => memory.item(outboxKey(sealOutboxId(id)));
const pagesOf = async (bytes: Uint8Array) => (await PDFDocument.load(bytes)).getPageCount();
const failing = (error: Error) => ({
  keyFor: () => Promise.reject(error),
});

const temporary = new SealError('timestamp_unavailable', 'no answer');

/** The first attempt that fails: the time for others counts from it. */
async function failFirst() {
  await expect(run(failing(temporary))).rejects.toBe(temporary);
}

const drawingKey = ({ state, signers }: SignatureRequest, png: Buffer, place = 0) =>
  drawnSignatureKey(state.id, signers[place]?.id ?? '', sha256Hex(png));

/** Stores the drawing of a signer, the first if none is named. */
function drawnBy(request: SignatureRequest, png: Buffer, place = 0): SignInput['signature'] {
  const value = drawingKey(request, png, place);
  objects.objects.set(`documents/${value}`, { bytes: png });
  return { type: 'drawn', value, drawingSha256: sha256Hex(png) };
}

/** A request that awaits its seal, with its original in the bucket. Its signatures may be drawn. */
async function awaitSeal(
  mode: 'live' | 'test' = 'live',
  alreadySigned = false,
  drawings: readonly Buffer[] = [],
): Promise<void> {
  const { content, state } = newRequest(1).request;
  const { state: stored } = await storedRequest(table, 2, {
    owner: { id: 'owner-1', type: 'organization', name: 'Acme', mode, archive: false, reminders: true },
    content: {
      ...content,
      documentSha256: sha256Hex(original),
      documentKey: originalKey(state.id),
      alreadySigned,
    },
    id: state.id,
  });
  id = stored.id;
  // Before the seals, which are as old as the certificates.
  const now = CERTIFICATES_FROM;
  for (const place of [0, 1]) {
    const drawing = drawings[place];
    await changed(table, id, (request) =>
      signedBy(request, place, now, drawing && drawnBy(request, drawing, place)),
    );
  }
  objects.objects.set(`documents/${originalKey(id)}`, { bytes: original });
}

/** A run that stores its seal and ends before it records it. */
async function interruptedRun() {
  memory.beforeWrites.push(() => {
    throw new Error('The function was stopped.');
  });
  await expect(run()).rejects.toThrow('stopped');
  const stored = sealedObject();
  if (!stored) throw new Error('Nothing was stored.');
  return stored;
}

const otherKey = () => sealKeyOf(makeDemoSealIdentity(demoSealing().ca, { now: CERTIFICATES_FROM }));

beforeAll(async () => {
  original = await makePdf('A contract', 2);
});
beforeEach(async () => {
  memory.clear();
  objects = new MemoryObjects();
  clock = at(1_000);
  keysFor = [];
  await addOwner(table, ownerItem());
  await awaitSeal();
});

describe('sealing a request', () => {
  it('a request is sealed with a signature page, stored, announced and its job is done', async () => {
    const outbox = await run();
    const { state } = await load();
    const object = sealedObject();
    expect(object?.type).toBe('application/pdf');
    expect(await pagesOf(object?.bytes ?? new Uint8Array())).toBe(3);
    expect(state).toMatchObject({
      status: 'signed',
      documentHash: sha256Hex(object?.bytes ?? ''),
      seal: { objectKey: sealedKey(id), size: object?.bytes.length, pagesAdded: 1 },
    });
    expect(outbox.map(({ kind }) => kind)).toEqual(['event', 'event', 'notice']);
    expect(job()).toBeUndefined();
    expect(keysFor).toEqual(['live']);
    expect((await loadRequestWithTrail(table, id))?.events.at(-1)).toMatchObject({
      type: 'document_sealed',
      details: { document_hash: state.documentHash, pages_added: 1 },
    });
  });

  it.each(['live', 'test'] as const)(
    'the page of a %s request states it, in the sender’s zone',
    async (mode) => {
      await awaitSeal(mode);
      await changeOwner(table, 'owner-1', 'organization', {
        brand: brandSchema.parse({ timeZone: 'Europe/Helsinki' }),
      });
      await run();
      const { state, content } = await load();
      const page = (await readPages(new Uint8Array(sealedObject()?.bytes ?? []))).at(-1);
      for (const text of [
        state.title,
        state.id,
        'Acme',
        content.filename,
        'EET',
        'https://sign.example.com/verify',
      ])
        expect(page?.words).toContain(text);
      expect(page?.words.includes('TEST')).toBe(mode === 'test');
    },
  );

  it('a first run takes seven round trips beside its secrets, and looks for no earlier files', async () => {
    memory.mock.resetHistory();
    await run({ isRepeated: false });
    expect((await load()).state.status).toBe('signed');
    expect(objects.mock.commandCalls(GetObjectCommand)).toHaveLength(1);
    expect(objects.mock.commandCalls(PutObjectCommand)).toHaveLength(2);
    // The request, the owner, the transaction, and the owner again; the last one is this test's own.
    expect(memory.mock.calls()).toHaveLength(4 + 1);
  });

  it('a first run that another run overtook uses the stored files', async () => {
    const stored = await interruptedRun();
    await run({ isRepeated: false });
    expect(sealedObject()).toBe(stored);
    expect((await load()).state).toMatchObject({
      status: 'signed',
      documentHash: sha256Hex(stored.bytes),
    });
  });

  it('a document that is signed already gets no page, so that its signatures stay valid', async () => {
    await awaitSeal('live', true);
    await run();
    expect(await pagesOf(sealedObject()?.bytes ?? new Uint8Array())).toBe(2);
    expect((await load()).state.seal?.pagesAdded).toBe(0);
  });

  it('a test request is sealed with the test key, and never archived', async () => {
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    await awaitSeal('test');
    await run();
    expect(keysFor).toEqual(['test']);
    expect((await load()).state).toMatchObject({ status: 'signed', archiveProtected: false });
  });

  it('the owner’s archive as of now protects the document', async () => {
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    await run();
    expect((await load()).state).toMatchObject({ archiveProtected: true, purgeAt: null });
  });

  it('an archive that is switched off while the seal is made protects no document', async () => {
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    const { keyFor } = sealing();
    const switchedOff: Sealing['keyFor'] = async (mode) => {
      await changeOwner(table, 'owner-1', 'organization', { archive: false });
      await followArchive(table, { ownerId: 'owner-1', applied: undefined }, [id], () => clock);
      return keyFor(mode);
    };
    await run({ keyFor: switchedOff });
    expect((await load()).state).toMatchObject({
      status: 'signed',
      archiveProtected: false,
      purgeAt: expect.any(String),
    });
  });

  it('the next delivery applies an archive switch if a run crashes before it does', async () => {
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    await run();
    await changeOwner(table, 'owner-1', 'organization', { archive: false });
    await run();
    expect((await load()).state).toMatchObject({ archiveProtected: false, purgeAt: expect.any(String) });
  });
});

it('a first run reads the key and the authorities while it reads the document', async () => {
  const both = Promise.withResolvers<void>();
  let asked = 0;
  const ask = () => {
    asked += 1;
    if (asked === 2) both.resolve();
  };
  objects.mock.on(GetObjectCommand).callsFake(async () => {
    await both.promise;
    return { Body: { transformToByteArray: async () => original } };
  });
  const { keyFor, anchors } = sealing();
  const seen = <A extends unknown[], T>(read: (...args: A) => T) => {
    return (...args: A) => {
      ask();
      return read(...args);
    };
  };
  await run({ isRepeated: false, keyFor: seen(keyFor), anchors: seen(anchors) });
  expect((await load()).state.status).toBe('signed');
});

describe('a second run', () => {
  it('a second run uses the stored seal and completes the request', async () => {
    const stored = await interruptedRun();
    await run();
    expect(keysFor).toHaveLength(1);
    expect(sealedObject()).toBe(stored);
    expect((await load()).state).toMatchObject({
      status: 'signed',
      documentHash: sha256Hex(stored?.bytes ?? ''),
      seal: { size: stored?.bytes.length },
    });
  });

  it('a run after an interruption records what the first run would have recorded', async () => {
    await run();
    const { state: at } = await load();
    memory.set({
      ...metaKey(id),
      ...at,
      status: 'awaiting_stamp',
      stampQueuedAt: NOON.toISOString(),
      seal: null,
    });
    await run();
    expect((await load()).state.seal).toEqual(at.seal);
    expect(keysFor).toHaveLength(1);
  });

  it('a seal from before the last signature is refused: its page shows a signature that a restore undid', async () => {
    await interruptedRun();
    const signedAt = new Date(CERTIFICATES_FROM.getTime() + 10 * MINUTE).toISOString();
    await table.update(signerKey(id, 1), { signedAt });
    await expect(run()).rejects.toMatchObject({
      code: 'foreign_seal',
      cause: { message: expect.stringContaining('sealed before the last signature') },
    });
    expect((await load()).state).toMatchObject({ status: 'stamp_failed', documentHash: null });
  });

  it('a seal dated five minutes before the last signature is accepted, since clocks differ', async () => {
    const { bytes } = await interruptedRun();
    const signedAt = new Date(CERTIFICATES_FROM.getTime() + 5 * MINUTE).toISOString();
    await table.update(signerKey(id, 1), { signedAt });
    await run();
    expect((await load()).state).toMatchObject({ status: 'signed', documentHash: sha256Hex(bytes) });
  });

  it('a seal by a former certificate counts if it was made before that was replaced', async () => {
    await interruptedRun();
    const trusted = await sealing().trustFor('live');
    const formerUntil = (until: Date): Partial<Sealing> => ({
      trustFor: async () => ({
        ...trusted,
        certificates: [
          ...otherKey()
            .certificateChain.slice(0, 1)
            .map((der) => ({ der })),
          ...trusted.certificates.map(({ der }) => ({ der, until })),
        ],
      }),
    });
    await expect(run(formerUntil(new Date(CERTIFICATES_FROM.getTime() - 1)))).rejects.toMatchObject({
      code: 'foreign_seal',
      cause: { message: expect.stringMatching(/another certificate; .*replaced/) },
    });
    await changed(table, id, (request, now) => restamp(request, now));
    await run(formerUntil(CERTIFICATES_FROM));
    expect((await load()).state.status).toBe('signed');
  });

  it.each(['PreconditionFailed', 'ConditionalRequestConflict'])(
    'a run that loses the race for the object takes the winner’s seal: %s',
    async (name) => {
      objects.beforePuts.push(async () => {
        await interruptedRun();
        throw Object.assign(new Error(name), { name });
      });
      await run();
      const winner = sealedObject()?.bytes ?? new Uint8Array();
      expect((await load()).state).toMatchObject({
        status: 'signed',
        documentHash: sha256Hex(winner),
        seal: { size: winner.length, pagesAdded: 1, sealedAt: CERTIFICATES_FROM.toISOString() },
      });
      expect(keysFor).toHaveLength(2);
    },
  );

  it('a run that lost a race but finds no stored file is retried', async () => {
    objects.mock
      .on(PutObjectCommand)
      .rejects(Object.assign(new Error('race'), { name: 'PreconditionFailed' }));
    await expect(run()).rejects.toThrow('race');
    expect((await load()).state.status).toBe('awaiting_stamp');
  });

  it('a run for a request that does not await a seal only ends its job', async () => {
    await run();
    const before = await load();
    memory.set({ ...outboxKey(sealOutboxId(id)), id: sealOutboxId(id), kind: 'seal' });
    expect(await run()).toEqual([]);
    expect(job()).toBeUndefined();
    expect(await load()).toEqual(before);
    expect(await sealRequest(sealing(), sealOutboxId('nothing'), 'nothing')).toEqual([]);
  });

  it('a run that finds a failed seal keeps the job that an operator queues at that moment', async () => {
    clock = at(0);
    await failFirst();
    clock = at(RETRY_PERIOD_MS);
    await expect(run(failing(new Error('The key cannot be read.')))).rejects.toMatchObject({
      name: 'StampFailed',
    });
    memory.beforeWrites.push(() => changed(table, id, restamp, at(RETRY_PERIOD_MS + MINUTE)));
    expect(await run()).toEqual([]);
    expect(job()).toBeDefined();
  });

  it('of two concurrent runs one completes the request', async () => {
    memory.beforeWrites.push(() => run());
    expect(await run()).toEqual([]);
    const trail = (await loadRequestWithTrail(table, id))?.events ?? [];
    expect(trail.filter(({ type }) => type === 'document_sealed')).toHaveLength(1);
  });

  it('a run that another overtook leaves no files to the sweep', async () => {
    objects.beforePuts.push(() => run());
    expect(await run()).toEqual([]);
    expect(await sweep()).toMatchObject({ due: 0 });
  });
});

/** Runs the sweep an hour later. */
const sweep = () =>
  sweepOrphans(table, objects.s3, 'documents', {
    now: () => new Date(clock.getTime() + HOUR),
    until: new Date(clock.getTime() + 2 * HOUR),
  });

describe('a run that stores its files after another one’s were purged', () => {
  const sealAndPurge = async () => {
    await run();
    await removeObjects(objects.s3, 'documents', requestObjects(id));
    await changed(table, id, purgedEarly);
  };

  it('a run whose files another run’s purge preceded leaves them to the sweep', async () => {
    objects.beforePuts.push(sealAndPurge);
    expect(await run()).toEqual([]);
    expect([sealedObject(), evidenceObject()]).not.toContain(undefined);
    await sweep();
    expect([...objects.objects.keys()]).toEqual([]);
  });

  it('a run leaves its files to the sweep also if the purge is recorded after it', async () => {
    const by = { archive: false, actor: 'client' } as const;
    objects.beforePuts.push(async () => {
      await run();
      await changed(table, id, (request, now) => deletionRequested(request, by, now), clock);
      await removeObjects(objects.s3, 'documents', requestObjects(id));
    });
    expect(await run()).toEqual([]);
    await changed(table, id, (request, now) => purged(request, now), clock);
    await sweep();
    expect([...objects.objects.keys()]).toEqual([]);
  });

  it.each<[string, Error, () => Promise<unknown>]>([
    ['at once if it fails for good', new SealError('foreign_seal', 'planted'), async () => {}],
    ['when its message comes again if it fails', new Error('The bucket is not there.'), () => run()],
  ])('a run leaves its files to the sweep %s', async (_, error, next) => {
    objects.beforePuts.push(async () => {
      await sealAndPurge();
      objects.beforePuts.push(() => Promise.reject(error));
    });
    await Promise.allSettled([run()]);
    expect(sealedObject()).toBeDefined();
    await next();
    await sweep();
    expect([...objects.objects.keys()]).toEqual([]);
  });
});

describe('a sealed file that is found', () => {
  const reason = () => `All signers of request ${id} have signed`;
  it.each<[string, () => Promise<Uint8Array>]>([
    ['another PDF', () => makePdf('Another contract', 2)],
    ['the original without a seal', async () => original],
    [
      'one that another key sealed',
      async () => (await sealIt(original, { key: otherKey(), reason: reason() })).bytes,
    ],
    [
      'our seal with a byte appended',
      async () => Buffer.concat([(await interruptedRun()).bytes, Buffer.from(' ')]),
    ],
    [
      'our seal of another original',
      async () => (await sealIt(await makePdf('Another'), { reason: reason() })).bytes,
    ],
    [
      'our seal of this original for another request',
      async () => (await sealIt(original, { reason: 'x' })).bytes,
    ],
    ['no PDF', async () => Buffer.from('hello')],
  ])('a stored sealed file is neither used nor overwritten if it is %s', async (_, make) => {
    const planted = { bytes: await make(), metadata: { seal: metadataOfEarlierCode } };
    objects.objects.set(`documents/${sealedKey(id)}`, planted);
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'foreign_seal' });
    expect((await load()).state).toMatchObject({ status: 'stamp_failed', seal: null, documentHash: null });
    expect(sealedObject()).toBe(planted);
  });

  it('a stored sealed file of ours is used, whatever its metadata says', async () => {
    const stored = await interruptedRun();
    objects.objects.set(`documents/${sealedKey(id)}`, {
      ...stored,
      metadata: { seal: metadataOfEarlierCode },
    });
    await run();
    expect((await load()).state.seal).toMatchObject({ pagesAdded: 1, size: stored.bytes.length });
  });
});

describe('the evidence file', () => {
  it('the evidence file is stored and recorded before the request becomes signed', async () => {
    await run();
    const { state } = await load();
    const evidence = evidenceObject();
    expect(evidence?.type).toBe('application/pdf');
    expect(state.evidenceHash).toBe(sha256Hex(evidence?.bytes ?? ''));
    expect(readEvidence(evidence?.bytes ?? new Uint8Array())).toMatchObject({
      requestId: id,
      originalSha256: sha256Hex(original),
      sealedSha256: state.documentHash,
      anchor: state.anchor,
    });
    expect((await loadRequestWithTrail(table, id))?.events.at(-1)).toMatchObject({
      type: 'document_sealed',
      details: { evidence_hash: state.evidenceHash },
    });
  });

  it('the evidence file is made once: a second run uses the stored one', async () => {
    await interruptedRun();
    const stored = evidenceObject();
    await run();
    expect(evidenceObject()).toBe(stored);
    expect((await load()).state.evidenceHash).toBe(sha256Hex(stored?.bytes ?? ''));
  });

  it('a second run makes the evidence file if the first one stopped before it', async () => {
    const stored = await interruptedRun();
    objects.objects.delete(`documents/${evidenceKey(id)}`);
    await run();
    expect((await load()).state).toMatchObject({
      status: 'signed',
      documentHash: sha256Hex(stored.bytes),
      evidenceHash: sha256Hex(evidenceObject()?.bytes ?? ''),
    });
  });

  it('the evidence file is made while the sealed document is stored, and stored after it', async () => {
    const { tsa } = demoSealing();
    const isMade = Promise.withResolvers<void>();
    let timestamps = 0;
    const answering: typeof fetch = async (...request) => {
      timestamps += 1;
      if (timestamps === 2) isMade.resolve();
      return fetchOf(tsa)(...request);
    };
    const stored: boolean[] = [];
    objects.beforePuts.push(
      () => isMade.promise,
      () => stored.push(sealedObject() !== undefined),
    );
    await run({
      isRepeated: false,
      timestamp: timestamper([tsa.authority], { fetch: answering, now: () => CERTIFICATES_FROM }),
    });
    expect(stored).toEqual([true]);
    expect((await load()).state.evidenceHash).toBe(sha256Hex(evidenceObject()?.bytes ?? ''));
  });

  it('the evidence file is not stored if the sealed document could not be', async () => {
    objects.beforePuts.push(() => {
      throw new Error('The bucket is away.');
    });
    await expect(run()).rejects.toThrow('The bucket is away.');
    expect([sealedObject(), evidenceObject()]).toEqual([undefined, undefined]);
  });

  it('the evidence file names the seal of a faster run', async () => {
    const faster = await interruptedRun();
    objects.objects.delete(`documents/${evidenceKey(id)}`);
    await run({ isRepeated: false });
    expect(readEvidence(evidenceObject()?.bytes ?? new Uint8Array())).toMatchObject({
      sealedSha256: sha256Hex(faster.bytes),
    });
  });

  it('a repeated run uses the files that another run stores while it makes its own', async () => {
    const { timestamp } = sealing();
    let faster: { bytes: Uint8Array } | undefined;
    await run({
      timestamp: async (...asked) => {
        faster ??= await interruptedRun();
        return timestamp(...asked);
      },
    });
    const evidence = evidenceObject();
    expect((await load()).state).toMatchObject({
      status: 'signed',
      documentHash: faster && sha256Hex(faster.bytes),
      evidenceHash: evidence && sha256Hex(evidence.bytes),
    });
  });

  it('the evidence file of a faster run is used', async () => {
    objects.beforePuts.push(
      () => {},
      async () => {
        await interruptedRun();
      },
    );
    await run();
    expect((await load()).state.evidenceHash).toBe(sha256Hex(evidenceObject()?.bytes ?? ''));
  });

  it.each<[string, () => Promise<Uint8Array>]>([
    ['no PDF', async () => Buffer.from('nothing')],
    ['not sealed by us', async () => original],
    ['the evidence of another request', evidenceOfAnother],
  ])('a stored evidence file is not used if it is %s', async (_, make) => {
    const planted = await make();
    objects.objects.set(`documents/${evidenceKey(id)}`, { bytes: Buffer.from(planted) });
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'foreign_seal' });
    expect((await load()).state).toMatchObject({ status: 'stamp_failed', evidenceHash: null });
  });

  it('a stored evidence file is not used if it states another sealed document', async () => {
    await interruptedRun();
    objects.objects.delete(`documents/${sealedKey(id)}`);
    await expect(run()).rejects.toMatchObject({
      code: 'foreign_seal',
      cause: { message: expect.stringContaining('another record') },
    });
  });

  it('no evidence file is made from a trail that was changed', async () => {
    await table.update(auditKey(id, 1), { at: at(-1).toISOString() });
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'trail_changed' });
    expect(evidenceObject()).toBeUndefined();
  });

  it('no evidence file is made for a request from before there were anchors', async () => {
    await table.update(metaKey(id), { anchor: null });
    await run();
    expect((await load()).state).toMatchObject({ status: 'signed', evidenceHash: null });
    expect(evidenceObject()).toBeUndefined();
  });
});

async function evidenceOfAnother(): Promise<Uint8Array> {
  const mine = id;
  await awaitSeal();
  await run();
  const evidence = evidenceObject();
  id = mine;
  return evidence?.bytes ?? new Uint8Array();
}

describe('a seal that fails', () => {
  const permanent = new SealError('key_mismatch', 'another key');

  it.each([
    ['queued', 0],
    ['queued long ago', 2 * RETRY_PERIOD_MS],
  ])('a temporary error is retried for seventy minutes, if the seal was %s', async (_, waited) => {
    clock = at(waited);
    await failFirst();
    clock = at(waited + RETRY_PERIOD_MS - 1);
    await expect(run(failing(temporary))).rejects.toBe(temporary);
    expect((await load()).state.status).toBe('awaiting_stamp');
    expect(job()).toBeDefined();
    clock = at(waited + RETRY_PERIOD_MS);
    await expect(run(failing(temporary))).rejects.toMatchObject({
      name: 'StampFailed',
      code: 'timestamp_unavailable',
      cause: temporary,
    });
    expect((await load()).state.status).toBe('stamp_failed');
    expect(job()).toBeUndefined();
    expect(RETRY_PERIOD_MS).toBe(70 * MINUTE);
  });

  it('a seal that was queued long ago is retried although its first failure could not be recorded', async () => {
    clock = at(2 * RETRY_PERIOD_MS);
    memory.beforeWrites.push(() => {
      throw new Error('unreachable');
    });
    await expect(run(failing(temporary))).rejects.toBe(temporary);
    expect(memory.beforeWrites).toEqual([]);
    expect((await load()).state.status).toBe('awaiting_stamp');
  });

  it('a seal whose recorded failure is damaged is given up seventy minutes after the next one', async () => {
    await table.put({ ...sealFaultKey(id), since: 5 });
    clock = at(0);
    await failFirst();
    clock = at(RETRY_PERIOD_MS);
    await expect(run(failing(temporary))).rejects.toMatchObject({ name: 'StampFailed' });
  });

  it('a permanent error fails at once, and the trail says why', async () => {
    await expect(run(failing(permanent))).rejects.toMatchObject({
      name: 'StampFailed',
      code: 'key_mismatch',
    });
    expect((await loadRequestWithTrail(table, id))?.events.at(-1)).toMatchObject({
      type: 'seal_failed',
      details: { code: 'key_mismatch' },
    });
  });

  it('an original that was replaced after signing is never sealed', async () => {
    const replaced = await makePdf('Another contract', 2);
    objects.objects.set(`documents/${originalKey(id)}`, { bytes: replaced });
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'original_changed' });
    expect((await load()).state).toMatchObject({ status: 'stamp_failed', seal: null, documentHash: null });
    expect(sealedObject()).toBeUndefined();
  });

  it('a document that one signer did not agree to is never sealed', async () => {
    const [signer] = (await load()).signers;
    const signature = { ...signer?.signature, documentSha256: 'b'.repeat(64) };
    await table.update(signerKey(id, 0), { signature });
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'original_changed' });
  });

  describe('a drawing', () => {
    const png = Buffer.from(drawnSignature());
    const other = Buffer.from(drawnSignature(700));
    let key: string;
    beforeEach(async () => {
      await awaitSeal('live', false, [png, other]);
      key = drawingKey(await load(), png);
    });

    it('the drawing of each signer is sealed', async () => {
      await run();
      expect((await load()).state.status).toBe('signed');
    });

    it('a drawing that was replaced after signing is never sealed', async () => {
      objects.objects.set(`documents/${key}`, { bytes: other });
      await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'drawing_changed' });
      expect((await load()).state).toMatchObject({ status: 'stamp_failed', seal: null });
      expect(sealedObject()).toBeUndefined();
    });

    it('a drawing is never sealed if its signer’s record names another one', async () => {
      const [signer] = (await load()).signers;
      const signature = { ...signer?.signature, drawingSha256: sha256Hex(other) };
      await table.update(signerKey(id, 0), { signature });
      await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'drawing_changed' });
    });

    it('a drawing that was replaced together with its signer’s record is never sealed, since the event names the original', async () => {
      const request = await load();
      const signature = { ...request.signers[0]?.signature, ...drawnBy(request, other) };
      await table.update(signerKey(id, 0), { signature });
      await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'drawing_changed' });
    });

    it('a drawing from before digests were recorded is compared with the hash in its key', async () => {
      const [signer] = (await load()).signers;
      await table.update(signerKey(id, 0), { signature: { ...signer?.signature, drawingSha256: null } });
      const sequence = (await loadRequestWithTrail(table, id))?.events.find(
        ({ type, signerId }) => type === 'signer_signed' && signerId === signer?.id,
      )?.sequence;
      await table.update(auditKey(id, sequence ?? 0), { details: {} });
      await table.update(metaKey(id), { anchor: null });
      objects.objects.set(`documents/${key}`, { bytes: other });
      await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'drawing_changed' });
      objects.objects.set(`documents/${key}`, { bytes: png });
      await changed(table, id, (request, now) => restamp(request, now));
      await run();
      expect((await load()).state.status).toBe('signed');
    });

    it('a missing drawing fails the seal at once', async () => {
      objects.objects.delete(`documents/${key}`);
      await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'original_unsealable' });
    });
  });

  it('an original that is gone fails at once', async () => {
    objects.objects.clear();
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'original_unsealable' });
  });

  it('an error of the bucket is retried, and finally reported as storage_unavailable', async () => {
    objects.mock.on(GetObjectCommand).rejects(new Error('SlowDown'));
    await expect(run()).rejects.toThrow('SlowDown');
    objects.mock.on(GetObjectCommand).resolves({});
    await expect(run()).rejects.toThrow('empty');
    clock = new Date(clock.getTime() + RETRY_PERIOD_MS);
    await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'storage_unavailable' });
  });

  it('a run that fails after another has sealed the request does not give the seal up', async () => {
    let sealedByAnother = false;
    const keyFor = async () => {
      sealedByAnother = true;
      await run();
      throw permanent;
    };
    expect(await run({ keyFor })).toEqual([]);
    expect(sealedByAnother).toBe(true);
    expect((await load()).state.status).toBe('signed');
  });

  it('a run that began before an operator queued the seal again does not give that seal up', async () => {
    clock = at(0);
    await failFirst();
    clock = at(RETRY_PERIOD_MS);
    const keyFor = async () => {
      await expect(run(failing(temporary))).rejects.toMatchObject({ name: 'StampFailed' });
      clock = at(RETRY_PERIOD_MS + MINUTE);
      await changed(table, id, restamp, clock);
      throw temporary;
    };
    expect(await run({ keyFor })).toEqual([]);
    expect((await load()).state.status).toBe('awaiting_stamp');
    expect(job()).toBeDefined();
  });

  it('a later run counts a failed seal again, since the first may have crashed before counting it', async () => {
    const lines = captureLog();
    const counted = () => lines.filter(({ SealFailures }) => SealFailures === 1).length;
    await expect(run(failing(permanent))).rejects.toMatchObject({ name: 'StampFailed' });
    expect(counted()).toBe(1);
    expect(await run()).toEqual([]);
    expect(counted()).toBe(2);
    await changed(table, id, (request, now) => restamp(request, now));
    await run();
    await run();
    expect(counted()).toBe(2);
    expect((await load()).state.status).toBe('signed');
    jest.restoreAllMocks();
  });

  it('of two runs that fail permanently one gives the seal up', async () => {
    const keyFor = async () => {
      await expect(run(failing(permanent))).rejects.toMatchObject({ name: 'StampFailed' });
      throw permanent;
    };
    expect(await run({ keyFor })).toEqual([]);
    const trail = (await loadRequestWithTrail(table, id))?.events ?? [];
    expect(trail.filter(({ type }) => type === 'seal_failed')).toHaveLength(1);
  });
});
