import type { Fault } from '../../../local/ports.ts';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

type Call = [service: string, operation: string, effect: Fault['effect']];
const both = (service: string, operation: string): Call[] => [
  [service, operation, 'kill'],
  [service, operation, 'kill-after'],
];

const fired = () => stage.service.cloud.services.faults().length === 0;

/** Lets the clock reach a moment at which work is due, and has the run of it killed at a call of its own. */
async function killedRun(job: 'expire' | 'purge', [service, operation, effect]: Call): Promise<void> {
  stage.service.fault({ service, operation, function: job, after: 1, effect });
  stage.service.advance(31 * DAY);
  await stage.service.runSchedule(job).catch(() => undefined);
  await until(fired, 'the fault');
}

describe('an expiry killed', () => {
  it.each([
    ...both('dynamodb', 'Query'),
    ...both('dynamodb', 'TransactWriteItems'),
    ...both('sqs', 'SendMessageBatch'),
    ...both('dynamodb', 'PutItem'),
  ])(
    'at %s %s (%s) and run again misses nothing and doubles nothing',
    async (...call) => {
      const requests = [await stage.create(), await stage.create(2), await stage.create()];
      await killedRun('expire', call);
      await stage.service.runSchedule('expire');
      stage.service.advance(3 * 60_000);
      await stage.service.runSchedule('sweep');
      for (const { id } of requests) {
        expect((await stage.get(id)).status).toBe('expired');
        expect(await stage.trail(id, 'request_expired')).toBe(1);
        const events = () =>
          stage.receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.expired');
        await until(() => events().length > 0, 'the event');
        expect(events()).toHaveLength(1);
        await stage.intact(id);
      }
    },
    60_000,
  );
});

describe('a purge killed', () => {
  it.each([
    ...both('dynamodb', 'Query'),
    ...both('dynamodb', 'GetItem'),
    ...both('s3', 'ListObjectVersions'),
    ...both('s3', 'DeleteObjects'),
    ...both('dynamodb', 'TransactWriteItems'),
    ...both('dynamodb', 'PutItem'),
  ])(
    'at %s %s (%s) and run again misses nothing and doubles nothing',
    async (...call) => {
      const requests = [await stage.create(), await stage.create(2)];
      for (const { id } of requests) await stage.cancel(id);
      await killedRun('purge', call);
      await stage.service.runSchedule('purge');
      for (const { id } of requests) {
        expect((await stage.get(id)).retention).toMatchObject({ pdf_purged: true });
        expect(await stage.trail(id, 'document_purged')).toBe(1);
        await stage.intact(id);
      }
    },
    60_000,
  );
});
