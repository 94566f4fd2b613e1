import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { RENEWALS_JOB } from '../../../shared/stamping/renew-stored.ts';
import { jobKey } from '../../../shared/store/keys.ts';
import { archivalDocumentOf } from '../../../shared/store/objects.ts';
import { Archive } from '../../support/archived-request.ts';
import { bucket, output, withSecret } from '../../support/aws.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const JOB = 'gather-revocation';

/** Makes the job for archived files do everything it can: renew, go on in a run of its own, die, find nothing. */
export async function renewedInArchive(service: Service): Promise<void> {
  const archive = await Archive.open(service);
  await withSecret(service, 'TimestampSecretArn', archive.secret, () => everyRun(service, archive));
  await archive.close();
}

async function everyRun(service: Service, archive: Archive): Promise<void> {
  const id = await archive.signed('archived@example.com');
  await archive.makeDue(id, 12);
  await runBeyondTimeLimit(service, archive);
  await archive.expectRenewed(id);

  await archive.makeDue(id, 14);
  const died = { service: 'dynamodb', operation: 'TransactWriteItems', function: JOB, after: 1 } as const;
  service.fault({ ...died, effect: 'kill' });
  await service.runSchedule(JOB).catch(() => undefined);
  await service.runSchedule(JOB);
  expect((await archive.state(id)).renewed).toMatchObject({ number: 2 });
  service.advance(HOUR + MINUTE);
  await service.runSchedule('sweep');

  const s3 = bucket(service);
  const { key = '' } = archivalDocumentOf(await archive.state(id)) ?? {};
  await s3.send(new DeleteObjectCommand({ Bucket: output(service, 'DocumentsBucket'), Key: key }));
  s3.destroy();
  await archive.makeDue(id, 16);
  await service.runSchedule(JOB);
  expect((await archive.state(id)).renewal?.fault).toContain('is gone');
}

/** The time limit passes while the first item is written; the item in another shard is left to another run. */
async function runBeyondTimeLimit(service: Service, archive: Archive): Promise<void> {
  const other = { pk: 'REQ#other', sk: 'R#META' };
  const due_sk = `${new Date(service.cloud.clock.now()).toISOString()}#other`;
  await archive.table.put({ ...other, id: 'other', due_pk: 'RENEW#7', due_sk });
  service.fault({
    service: 'dynamodb',
    operation: 'TransactWriteItems',
    function: JOB,
    after: 1,
    effect: 'delay',
    ms: 1_500,
  });
  const run = service.runSchedule(JOB);
  await until(() => service.cloud.services.faults().length === 0, 'the first item');
  service.advance(14 * MINUTE);
  await run;
  await until(
    async () => (await archive.table.get(jobKey(RENEWALS_JOB)))?.reinvokesItself === false,
    'the run that resumes it',
  );
  await archive.table.delete(other);
}
