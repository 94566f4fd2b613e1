import { jest } from '@jest/globals';
import { sealFailed } from '../../../shared/requests/ending.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { dispatch } from '../../../shared/store/dispatch.ts';
import { due, outboxKey } from '../../../shared/store/keys.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { sweepStuckSeals } from '../../../shared/work/stuck-seals.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, signedBy } from '../../support/requests.ts';
import { SentMessages } from '../../support/sent-messages.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let sent: SentMessages;
let lines: Record<string, unknown>[];
let id: string;

const sweep = (now: Date) =>
  sweepStuckSeals(table, (items) => dispatch(sent.sqs, { seal: 'seals' }, items), {
    now: () => now,
    until: at(60 * MINUTE),
  });
const stateOf = async () => (await loadRequestWithTrail(table, id))?.state;

beforeEach(async () => {
  memory.clear();
  sent = new SentMessages();
  lines = captureLog();
  const request = await storedRequest(table);
  id = request.state.id;
  await changed(table, id, (current, now) => signedBy(current, 0, now));
  await table.delete(outboxKey(sealOutboxId(id)));
});
afterEach(() => jest.restoreAllMocks());

describe('the sweep of stuck seals', () => {
  it('a seal without a job is queued again after five minutes', async () => {
    expect(await sweep(at(5 * MINUTE - 1))).toMatchObject({ due: 0 });
    expect(await sweep(at(5 * MINUTE))).toMatchObject({ due: 1, done: 1, failed: 0 });
    expect(sent.all).toMatchObject([{ queue: 'seals', body: { outbox_id: sealOutboxId(id) } }]);
    expect(memory.item(outboxKey(sealOutboxId(id)))).toMatchObject({ kind: 'seal', requestId: id });
    expect(await stateOf()).toMatchObject({
      status: 'awaiting_stamp',
      stampQueuedAt: at(5 * MINUTE).toISOString(),
    });
    expect((await loadRequestWithTrail(table, id))?.events.at(-1)).toMatchObject({
      type: 'seal_queued',
      actor: 'service',
    });
    expect(lines).toMatchObject([{ level: 'warn', signature_request_id: id }]);
  });

  it('two concurrent sweeps queue a seal once', async () => {
    memory.beforeWrites.push(() => sweep(at(5 * MINUTE)));
    expect(await sweep(at(5 * MINUTE))).toMatchObject({ due: 1, done: 0, failed: 0 });
    expect(sent.all).toHaveLength(1);
    expect(lines).toHaveLength(1);
  });

  it('a seal that fails for good during the sweep is not queued again', async () => {
    memory.beforeWrites.push(() =>
      changed(table, id, (current, now) => sealFailed(current, { code: 'x' }, now)),
    );
    expect(await sweep(at(5 * MINUTE))).toMatchObject({ due: 1, done: 0, failed: 0 });
    expect(sent.all).toEqual([]);
    expect(await stateOf()).toMatchObject({ status: 'stamp_failed' });
  });
});

it('a seal whose job is still in the outbox is left to the outbox sweep', async () => {
  const job = { id: sealOutboxId(id), kind: 'seal', requestId: id, ownerId: 'owner-1', mode: 'live' };
  memory.set({ ...outboxKey(job.id), ...job, createdAt: NOON.toISOString(), sends: 0 });
  expect(await sweep(at(6 * MINUTE))).toMatchObject({ due: 1, done: 0, failed: 0 });
  expect(await stateOf()).toMatchObject({ stampQueuedAt: NOON.toISOString() });
  expect(sent.all).toEqual([]);
});

it('a stale index entry of a seal is skipped', async () => {
  memory.clear();
  memory.set({ pk: 'INDEX', sk: 'only', id: 'gone', ...due('STAMP', NOON.toISOString(), 'gone') });
  expect(await sweep(at(5 * MINUTE + SECOND))).toMatchObject({ due: 1, done: 0, failed: 0 });
});
