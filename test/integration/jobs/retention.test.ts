/** @behaviour s3.versions */

import { randomUUID } from 'node:crypto';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { changeOwner } from '../../../shared/store/owners.ts';
import { removeObjects } from '../../../shared/store/remove-objects.ts';
import { tableOf } from '../../support/aws.ts';
import type { ApiClient } from '../../support/service.ts';
import { first, type Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

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

/** Counts the objects of a request in all versions. */
async function countObjects(id: string): Promise<number> {
  s3.config.systemClockOffset = stage.service.cloud.clock.offsetMs();
  const { Versions = [], DeleteMarkers = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: bucket, Prefix: `requests/${id}/` }),
  );
  return Versions.length + DeleteMarkers.length;
}

const removeVersions = async (prefix: string) => {
  s3.config.systemClockOffset = stage.service.cloud.clock.offsetMs();
  await removeObjects(s3, bucket, prefix);
};

const advanceTo = (time: string) => stage.service.advance(Date.parse(time) - stage.service.cloud.clock.now());

const purgeReport = async () => {
  const { jobs } = await stage.service.admin('status', '--quick');
  return jobs.find(({ job }: { job: string }) => job === 'purge');
};

const purgedAt = async (id: string) => (await stage.get(id)).retention.pdf_purged_at;

describe('retention of sealed documents', () => {
  let request: Sent;

  it('a sealed document is available until seven days after the seal', async () => {
    request = await stage.signed();
    const { signed_at: signedAt, retention } = await stage.get(request.id);
    expect(Date.parse(retention.pdf_available_until) - Date.parse(signedAt)).toBe(7 * DAY);
    // Original, sealed document and evidence file.
    expect(await countObjects(request.id)).toBe(3);
    advanceTo(new Date(Date.parse(retention.pdf_available_until) - 300_000).toISOString());
    await stage.service.runSchedule('purge');
    expect((await stage.document(request.id)).status).toBe(200);
    expect((await stage.get(request.id)).retention).toMatchObject({
      pdf_purged: false,
      pdf_days_remaining: 1,
    });
  });

  it('after seven days the original and the sealed document are deleted, and the record stays', async () => {
    const { retention } = await stage.get(request.id);
    advanceTo(retention.pdf_available_until);
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('purge')));
    await stage.service.runSchedule('purge');
    const gone = await stage.document(request.id);
    expect([gone.status, gone.body.error]).toEqual([410, 'document_purged']);
    expect(gone.body.purged_at).toBe(await purgedAt(request.id));
    expect(await countObjects(request.id)).toBe(0);
    expect(await stage.get(request.id)).toMatchObject({
      status: 'signed',
      document_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      retention: {
        pdf_purged: true,
        pdf_available_until: retention.pdf_available_until,
        pdf_days_remaining: 0,
      },
    });
    expect(await stage.countEvents(request.id, 'document_purged')).toBe(1);
    await stage.expectIntact(request.id);
    expect((await stage.client.get(`/api/v1/signatures/${request.id}/audit-trail.pdf`)).status).toBe(200);
  });
});

describe('retention of unsigned documents', () => {
  it('the original of a cancelled request is deleted seven days later', async () => {
    const cancelled = await stage.send();
    await stage.cancel(cancelled.id);
    const open = await stage.send();
    stage.service.advance(7 * DAY);
    await stage.service.runSchedule('purge');
    expect(await countObjects(cancelled.id)).toBe(0);
    expect((await stage.get(cancelled.id)).retention).toMatchObject({ pdf_purged: true });
    expect((await stage.document(cancelled.id)).status).toBe(409);
    expect(await countObjects(open.id)).toBe(1);
  });
});

describe('deletion by the owner', () => {
  const remove = (id: string, client: ApiClient = stage.client) =>
    client.call('DELETE', `/api/v1/signatures/${id}/document`);

  it('the PDFs of a sealed request are gone at once, and asking again answers the same', async () => {
    const { id } = await stage.signed();
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { id, pdf_purged: true, pdf_purged_at: expect.any(String) },
    ]);
    expect(await countObjects(id)).toBe(0);
    const gone = await stage.document(id);
    expect([gone.status, gone.body.error]).toEqual([410, 'document_purged']);
    expect(gone.body.purged_at).toBe(answer.body.pdf_purged_at);
    expect((await remove(id)).body).toEqual(answer.body);
    for (const type of ['document_deletion_requested', 'document_purged'])
      expect(await stage.countEvents(id, type)).toBe(1);
    await stage.expectIntact(id);
  });

  it('a request that has not ended keeps its document, and can still be signed', async () => {
    const request = await stage.send();
    const refused = await remove(request.id);
    expect([refused.status, refused.body.error]).toEqual([409, 'request_not_ended']);
    expect(await countObjects(request.id)).toBe(1);
    expect((await remove(randomUUID())).status).toBe(404);
  });

  it('what the archive keeps is not deleted', async () => {
    const client = await stage.service.client({ archive: true });
    const { id } = await stage.signed(client);
    const refused = await remove(id, client);
    expect([refused.status, refused.body.error]).toEqual([409, 'archive_protected']);
    expect((await stage.document(id, client)).status).toBe(200);
  });

  it('an archive that begins before the next purge does not stop a deletion that died halfway', async () => {
    const client = await stage.service.client();
    const { id } = await stage.send(1, {}, client);
    await client.post(`/api/v1/signatures/${id}/cancel`);
    // The record of the notices would make the call write once more, and move the place at which it dies.
    await stage.service.untilQueuesEmpty();
    stage.service.fault({
      service: 'dynamodb',
      operation: 'TransactWriteItems',
      function: 'delete-document',
      after: 2,
      effect: 'kill',
    });
    expect((await remove(id, client)).status).toBeGreaterThan(499);
    await switchTo(client, 'on');
    await stage.service.runSchedule('purge');
    expect((await stage.get(id, client)).retention).toMatchObject({ pdf_purged: true });
    expect(await countObjects(id)).toBe(0);
    await stage.expectIntact(id);
  });

  it('several calls at once and the purge job remove and record it once', async () => {
    const { id } = await stage.send();
    await stage.cancel(id);
    const [, ...answers] = await Promise.all([
      stage.service.runSchedule('purge'),
      ...[1, 2, 3].map(() => remove(id)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.pdf_purged_at)).size).toBe(1);
    expect((await stage.document(id)).body.error).toBe('request_cancelled');
    for (const type of ['document_deletion_requested', 'document_purged'])
      expect(await stage.countEvents(id, type)).toBe(1);
    await stage.expectIntact(id);
  });

  it.each([
    ['s3', 'ListObjectVersions', 1],
    ['s3', 'DeleteObjects', 1],
    ['dynamodb', 'TransactWriteItems', 2],
  ])('if the call dies at %s %s, the next purge finishes it', async (service, operation, after) => {
    const { id } = await stage.send();
    await stage.cancel(id);
    // Later records would make the call write once more, and move the place at which it dies.
    await stage.service.untilQueuesEmpty();
    stage.service.fault({ service, operation, function: 'delete-document', after, effect: 'kill' });
    expect((await remove(id)).status).toBeGreaterThan(499);
    await stage.service.runSchedule('purge');
    expect((await stage.get(id)).retention).toMatchObject({ pdf_purged: true });
    expect(await countObjects(id)).toBe(0);
    expect(await stage.countEvents(id, 'document_purged')).toBe(1);
    await stage.expectIntact(id);
  });
});

const refuse = (operation: string, service: string) =>
  stage.service.fault({
    service,
    operation,
    function: 'purge',
    after: 1,
    effect: 'error',
    error_code: service === 's3' ? 'AccessDenied' : 'AccessDeniedException',
  });

const switchTo = (client: ApiClient & { ownerId: string }, archive: 'on' | 'off') =>
  stage.service.admin('org', 'update', client.ownerId, '--archive', archive, '--yes');

describe('failed purges', () => {
  it('a purge that fails does not stop the others, is reported, and succeeds in the next run', async () => {
    const requests = [await stage.send(), await stage.send(), await stage.send()];
    for (const { id } of requests) await stage.cancel(id);
    advanceTo(new Date(stage.service.cloud.clock.now() + 7 * DAY - 60_000).toISOString());
    // The schedule's own run, whose time has passed, would take some of the faults.
    const aDayAgo = stage.service.cloud.clock.now() - DAY;
    await until(async () => Date.parse((await purgeReport()).ended_at) > aDayAgo, 'the scheduled purge');
    for (let call = 0; call < 3; call += 1) refuse('DeleteObjects', 's3');
    stage.service.advance(61_000);
    await stage.service.runSchedule('purge');
    const report = await purgeReport();
    const remaining = (await Promise.all(requests.map(({ id }) => purgedAt(id)))).filter((at) => at === null);
    expect(report.failed).toBe(remaining.length);
    await stage.service.runSchedule('purge');
    for (const { id } of requests) expect(await purgedAt(id)).not.toBeNull();
  });
});

describe('archive protection', () => {
  it('a purge that removed a part of the files is completed by the next one, though the archive begins before', async () => {
    const client = await stage.service.client();
    const { id } = await stage.signed(client);
    for (let call = 0; call < 50; call += 1) refuse('DeleteObjects', 's3');
    stage.service.advance(8 * DAY);
    await stage.service.runSchedule('purge');
    await removeVersions(`requests/${id}/evidence.pdf`);
    await switchTo(client, 'on');
    stage.service.cloud.services.clearFaults();
    await stage.service.runSchedule('purge');
    expect((await stage.get(id, client)).retention).toMatchObject({ pdf_purged: true });
    expect(await countObjects(id)).toBe(0);
  });

  it('the archive keeps documents sealed before and after it was turned on', async () => {
    const protectedClient = await stage.service.client({ archive: true });
    const later = await stage.service.client();
    const after = await stage.signed(protectedClient);
    const before = await stage.signed(later);
    await switchTo(later, 'on');
    for (const [request, client] of [
      [after, protectedClient],
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
    expect((await stage.document(after.id, protectedClient)).status).toBe(200);
    expect((await stage.document(before.id, later)).status).toBe(200);
  }, 90_000);

  it('turning the archive off purges documents sealed more than seven days ago', async () => {
    const client = await stage.service.client({ archive: true });
    const old = await stage.signed(client);
    stage.service.advance(20 * DAY);
    const recent = await stage.signed(client);
    const running = await stage.send(1, {}, client);
    await switchTo(client, 'off');
    const { signed_at: signedAt, retention } = await stage.get(recent.id, client);
    expect(Date.parse(retention.pdf_available_until) - Date.parse(signedAt)).toBe(7 * DAY);
    expect((await stage.get(running.id, client)).retention.is_archive_protected).toBe(false);
    await stage.service.runSchedule('purge');
    expect((await stage.document(old.id, client)).status).toBe(410);
    expect((await stage.document(recent.id, client)).status).toBe(200);
    stage.service.advance(7 * DAY);
    await stage.service.runSchedule('purge');
    expect((await stage.document(recent.id, client)).status).toBe(410);
  }, 90_000);

  it('an archive that ended while a create died does not keep that request', async () => {
    const { service } = stage;
    const client = await service.client({ archive: true });
    const fault = { service: 'ses', operation: 'SendEmail', function: 'create-signature', after: 1 } as const;
    service.fault({ ...fault, effect: 'kill' });
    await expect(stage.send(1, {}, client)).rejects.toThrow('refused');
    // The owner alone: the command looked for requests before this one was stored.
    await changeOwner(tableOf(service), client.ownerId, 'organization', { archive: false });
    service.advance(2 * MINUTE);
    await service.runSchedule('sweep');
    const { id } = first<{ id: string }>((await client.get('/api/v1/signatures')).body.data);
    await service.untilStatus(client, id, 'sent');
    await client.post(`/api/v1/signatures/${id}/cancel`);
    service.advance(8 * DAY);
    await service.runSchedule('purge');
    expect((await stage.get(id, client)).retention).toMatchObject({ pdf_purged: true });
  });

  it('turning the archive on protects documents even if interrupted, and running it again completes it', async () => {
    const client = await stage.service.client();
    const requests = [await stage.signed(client), await stage.signed(client)];
    // The first write is the owner's. Several faults, since a client with a shifted clock retries a refused call.
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
