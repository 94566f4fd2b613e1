import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { outboxKey } from '../../../shared/store/keys.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { Table } from '../../../shared/store/table.ts';
import { until } from '../../support/until.ts';
import { type Created, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

const MINUTE = 60_000;

/** The table as it is to the operator; his requests carry the moved time. */
const table = () => {
  const { cloud } = stage.service;
  const { services, operator, outputs, clock } = cloud;
  return new Table(
    new DynamoDBClient({
      endpoint: services.url,
      region: services.region,
      credentials: operator,
      systemClockOffset: clock.offsetMs(),
    }),
    outputs.TableName ?? '',
  );
};

/** Signs while the seal's message cannot be sent. */
async function signedWithoutMessage(): Promise<Created> {
  const request = await stage.create();
  const signer = await stage.verified(request);
  // The first batch is the events', the second the seal's, or the other way round: neither arrives.
  for (const after of [1, 2])
    stage.service.fault({
      service: 'sqs',
      operation: 'SendMessageBatch',
      function: 'sign',
      after,
      effect: 'error',
      error_code: 'AccessDenied',
    });
  expect((await signer.sign()).status).toBe(200);
  return request;
}

describe('the sweep', () => {
  it('sends what never reached its queue, and the events arrive once', async () => {
    const { id } = await signedWithoutMessage();
    expect((await stage.get(id)).status).toBe('awaiting_stamp');
    stage.service.advance(2 * MINUTE);
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('sweep')));
    await stage.service.untilStatus(stage.client, id, 'signed');
    await until(
      () =>
        ['signer.signed', 'signature_request.completed', 'signature_request.signed'].every(
          (type) => stage.receiver.eventsOf(id).filter((event) => event.type === type).length === 1,
        ),
      'each event once',
    );
  }, 60_000);

  it('queues a seal again that has no job at all, once', async () => {
    const { id } = await signedWithoutMessage();
    await table().delete(outboxKey(sealOutboxId(id)));
    stage.service.advance(4 * MINUTE);
    await stage.service.runSchedule('sweep');
    expect((await stage.get(id)).status).toBe('awaiting_stamp');
    stage.service.advance(2 * MINUTE);
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('sweep')));
    await stage.service.untilStatus(stage.client, id, 'signed');
    expect(await stage.trail(id, 'seal_queued')).toBe(2);
    expect(await stage.trail(id, 'document_sealed')).toBe(1);
    await stage.intact(id);
  }, 60_000);

  it('leaves alone a seal that its outbox item still sees to', async () => {
    const { id } = await signedWithoutMessage();
    await table().update(outboxKey(sealOutboxId(id)), {
      due_sk: `${new Date(stage.service.cloud.clock.now() + 60 * MINUTE).toISOString()}#${sealOutboxId(id)}`,
    });
    stage.service.advance(10 * MINUTE);
    await stage.service.runSchedule('sweep');
    expect(await stage.trail(id, 'seal_queued')).toBe(1);
    expect((await stage.get(id)).status).toBe('awaiting_stamp');
  }, 60_000);

  it('reports its run, and one part that fails stops none of the others', async () => {
    const { id } = await signedWithoutMessage();
    stage.service.advance(2 * MINUTE);
    for (const operation of ['Query', 'UpdateItem'])
      stage.service.fault({
        service: 'dynamodb',
        operation,
        function: 'sweep',
        after: 1,
        effect: 'error',
        error_code: 'AccessDeniedException',
      });
    await stage.service.runSchedule('sweep').catch(() => undefined);
    stage.service.advance(2 * MINUTE);
    await stage.service.runSchedule('sweep');
    await stage.service.untilStatus(stage.client, id, 'signed');
    const { jobs, awaiting_stamp: waiting } = await stage.service.admin('status');
    expect(jobs.find(({ job }: { job: string }) => job === 'sweep')).toMatchObject({ failed: 0 });
    expect(waiting.count).toBe(1);
  }, 60_000);
});
