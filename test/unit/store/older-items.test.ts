import { verify } from '../../../shared/requests/chain.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { changed } from '../../support/stored-requests.ts';
import { OLDER_ID, OLDER_ITEMS } from './older-request.ts';

const { table } = new MemoryDynamo();

describe('a request that an older version stored', () => {
  beforeEach(() => table.transact(OLDER_ITEMS.map((put) => ({ put }))));

  it('is read, with defaults for what did not exist then', async () => {
    expect(await loadRequestWithTrail(table, OLDER_ID)).toMatchObject({
      state: { id: OLDER_ID, status: 'opened', trailVersion: 1, anchor: null, reference: null, erasures: 0 },
      content: { filename: 'Opened.pdf', attachments: null, returnUrl: null },
      signers: [{ email: 'opened0@example.com', status: 'opened', addressSince: null }],
    });
  });

  it('keeps a whole chain when today’s rules change it', async () => {
    await changed(table, OLDER_ID, (request, now) => cancel(request, { reason: null, actor: 'client' }, now));
    const request = await loadRequestWithTrail(table, OLDER_ID);
    expect(request?.state).toMatchObject({ status: 'cancelled', auditSequence: 10 });
    expect(request?.signers[0]?.status).toBe('invalidated');
    const { auditSequence: sequence = 0, auditHead: head = '' } = request?.state ?? {};
    expect(verify(OLDER_ID, request?.events ?? [], { sequence, head })).toMatchObject({ intact: true });
  });
});
