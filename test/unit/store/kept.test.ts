import { epochSeconds } from '../../../shared/runtime/time.ts';
import { accountEventWrite } from '../../../shared/store/account-log.ts';
import { sealFaultKey } from '../../../shared/store/keys.ts';
import { recordSealFault } from '../../../shared/store/seal-faults.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON, VISITOR } from '../../support/requests.ts';

/** As docs/privacy.md says. */
describe('what is kept for a while', () => {
  const days = (ttl: unknown) => (Number(ttl) - epochSeconds(NOON)) / 86_400;

  it('what a user did in an account is kept for a year', () => {
    const write = accountEventWrite('owner-1', 'signed_out', {
      userId: 'user-1',
      visitor: VISITOR,
      now: NOON,
    });
    expect(days('put' in write && write.put.ttl)).toBe(365);
  });

  it('why a seal waits is kept for 90 days', async () => {
    const { table } = new MemoryDynamo();
    const fault = {
      requestId: 'r',
      queuedAt: NOON.toISOString(),
      code: 'timestamp_unavailable',
      reason: 'Down.',
    };
    await recordSealFault(table, fault, NOON);
    expect(days((await table.get(sealFaultKey('r')))?.ttl)).toBe(90);
  });
});
