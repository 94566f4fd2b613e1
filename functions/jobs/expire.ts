import { expire } from '../../shared/requests/ending.ts';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import type { Item } from '../../shared/store/items.ts';
import { runJob } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const send = dispatchTo(
  { event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') },
  JOB_CLIENT_SETTINGS,
);

/** Expires a request whose time is over. A concurrent signature or cancellation wins if it is written first. */
async function expireDue({ id }: Item, now: () => Date): Promise<boolean> {
  const changed = await changeRequest({ table, now }, String(id), expire);
  await send(changed?.outbox ?? []);
  return changed !== undefined && changed.outbox.length > 0;
}

export const handler = runJob({ table, name: 'expire', kind: 'EXPIRE', work: expireDue });
