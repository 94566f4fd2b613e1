/** @behaviour sqs.visibility */

import { outboxKey } from '../../../shared/store/keys.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { tableOf } from '../../support/aws.ts';
import type { Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterEach(() => stage.service.cloud.services.clearFaults());
afterAll(() => stage.close());

const MINUTE = 60_000;

const table = () => tableOf(stage.service);

/** Signs a request while the seal's message cannot be sent. */
async function signedWithoutMessage(): Promise<Sent> {
  const request = await stage.send();
  const signer = await stage.verifiedLate(request);
  // The two batches contain the events and the seal job, in either order: both fail.
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

describe('sweep', () => {
  it('the sweep sends messages that never reached their queue, and each event arrives once', async () => {
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
  });

  it('work that the sweep cannot send either is told as late, and goes out once the queue takes it', async () => {
    const { id } = await signedWithoutMessage();
    for (let times = 0; times < 20; times += 1)
      stage.service.fault({
        service: 'sqs',
        operation: 'SendMessageBatch',
        function: 'sweep',
        after: 1,
        effect: 'error',
        error_code: 'AccessDenied',
      });
    // A sweep that the schedule starts meanwhile finds the work put off by this one, and reports that nothing failed.
    const problems = await until(async () => {
      stage.service.advance(8 * MINUTE);
      await stage.service.runSchedule('sweep');
      const status = await stage.service.admin('status', '--quick');
      const told: { problem: string }[] = status.problems;
      return told.some(({ problem }) => /^The job sweep failed on \d+ items?/.test(problem)) && told;
    }, 'a failure that is told');
    expect(problems).toContainEqual(
      expect.objectContaining({ runbook: 'docs/runbook.md#outbox-backlog', ids: [id] }),
    );
    stage.service.cloud.services.clearFaults();
    await stage.service.runSchedule('sweep');
    await stage.service.untilStatus(stage.client, id, 'signed');
    await until(
      async () => (await stage.service.admin('status', '--quick')).outbox.late === 0,
      'the end of the backlog',
    );
  });

  it('the sweep requeues once a seal that has no job', async () => {
    const { id } = await signedWithoutMessage();
    await table().delete(outboxKey(sealOutboxId(id)));
    stage.service.advance(4 * MINUTE);
    await stage.service.runSchedule('sweep');
    expect((await stage.get(id)).status).toBe('awaiting_stamp');
    stage.service.advance(2 * MINUTE);
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('sweep')));
    await stage.service.untilStatus(stage.client, id, 'signed');
    expect(await stage.countEvents(id, 'seal_queued')).toBe(2);
    expect(await stage.countEvents(id, 'document_sealed')).toBe(1);
    await stage.expectIntact(id);
  });

  it('the sweep does not requeue a seal that still has an outbox item', async () => {
    const { id } = await signedWithoutMessage();
    await table().update(outboxKey(sealOutboxId(id)), {
      due_sk: `${new Date(stage.service.cloud.clock.now() + 60 * MINUTE).toISOString()}#${sealOutboxId(id)}`,
    });
    stage.service.advance(10 * MINUTE);
    await stage.service.runSchedule('sweep');
    expect(await stage.countEvents(id, 'seal_queued')).toBe(1);
    expect((await stage.get(id)).status).toBe('awaiting_stamp');
  });

  it('the sweep stores a report, and one failing part does not stop the others', async () => {
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
    const { jobs, awaiting_stamp: awaitingStamp } = await stage.service.admin('status');
    expect(jobs.find(({ job }: { job: string }) => job === 'sweep')).toMatchObject({ failed: 0 });
    expect(awaitingStamp.count).toBe(1);
  });
});
