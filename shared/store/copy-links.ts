import * as z from 'zod';
import { linksEndAt } from '../requests/lifecycle.ts';
import type { RequestState } from '../requests/model.ts';
import { present } from '../runtime/present.ts';
import { string } from '../runtime/schemas.ts';
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

const copyLink = z.object({ requestId: string, signerId: string });

export const findCopyLink = (table: Table, token: string) => table.find(copyLink, copyKey(token));
