/** @behaviour sqs.visibility lambda.failures */

import type { Fault } from '../../../local/ports.ts';
import { someOf } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.openCold();
}, 90_000);
afterAll(() => stage.close());

type Call = [service: string, operation: string, effect: Fault['effect']];
const beforeAndAfter = (service: string, operation: string): Call[] => [
  [service, operation, 'kill'],
  [service, operation, 'kill-after'],
];

const fired = () => stage.service.cloud.services.faults().length === 0;

/** Advances the clock until work is due, and kills the job's run at the given call. */
async function interruptRun(job: 'expire' | 'purge', [service, operation, effect]: Call): Promise<void> {
  stage.service.fault({ service, operation, function: job, after: 1, effect });
  stage.service.advance(31 * DAY);
  await stage.service.runSchedule(job).catch(() => undefined);
  await until(fired, 'the fault');
}

describe('crashes of the expiry job', () => {
  it.each(
    someOf(
      [
        ...beforeAndAfter('dynamodb', 'Query'),
        ...beforeAndAfter('dynamodb', 'TransactWriteItems'),
        ...beforeAndAfter('sqs', 'SendMessageBatch'),
        ...beforeAndAfter('dynamodb', 'PutItem'),
      ],
      3,
    ),
  )('an expiry interrupted at %s %s (%s) and run again expires each request once', async (...call) => {
    const requests = [await stage.send(), await stage.send(2), await stage.send()];
    await interruptRun('expire', call);
    await stage.service.runSchedule('expire');
    stage.service.advance(3 * 60_000);
    await stage.service.runSchedule('sweep');
    for (const { id } of requests) {
      expect((await stage.get(id)).status).toBe('expired');
      expect(await stage.countEvents(id, 'request_expired')).toBe(1);
      const events = () =>
        stage.receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.expired');
      await until(() => events().length > 0, 'the event');
      expect(events()).toHaveLength(1);
      await stage.expectIntact(id);
    }
  });
});

describe('crashes of the purge job', () => {
  it.each(
    someOf(
      [
        ...beforeAndAfter('dynamodb', 'Query'),
        ...beforeAndAfter('dynamodb', 'GetItem'),
        ...beforeAndAfter('s3', 'ListObjectVersions'),
        ...beforeAndAfter('s3', 'DeleteObjects'),
        ...beforeAndAfter('dynamodb', 'TransactWriteItems'),
        ...beforeAndAfter('dynamodb', 'PutItem'),
      ],
      3,
    ),
  )('a purge interrupted at %s %s (%s) and run again purges each request once', async (...call) => {
    const requests = [await stage.send(), await stage.send(2)];
    for (const { id } of requests) await stage.cancel(id);
    await interruptRun('purge', call);
    await stage.service.runSchedule('purge');
    for (const { id } of requests) {
      expect((await stage.get(id)).retention).toMatchObject({ pdf_purged: true });
      expect(await stage.countEvents(id, 'document_purged')).toBe(1);
      await stage.expectIntact(id);
    }
  });
});
