import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { renewProofs } from '../../shared/stamping/kept-proofs.ts';
import { guardedRetrieve } from '../../shared/stamping/retrieve.ts';
import { Table } from '../../shared/store/table.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-policy.ts';
import { resolveWith } from '../../shared/webhooks/addresses.ts';
import { reportRun } from '../../shared/work/run-job.ts';

const table = new Table(new DynamoDBClient(JOB_CLIENT_SETTINGS), setting('TABLE_NAME'));
const retrieve = guardedRetrieve({ ...configuredAddressPolicy(), resolve: resolveWith() });

/** Hourly: renews the proofs that seals above B-T embed. Nothing is kept at B-T, so nothing is due. */
export const handler = async () => {
  const startedAt = systemNow().toISOString();
  const { runningOut, ...tally } = await renewProofs({ table, retrieve, now: systemNow });
  if (tally.due > 0 || runningOut > 0) measure({ ProofsRunningOut: runningOut });
  log.info('Renewed proofs', { ...tally, running_out: runningOut });
  await reportRun(table, 'gather-revocation', startedAt, tally);
};
