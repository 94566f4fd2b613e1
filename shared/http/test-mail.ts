import type { Caller } from '../accounts/authenticate.ts';
import { countTestMails } from '../accounts/test-mail-limit.ts';
import { assertUnique } from '../requests/correcting.ts';
import { assertMayBeMailed } from '../requests/inviting.ts';
import { signerById } from '../requests/lifecycle.ts';
import { systemNow } from '../runtime/time.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { requireOwned } from './owned-request.ts';

/** Counts a test mail to a signer, or to their new address, before the change: a refusal leaves the earlier code valid. */
export async function countTestMailTo(
  table: Table,
  caller: Caller,
  ids: { id: string; signer_id: string },
  newAddress?: string,
): Promise<void> {
  if (caller.mode === 'live') return;
  const request = requireOwned(await loadRequest(table, ids.id), caller);
  const signer = signerById(request, ids.signer_id);
  assertMayBeMailed(request, signer, systemNow());
  if (newAddress) assertUnique(request, signer.id, newAddress);
  await countTestMails(table, caller, [newAddress ?? signer.email], systemNow());
}
