import type { SignerState } from '../requests/model.ts';
import { signerKey } from './keys.ts';
import { changedFields, signerItem } from './requests.ts';
import type { Condition, Table } from './table.ts';

/** Changes one signer without the request's version: for mail outcomes, which have conditions of their own. */
export async function changeSigner(
  table: Table,
  requestId: string,
  before: SignerState,
  now: SignerState,
  condition?: Condition,
): Promise<void> {
  const set = changedFields(signerItem(requestId, before), signerItem(requestId, now));
  await table.update(signerKey(requestId, now.position), set, condition);
}
