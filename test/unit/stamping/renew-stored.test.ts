import { compareWithEvents } from '../../../shared/requests/compare-with-events.ts';
import { deletionRequested } from '../../../shared/requests/ending.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY, HOUR } from '../../../shared/runtime/time.ts';
import { holdsUntil } from '../../../shared/sealing/long-term/holds-until.ts';
import { renew } from '../../../shared/sealing/long-term/renew.ts';
import { renewIfDue, renewNow } from '../../../shared/stamping/renew-stored.ts';
import { asSealed, verifyEvidenceFile } from '../../../shared/stamping/verify-evidence.ts';
import { due, metaKey, objectClaimKey } from '../../../shared/store/keys.ts';
import { drawnSignatureKey, evidenceKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { sweepOrphans } from '../../../shared/work/orphans.ts';
import { ArchiveStage, YEAR } from '../../support/archive-stage.ts';
import { captureLog } from '../../support/captured-log.ts';
import { purgedEarly } from '../../support/requests.ts';
import { changed } from '../../support/stored-requests.ts';

let stage: ArchiveStage;
beforeAll(async () => {
  stage = await ArchiveStage.open();
});
afterAll(() => stage.close());
beforeEach(() => {
  captureLog();
  stage.reset();
});

const sameStart = (longer: Uint8Array, shorter: Uint8Array) =>
  longer.length > shorter.length && Buffer.compare(longer.subarray(0, shorter.length), shorter) === 0;

/** A request whose renewal is due now, by an authority that has a new certificate. */
async function dueNow(): Promise<string> {
  const id = await stage.sealed();
  stage.moveTo(await stage.dueAt(id));
  stage.nextAuthority();
  return id;
}

it('a renewed copy of the evidence is verified as the sealed file, a changed copy as it is', async () => {
  const id = await dueNow();
  await stage.run();
  const { evidence } = await stage.files(id);
  const { evidenceHash } = (await stage.load(id)).state;
  const verified = (bytes: Uint8Array) =>
    verifyEvidenceFile(asSealed(bytes, evidenceHash), id, {
      certificates: [{ der: stage.pki.seal.certificate }],
      anchors: stage.renewing().anchors,
    }).sha256;
  expect(verified(evidence)).toBe(evidenceHash);
  const changedCopy = Buffer.from(evidence);
  changedCopy.writeUInt8(changedCopy.readUInt8(1_000) ^ 1, 1_000);
  expect(() => verified(changedCopy)).toThrow('not our seal');
});

describe('the due date', () => {
  it('a document at B-LTA is due half a year before its timestamp’s certificate ends, and not before', async () => {
    const id = await stage.sealed();
    const end = holdsUntil((await stage.files(id)).sealed);
    const dueAt = await stage.dueAt(id);
    expect(Date.parse(end ?? '') - Date.parse(dueAt)).toBe(YEAR / 2);
    stage.moveTo(Date.parse(dueAt) - 1);
    expect(await stage.run()).toEqual([]);
    stage.moveTo(dueAt);
    stage.nextAuthority();
    expect(await stage.run()).toMatchObject([{ renewed: true }]);
  });

  it('a document whose timestamp certificate has less than a year left is due after half of that time', async () => {
    stage.moveTo(Date.now());
    stage.authority = stage.pki.issueAuthority('Short', 0.4);
    const id = await stage.sealed();
    const { dueAt, endsAt } = await stage.renewalOf(id);
    expect(Date.parse(dueAt) * 2).toBeCloseTo(stage.now.getTime() + Date.parse(endsAt), -4);
  });

  it.each(['B-T', 'B-LT'])('a document at %s is never due for renewal', async (level) => {
    const id = await stage.sealed({ level });
    expect((await stage.load(id)).state.renewal).toBeNull();
  });

  it('a document without archive protection is not in the index until its protection begins', async () => {
    const id = await stage.sealed({ archive: false });
    expect(stage.memory.item(metaKey(id))?.due_pk).toMatch(/^PURGE/);
  });
});

describe('a renewal', () => {
  it('two renewals keep the sealed bytes as the prefix, and each moves the due date', async () => {
    const id = await dueNow();
    const first = await stage.files(id);
    expect(Buffer.compare(first.document, first.sealed)).toBe(0);
    await stage.run();
    const second = await stage.files(id);
    expect(Buffer.compare(second.sealed, first.sealed)).toBe(0);
    expect(sameStart(second.document, first.sealed)).toBe(true);
    expect(sameStart(second.evidence, first.evidence)).toBe(true);
    expect(holdsUntil(second.document)).toEqual(holdsUntil(second.evidence));

    stage.moveTo(await stage.dueAt(id));
    stage.nextAuthority(15);
    await stage.run();
    const third = await stage.files(id);
    expect(sameStart(third.document, second.document)).toBe(true);
    const { state, events, ...rest } = await stage.load(id);
    expect(state.renewed).toMatchObject({ number: 2 });
    expect(state.renewal?.endsAt).toBe(holdsUntil(third.document));
    const keys = { original: originalKey, sealed: sealedKey, drawing: drawnSignatureKey };
    expect(compareWithEvents(id, { state, events, ...rest }, keys)).toEqual([]);
  });

  it('a request without an evidence file has only its document renewed', async () => {
    const id = await dueNow();
    stage.memory.set({ ...stage.memory.item(metaKey(id)), ...metaKey(id), evidenceHash: null });
    expect(await stage.run()).toMatchObject([{ renewed: true, fault: null }]);
    expect((await stage.load(id)).state.renewed).toMatchObject({ evidenceHash: null });
    expect(stage.renewedObjects()).toHaveLength(1);
  });

  it('the trail records a renewal with the hashes of both files', async () => {
    const id = await dueNow();
    await stage.run();
    const { renewed, renewal } = (await stage.load(id)).state;
    expect(await stage.events(id)).toMatchObject([
      {
        actor: 'service',
        details: {
          renewal: 1,
          renewed_document_hash: renewed?.documentHash,
          renewed_evidence_hash: renewed?.evidenceHash,
          holds_until: renewal?.endsAt,
        },
      },
    ]);
  });

  it('an operator can renew files before they are due', async () => {
    const id = await stage.sealed();
    stage.moveTo(stage.now.getTime() + YEAR);
    stage.nextAuthority();
    expect(await renewNow(stage.renewing(), id)).toMatchObject({ renewed: true });
    expect(await stage.events(id)).toMatchObject([{ actor: 'operator' }]);
  });

  it('a renewal fails if the authority’s certificate ends no later than the last one', async () => {
    const id = await stage.sealed();
    stage.moveTo(await stage.dueAt(id));
    expect(await stage.run()).toMatchObject([
      { renewed: false, fault: expect.stringContaining('ends no later') },
    ]);
    expect(stage.renewedObjects()).toEqual([]);
  });

  it('files are renewed if that moves the first end, although one of them would last longer as it is', async () => {
    const id = await stage.sealed();
    stage.nextAuthority(20);
    const evidence = await renew((await stage.files(id)).evidence, stage.renewing());
    stage.objects.objects.set(`documents/${evidenceKey(id)}`, { bytes: evidence });
    const item = { ...stage.memory.item(metaKey(id)), ...metaKey(id) };
    stage.memory.set({ ...item, evidenceHash: sha256Hex(evidence) });
    stage.moveTo(await stage.dueAt(id));
    stage.nextAuthority(10);
    expect(await stage.run()).toMatchObject([{ renewed: true, fault: null }]);
    const { endsAt } = await stage.renewalOf(id);
    expect(Date.parse(endsAt) - stage.now.getTime()).toBeCloseTo(10 * YEAR, -10);
  });

  it('a stored file with another hash than the recorded one is not renewed', async () => {
    const id = await dueNow();
    stage.objects.objects.set(`documents/${sealedKey(id)}`, { bytes: Buffer.from('another') });
    expect(await stage.run()).toMatchObject([{ fault: expect.stringContaining('original_changed') }]);
  });

  it('a renewal is not recorded if its files are removed meanwhile, and the sweep removes what it stored', async () => {
    const id = await dueNow();
    stage.objects.beforePuts.push(() => changed(stage.memory.table, id, purgedEarly, stage.now));
    expect(await stage.run()).toEqual([{ renewed: false, fault: null, overdue: false }]);
    expect(stage.renewedObjects()).toHaveLength(2);
    await sweep();
    expect(stage.renewedObjects()).toEqual([]);
    expect(await stage.events(id)).toEqual([]);
  });

  it('files that are purged or to be deleted are not due for renewal', async () => {
    const deleted = await stage.sealed();
    const purged = await dueNow();
    await changed(stage.memory.table, purged, purgedEarly, stage.now);
    await changed(
      stage.memory.table,
      deleted,
      (request, now) => deletionRequested(request, { archive: false, actor: 'client' }, now),
      stage.now,
    );
    expect(stage.memory.item(metaKey(purged))?.due_pk).toBeUndefined();
    expect(stage.memory.item(metaKey(deleted))?.due_pk).toMatch(/^PURGE/);
    stage.moveTo(stage.now.getTime() + 10 * YEAR);
    for (const id of [purged, deleted])
      expect(await renewIfDue(stage.renewing(), id)).toEqual({ renewed: false, fault: null, overdue: false });
  });
});

const sweep = async () => {
  stage.moveTo(stage.now.getTime() + 2 * HOUR);
  const time = { now: () => stage.now, until: new Date(stage.now.getTime() + DAY) };
  await sweepOrphans(stage.memory.table, stage.objects.s3, 'documents', time);
};

/** One renewal counts, its two files are stored, and the sweep has left nothing else. */
async function expectOneRenewal(id: string): Promise<void> {
  expect(await stage.events(id)).toHaveLength(1);
  await sweep();
  expect(stage.renewedObjects()).toHaveLength(2);
  const { sealed, document } = await stage.files(id);
  expect(sameStart(document, sealed)).toBe(true);
}

describe('concurrency and crashes', () => {
  it('of two concurrent runs one renewal counts, and the files of the other are removed', async () => {
    const id = await dueNow();
    const attempts = await Promise.all([renewIfDue(stage.renewing(), id), renewIfDue(stage.renewing(), id)]);
    expect(attempts.map(({ renewed }) => renewed).sort()).toEqual([false, true]);
    expect(attempts.map(({ fault }) => fault)).toEqual([null, null]);
    await expectOneRenewal(id);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'a run that dies at its write %p is made up for by the next run',
    async (write) => {
      const id = await dueNow();
      const died = new Error('died');
      for (let calls = 0; calls < write; calls += 1) stage.memory.beforeWrites.push(() => undefined);
      stage.memory.beforeWrites.push(() => {
        throw died;
      });
      await renewIfDue(stage.renewing(), id).catch(() => undefined);
      stage.memory.beforeWrites.length = 0;
      await stage.run();
      await expectOneRenewal(id);
    },
  );

  it('a run records nothing if the sweep begins to remove its first file while it stores the second', async () => {
    const id = await dueNow();
    stage.objects.beforePuts.push(
      () => undefined,
      async () => {
        const [key] = stage.renewedObjects().map((object) => object.replace('documents/', ''));
        await stage.memory.table.update(objectClaimKey(key ?? ''), { removalUntil: '2100' });
      },
    );
    await renewIfDue(stage.renewing(), id).catch(() => undefined);
    expect((await stage.load(id)).state.renewed).toBeNull();
  });

  it.each([0, 1])(
    'the next run completes what a run left that crashed while storing file %p',
    async (put) => {
      const id = await dueNow();
      for (let calls = 0; calls < put; calls += 1) stage.objects.beforePuts.push(() => undefined);
      stage.objects.beforePuts.push(() => {
        throw new Error('died');
      });
      await expect(renewIfDue(stage.renewing(), id)).rejects.toThrow('died');
      await stage.run();
      await expectOneRenewal(id);
    },
  );
});

describe('a renewal that fails', () => {
  it('a failed renewal stays due with its reason, is retried with growing intervals, and recovers by itself', async () => {
    const id = await dueNow();
    stage.misbehaviour = { status: 2 };
    const waits: number[] = [];
    for (let failure = 1; failure <= 5; failure += 1) {
      expect(await stage.run()).toMatchObject([
        { renewed: false, fault: expect.stringContaining('refused') },
      ]);
      const { failures, fault, nextAttemptAt } = await stage.renewalOf(id);
      expect({ failures, fault }).toEqual({ failures: failure, fault: expect.stringContaining('refused') });
      waits.push(Date.parse(nextAttemptAt ?? '') - stage.now.getTime());
      stage.moveTo(Date.parse(nextAttemptAt ?? '') - 1);
      expect(await stage.run()).toEqual([{ renewed: false, fault: null, overdue: false }]);
      stage.moveTo(nextAttemptAt ?? '');
    }
    expect(waits).toEqual([1, 2, 4, 7, 7].map((days) => days * DAY));
    expect(stage.memory.item(metaKey(id))?.due_pk).toMatch(/^RENEW/);
    stage.misbehaviour = {};
    expect(await stage.run()).toMatchObject([{ renewed: true, overdue: false }]);
    expect(await stage.renewalOf(id)).toMatchObject({ failures: 0, fault: null, nextAttemptAt: null });
    expect(await stage.events(id)).toHaveLength(1);
  });

  it('a failing renewal is overdue half-way between its due date and the certificate’s end, even between retries', async () => {
    const id = await dueNow();
    stage.misbehaviour = { status: 2 };
    const overdueAt = await stage.overdueAt(id);
    stage.moveTo(Date.parse(overdueAt) - 1);
    expect(await stage.run()).toMatchObject([{ overdue: false }]);
    stage.moveTo(Date.parse(overdueAt) + 1);
    expect(await stage.run()).toEqual([{ renewed: false, fault: null, overdue: true }]);
    stage.moveTo(Date.parse(overdueAt) + DAY);
    expect(await stage.run()).toMatchObject([{ fault: expect.any(String), overdue: true }]);
  });

  it('a renewal that fails because the authority is revoked says so', async () => {
    const id = await dueNow();
    stage.pki.setStanding(stage.authority, { revokedAt: stage.now });
    expect(await stage.run()).toMatchObject([{ fault: expect.stringContaining('revoked') }]);
    expect((await stage.load(id)).state.renewed).toBeNull();
  });
});

it('the number of calls of a run grows with the files due, not with the files stored', async () => {
  /** The calls of a run with so many requests due, beside others that are stored. */
  const callsOf = async (dueCount: number, stored: number) => {
    stage.reset();
    const ids: string[] = [];
    while (ids.length < dueCount) ids.push(await stage.sealed());
    const [id] = ids;
    stage.moveTo(id ? await stage.dueAt(id) : stage.now);
    stage.nextAuthority();
    for (let n = 0; n < stored; n += 1) {
      const key = metaKey(`stored-${n}`);
      const { due_pk } = due('RENEW', '', key.pk);
      stage.memory.set({
        ...key,
        id: key.pk,
        due_pk,
        due_sk: `${new Date(stage.now.getTime() + DAY).toISOString()}#`,
      });
    }
    stage.memory.mock.resetHistory();
    stage.objects.mock.resetHistory();
    stage.stamps = 0;
    await stage.run();
    const [table, bucket] = [stage.memory.mock.calls().length, stage.objects.mock.calls().length];
    return { table, bucket, stamps: stage.stamps };
  };
  const none = await callsOf(0, 0);
  expect(await callsOf(0, 200)).toEqual(none);
  const one = await callsOf(1, 0);
  const three = await callsOf(3, 200);
  expect([one.bucket, three.bucket]).toEqual([4, 12]);
  expect(three.stamps).toBe(3 * one.stamps);
  // Proofs are read and kept once for all, or once for each of those that begin together.
  expect(three.table - none.table).toBeLessThanOrEqual(3 * (one.table - none.table));
});
