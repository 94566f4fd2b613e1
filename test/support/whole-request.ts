import { verify } from '../../shared/requests/chain.ts';
import { compareWithEvents } from '../../shared/requests/compare-with-events.ts';
import { drawnSignatureKey, originalKey, sealedKey } from '../../shared/store/objects.ts';
import { loadRequestWithTrail, type StoredRequest } from '../../shared/store/requests.ts';
import type { Table } from '../../shared/store/table.ts';

const KEYS = { original: originalKey, sealed: sealedKey, drawing: drawnSignatureKey };

/** Reads a request, whose trail must be whole and state what its items hold. */
export async function wholeRequest(table: Table, id: string): Promise<StoredRequest> {
  const stored = await loadRequestWithTrail(table, id);
  if (!stored) throw new Error(`The request ${id} is gone.`);
  const { state, events } = stored;
  const head = { sequence: state.auditSequence, head: state.auditHead };
  expect(verify(id, events, head)).toMatchObject({ intact: true, altered: [] });
  expect(compareWithEvents(id, stored, KEYS)).toEqual([]);
  return stored;
}
