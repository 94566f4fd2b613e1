import { jest } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { consume, outboxIdOf } from '../../../shared/work/consume.ts';
import { captureLog } from '../../support/captured-log.ts';

const batch = (...bodies: string[]) =>
  ({ Records: bodies.map((body, place) => ({ messageId: `m${place}`, body })) }) as SQSEvent;

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = captureLog();
});
afterEach(() => jest.restoreAllMocks());

describe('the queue consumer', () => {
  it('each message is handled on its own, with its parsed body and its record', async () => {
    const seen: unknown[] = [];
    const handler = consume(async (message, { messageId }) => {
      seen.push([messageId, message]);
    });
    expect(await handler(batch('{"a":1}', '[2]'))).toEqual({ batchItemFailures: [] });
    expect(seen).toEqual([
      ['m0', { a: 1 }],
      ['m1', [2]],
    ]);
    expect(lines).toEqual([]);
  });

  it('only messages whose work failed return to the queue, and the failure is logged', async () => {
    const handler = consume(async (message) => {
      if (message !== 'good') throw new Error(`cannot do ${message}`);
    });
    expect(await handler(batch('"bad"', '"good"', '"worse"'))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm0' }, { itemIdentifier: 'm2' }],
    });
    expect(lines).toMatchObject([
      { level: 'error', message_id: 'm0', error_name: 'Error', error_message: 'cannot do bad' },
      { level: 'error', message_id: 'm2', error_name: 'Error', error_message: 'cannot do worse' },
    ]);
  });

  it('a message that is not JSON returns to the queue', async () => {
    const handler = consume(async () => {});
    expect(await handler(batch('{', '{}'))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
  });

  it('the messages of a batch are handled concurrently', async () => {
    const met = Promise.withResolvers<void>();
    let arrived = 0;
    const handler = consume(async () => {
      arrived += 1;
      if (arrived === 2) met.resolve();
      await met.promise;
    });
    expect(await handler(batch('1', '2'))).toEqual({ batchItemFailures: [] });
  });
});

describe('outbox messages', () => {
  it('an outbox message contains the id of its item', () => {
    expect(outboxIdOf({ outbox_id: 'seal-1' })).toBe('seal-1');
  });

  it.each([null, undefined, {}, { outbox_id: 7 }, { outbox_id: null }, 'outbox_id', []])(
    'a message without an outbox id is rejected: %j',
    (message) => {
      expect(() => outboxIdOf(message)).toThrow('The message contains no outbox_id.');
    },
  );
});
