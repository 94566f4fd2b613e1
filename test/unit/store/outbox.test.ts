import { outboxKey } from '../../../shared/store/keys.ts';
import {
  leaseItem,
  type OutboxNotice,
  outboxWrite,
  readOutbox,
  requestOfSeal,
  sealOutboxId,
  toldWrite,
} from '../../../shared/store/outbox.ts';
import { ConditionFailed } from '../../../shared/store/table.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';

const { table, beforeWrites } = new MemoryDynamo();

it('the request of a seal job is known from the name of the job', () => {
  const id = '0198c1f0-5b1e-7c3a-9f7d-2a1f5c6e7b8d';
  expect(requestOfSeal(sealOutboxId(id))).toBe(id);
});

describe('the lease of a notice', () => {
  const notice: OutboxNotice = {
    id: 'notice-1',
    kind: 'notice',
    ownerId: 'owner-1',
    requestId: 'request-1',
    mode: 'live',
    createdAt: NOON.toISOString(),
    sends: 0,
    notBefore: null,
    reason: 'expired',
    recipients: ['signer-1', 'signer-2'],
    about: [],
  };
  const lease = (item = notice, at = NOON) => leaseItem(table, item, at, 1_000);
  beforeEach(() => table.transact([outboxWrite(notice)]));

  it('keeps other runs off until its end', async () => {
    expect(await lease()).toBe(true);
    expect(await lease(notice, new Date(NOON.getTime() + 999))).toBe(false);
    expect(await lease(notice, new Date(NOON.getTime() + 1_000))).toBe(true);
  });

  it('is for those alone whom the run has read, since another run may have told some of them', async () => {
    const other = { ...notice, recipients: ['signer-1'] };
    expect(await lease(other)).toBe(false);
    expect(await lease()).toBe(true);
    expect(await lease(other, new Date(NOON.getTime() + 1_000))).toBe(false);
  });

  it('does not bring back a notice that another run has ended since', async () => {
    await table.delete(outboxKey(notice.id));
    await expect(table.transact([toldWrite(notice.id, ['signer-2'])])).rejects.toThrow(ConditionFailed);
    expect(await readOutbox(table, notice.id)).toBeUndefined();
  });

  it('fails with an error of the table', async () => {
    beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(lease()).rejects.toThrow('out of order');
  });
});
