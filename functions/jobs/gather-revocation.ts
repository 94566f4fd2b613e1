import type { Context } from 'aws-lambda';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { memoize, readSecret } from '../../shared/runtime/secrets.ts';
import { MINUTE, systemNow } from '../../shared/runtime/time.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { anchorsOf, authoritiesOf } from '../../shared/stamping/configuration.ts';
import { keptProver, renewProofs } from '../../shared/stamping/kept-proofs.ts';
import { RENEWALS_JOB, type Renewing, renewIfDue } from '../../shared/stamping/renew-stored.ts';
import { guardedRetrieve } from '../../shared/stamping/retrieve.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { resolveWith } from '../../shared/webhooks/addresses.ts';
import { reportRun, resumesRun, runJob } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const { s3, bucket } = configuredDocuments(JOB_CLIENT_SETTINGS);
const timestampSecret = setting('TIMESTAMP_SECRET_ARN');
const retrieve = guardedRetrieve({ ...configuredAddressPolicy(), resolve: resolveWith() });

/** Nothing is kept at B-T, so nothing is due. */
async function gatherProofs(): Promise<void> {
  const startedAt = systemNow().toISOString();
  const { runningOut, ...tally } = await renewProofs({ table, retrieve, now: systemNow });
  if (tally.due > 0 || runningOut > 0) measure({ ProofsRunningOut: runningOut });
  log.info('Renewed proofs', { ...tally, running_out: runningOut });
  await reportRun(table, 'gather-revocation', startedAt, tally);
}

async function readRenewing(): Promise<Renewing> {
  const secret = await readSecret(timestampSecret);
  const prove = keptProver({ table, retrieve, now: systemNow });
  const timestamp = timestamper(authoritiesOf(secret), { prove });
  return { table, s3, bucket, prove, timestamp, anchors: anchorsOf(secret), now: systemNow };
}

function renewArchived(event: unknown, context: Context) {
  const renewing = memoize(readRenewing);
  const run = runJob({
    table,
    name: RENEWALS_JOB,
    kind: 'RENEW',
    // A file of 10 MB is held several times, and authorities that do not answer take their time.
    concurrency: 4,
    reservedMs: 2 * MINUTE,
    // The files of one authority are all due at once, and may take longer than the hour until the next run.
    alone: true,
    work: async ({ id }) => {
      const { renewed, overdue } = await renewIfDue(await renewing(), String(id));
      if (overdue) measure({ RenewalsOverdue: 1 });
      return renewed;
    },
  });
  return run(event, context);
}

/** Hourly: renews the proofs that seals above B-T embed, then archived files whose timestamp's certificate ends. */
export const handler = async (event: unknown, context: Context) => {
  if (resumesRun(event)) {
    // Skips the proofs: if they failed, Lambda would retry the event twice, and each retry would resume the run again.
    await renewArchived(event, context);
    return;
  }
  const [gathered] = await Promise.allSettled([gatherProofs()]);
  await renewArchived(event, context);
  if (gathered.status === 'rejected') throw gathered.reason;
};
