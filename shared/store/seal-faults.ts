import * as z from 'zod';
import { string } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { parseIfWhole } from './items.ts';
import { sealFaultKey } from './keys.ts';
import type { Table } from './table.ts';

/** Why a seal waits or was given up, and since when it fails. It drops out by itself. */

const sealFault = z.object({
  requestId: string,
  /** When the seal was queued whose attempts these are. */
  queuedAt: string,
  code: string,
  /** Names the certificate or authority, the host that was asked, and its fault. */
  reason: string,
  /** The first attempt that failed. */
  since: string,
  lastAt: string,
  tries: z.number(),
});
type SealFaultRecord = z.output<typeof sealFault>;

const KEPT = 90 * DAY;
const MAX_REASON = 1_000;

/** Counts a failed attempt, and returns when the first one was. Of two at the same time one may go uncounted. */
export async function recordSealFault(
  table: Table,
  { requestId, queuedAt, code, reason }: Pick<SealFaultRecord, 'requestId' | 'queuedAt' | 'code' | 'reason'>,
  now: Date,
): Promise<string> {
  const [found] = await findSealFaults(table, [requestId]);
  const before = found?.queuedAt === queuedAt ? found : undefined;
  const at = now.toISOString();
  const since = before?.since ?? at;
  await table.put({
    ...sealFaultKey(requestId),
    requestId,
    queuedAt,
    code,
    reason: reason.slice(0, MAX_REASON),
    since,
    lastAt: at,
    tries: (before?.tries ?? 0) + 1,
    ttl: epochSeconds(after(now, KEPT)),
  });
  return since;
}

/** The last fault of each request that has one. */
export async function findSealFaults(
  table: Table,
  requestIds: readonly string[],
): Promise<SealFaultRecord[]> {
  const items = await Promise.all(requestIds.map((id) => table.get(sealFaultKey(id))));
  return items.flatMap((item) => parseIfWhole(sealFault, item));
}
