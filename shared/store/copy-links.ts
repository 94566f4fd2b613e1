import { linksEndAt } from '../requests/lifecycle.ts';
import type { RequestState } from '../requests/model.ts';
import { present } from '../runtime/present.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { copyKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** Links of the mails with the sealed document. Each belongs to one signer and is stored as a hash. */

/**
 * So long after all links of the request have ended the item is removed; until then its link answers that it has expired. The
 * purge, which may come earlier, is no end: an archive that begins before it keeps the document.
 */
const KEPT_AFTER_END = 7 * DAY;

export const copyLinkWrite = (
  token: string,
  state: Pick<RequestState, 'id' | 'endedAt'>,
  signerId: string,
): Write => ({
  put: {
    ...copyKey(token),
    requestId: state.id,
    signerId,
    ttl: epochSeconds(after(present(linksEndAt(state), 'linksEndAt'), KEPT_AFTER_END)),
  },
});

export async function findCopyLink(
  table: Table,
  token: string,
): Promise<{ requestId: string; signerId: string } | undefined> {
  const item = await table.get(copyKey(token), { consistent: true });
  return item && { requestId: String(item.requestId), signerId: String(item.signerId) };
}
