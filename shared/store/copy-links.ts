import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { copyKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** Links of the mails with the sealed document. Each belongs to one signer and is stored as a hash. */

/** After its end the item is removed; until then its link answers that it has expired. */
const KEPT_AFTER_END = 7 * DAY;

export const copyLinkWrite = (
  token: string,
  { requestId, signerId, endsAt }: { requestId: string; signerId: string; endsAt: string },
): Write => ({
  put: {
    ...copyKey(token),
    requestId,
    signerId,
    ttl: epochSeconds(after(endsAt, KEPT_AFTER_END)),
  },
});

export async function findCopyLink(
  table: Table,
  token: string,
): Promise<{ requestId: string; signerId: string } | undefined> {
  const item = await table.get(copyKey(token), { consistent: true });
  return item && { requestId: String(item.requestId), signerId: String(item.signerId) };
}
