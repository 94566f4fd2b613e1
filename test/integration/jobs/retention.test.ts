import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import type { ApiClient } from '../../support/service.ts';
import { type Created, DAY, Stage } from './stage.ts';

let stage: Stage;
let s3: S3Client;
let bucket: string;
beforeAll(async () => {
  stage = await Stage.open();
  const { cloud } = stage.service;
  bucket = cloud.outputs.DocumentsBucket ?? '';
  s3 = new S3Client({
    endpoint: cloud.services.url,
    region: cloud.services.region,
    credentials: cloud.operator,
    forcePathStyle: true,
  });
}, 90_000);
afterAll(() => stage.close());

/** How many objects there are of a request, every version counted. */
async function objectsOf(id: string): Promise<number> {
  s3.config.systemClockOffset = stage.service.cloud.clock.offsetMs();
  const { Versions = [], DeleteMarkers = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: bucket, Prefix: `requests/${id}/` }),
  );
  return Versions.length + DeleteMarkers.length;
}

const advanceTo = (time: string) => stage.service.advance(Date.parse(time) - stage.service.cloud.clock.now());

const purgedAt = async (id: string) => (await stage.get(id)).retention.pdf_purged_at;

describe('seven days after the seal', () => {
  let request: Created;

  it('the document is still there to the last second', async () => {
    request = await stage.signed();
    const { signed_at: signedAt, retention } = await stage.get(request.id);
    expect(Date.parse(retention.pdf_available_until) - Date.parse(signedAt)).toBe(7 * DAY);
    expect(await objectsOf(request.id)).toBe(2);
    advanceTo(new Date(Date.parse(retention.pdf_available_until) - 4_000).toISOString());
    await stage.service.runSchedule('purge');
    expect((await stage.document(request.id)).status).toBe(200);
    expect((await stage.get(request.id)).retention).toMatchObject({
      pdf_purged: false,
      pdf_days_remaining: 1,
    });
  }, 60_000);

  it('original and sealed document go, once, and the record stays', async () => {
    const { retention } = await stage.get(request.id);
    advanceTo(retention.pdf_available_until);
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('purge')));
    await stage.service.runSchedule('purge');
    const gone = await stage.document(request.id);
    expect([gone.status, gone.body.error]).toEqual([410, 'document_purged']);
    expect(gone.body.purged_at).toBe(await purgedAt(request.id));
    expect(await objectsOf(request.id)).toBe(0);
    expect(await stage.get(request.id)).toMatchObject({
      status: 'signed',
      document_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      retention: {
        pdf_purged: true,
        pdf_available_until: retention.pdf_available_until,
        pdf_days_remaining: 0,
      },
    });
    expect(await stage.trail(request.id, 'document_purged')).toBe(1);
    await stage.intact(request.id);
    expect((await stage.client.get(`/api/v1/signatures/${request.id}/audit-trail.pdf`)).status).toBe(200);
  }, 60_000);
});

describe('a request that ended otherwise', () => {
  it('loses its original seven days after its end', async () => {
    const cancelled = await stage.create();
    await stage.cancel(cancelled.id);
    const open = await stage.create();
    stage.service.advance(7 * DAY);
    await stage.service.runSchedule('purge');
    expect(await objectsOf(cancelled.id)).toBe(0);
    expect((await stage.get(cancelled.id)).retention).toMatchObject({ pdf_purged: true });
    expect((await stage.document(cancelled.id)).status).toBe(409);
    expect(await objectsOf(open.id)).toBe(1);
  }, 60_000);
});

describe('a purge that fails', () => {
  it('stops none of the others, counts as failed, and is made up for by the next run', async () => {
    const requests = [await stage.create(), await stage.create(), await stage.create()];
    for (const { id } of requests) await stage.cancel(id);
    advanceTo(new Date(stage.service.cloud.clock.now() + 7 * DAY - 60_000).toISOString());
    for (let call = 0; call < 3; call += 1)
      stage.service.fault({
        service: 's3',
        operation: 'DeleteObjects',
        function: 'purge',
        after: 1,
        effect: 'error',
        error_code: 'AccessDenied',
      });
    stage.service.advance(61_000);
    await stage.service.runSchedule('purge');
    const { jobs } = await stage.service.admin('status', '--quick');
    const report = jobs.find(({ job }: { job: string }) => job === 'purge');
    const left = (await Promise.all(requests.map(({ id }) => purgedAt(id)))).filter((at) => at === null);
    expect(report.failed).toBe(left.length);
    await stage.service.runSchedule('purge');
    for (const { id } of requests) expect(await purgedAt(id)).not.toBeNull();
  }, 60_000);
});

describe('the archive', () => {
  const switchTo = (client: ApiClient & { ownerId: string }, archive: 'on' | 'off') =>
    stage.service.admin('org', 'update', client.ownerId, '--archive', archive);

  it('keeps what was sealed under it, and what was sealed before it was switched on', async () => {
    const protectedClient = await stage.service.client({ archive: true });
    const later = await stage.service.client();
    const under = await stage.signed(protectedClient);
    const before = await stage.signed(later);
    await switchTo(later, 'on');
    for (const [request, client] of [
      [under, protectedClient],
      [before, later],
    ] as const) {
      expect((await stage.get(request.id, client)).retention).toMatchObject({
        is_archive_protected: true,
        pdf_available_until: null,
        pdf_days_remaining: null,
      });
    }
    stage.service.advance(40 * DAY);
    await stage.service.runSchedule('purge');
    expect((await stage.document(under.id, protectedClient)).status).toBe(200);
    expect((await stage.document(before.id, later)).status).toBe(200);
  }, 90_000);

  it('that is switched off gives documents their seven days from the seal, and the purge takes what is older', async () => {
    const client = await stage.service.client({ archive: true });
    const old = await stage.signed(client);
    stage.service.advance(20 * DAY);
    const young = await stage.signed(client);
    const running = await stage.create(1, {}, client);
    await switchTo(client, 'off');
    const { signed_at: signedAt, retention } = await stage.get(young.id, client);
    expect(Date.parse(retention.pdf_available_until) - Date.parse(signedAt)).toBe(7 * DAY);
    expect((await stage.get(running.id, client)).retention.is_archive_protected).toBe(false);
    await stage.service.runSchedule('purge');
    expect((await stage.document(old.id, client)).status).toBe(410);
    expect((await stage.document(young.id, client)).status).toBe(200);
    stage.service.advance(7 * DAY);
    await stage.service.runSchedule('purge');
    expect((await stage.document(young.id, client)).status).toBe(410);
  }, 90_000);

  it('whose switch died midway is held to by the purge, and the command run again finishes it', async () => {
    const client = await stage.service.client();
    const requests = [await stage.signed(client), await stage.signed(client)];
    // The first write is the owner's. More than one: a client whose clock was moved tries a refused call again.
    for (const after of [2, 3, 4, 5, 6, 7, 8])
      stage.service.cloud.services.addFault({
        service: 'dynamodb',
        operation: 'TransactWriteItems',
        function: 'operator',
        after,
        effect: 'error',
        error_code: 'AccessDeniedException',
      });
    await expect(switchTo(client, 'on')).rejects.toThrow(/AccessDenied/);
    stage.service.cloud.services.clearFaults();
    stage.service.advance(8 * DAY);
    await stage.service.runSchedule('purge');
    for (const { id } of requests) expect((await stage.document(id, client)).status).toBe(200);
    await switchTo(client, 'on');
    for (const { id } of requests) {
      expect((await stage.get(id, client)).retention).toMatchObject({ is_archive_protected: true });
      const { audit_trail: trail } = await stage.get(id, client);
      const changes = trail.events.filter(({ type }: { type: string }) => type === 'retention_changed');
      expect(changes).toHaveLength(1);
    }
  }, 90_000);
});
