import { readFileSync } from 'node:fs';
import { verify } from '../../../shared/requests/chain.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import type { Item } from '../../../shared/store/items.ts';
import type { Key } from '../../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { changed } from '../../support/stored-requests.ts';

/** Items as a version from before item versions, salts and anchors wrote them: an opened request with one signer. */
const ITEMS: (Item & Key)[] = JSON.parse(
  readFileSync(new URL('../../fixtures/request-without-item-version.json', import.meta.url), 'utf8'),
);
const ID = String(ITEMS[0]?.pk).slice('REQ#'.length);

const { table } = new MemoryDynamo();

describe('a request that an older version stored', () => {
  beforeEach(() => table.transact(ITEMS.map((put) => ({ put }))));

  it('is read, with defaults for what did not exist then', async () => {
    expect(await loadRequestWithTrail(table, ID)).toMatchObject({
      state: { id: ID, status: 'opened', trailVersion: 1, anchor: null, reference: null, erasures: 0 },
      content: { filename: 'Opened.pdf', attachments: null, returnUrl: null },
      signers: [{ email: 'opened0@example.com', status: 'opened', addressSince: null }],
    });
  });

  it('keeps a whole chain when today’s rules change it', async () => {
    await changed(table, ID, (request, now) => cancel(request, { reason: null, actor: 'client' }, now));
    const request = await loadRequestWithTrail(table, ID);
    expect(request?.state).toMatchObject({ status: 'cancelled', auditSequence: 10 });
    expect(request?.signers[0]?.status).toBe('invalidated');
    const { auditSequence: sequence = 0, auditHead: head = '' } = request?.state ?? {};
    expect(verify(ID, request?.events ?? [], { sequence, head })).toMatchObject({ intact: true });
  });
});
