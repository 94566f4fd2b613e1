import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { reportRun } from '../../shared/jobs/run.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { readSecret } from '../../shared/runtime/secrets.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { certificateExpiries, daysLeft } from '../../shared/sealing/expiries.ts';
import { Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const secrets = {
  seal: setting('SEAL_SECRET_ARN'),
  testSeal: setting('TEST_SEAL_SECRET_ARN'),
  timestamp: setting('TIMESTAMP_SECRET_ARN'),
};

/** Each day: how long the certificates last that seals are made with. */
export const handler = async () => {
  const now = systemNow();
  const [seal, testSeal, timestamp] = await Promise.all([
    readSecret(secrets.seal),
    readSecret(secrets.testSeal),
    readSecret(secrets.timestamp),
  ]);
  const expiries = certificateExpiries({ seal, testSeal, timestamp });
  for (const { certificate, expiresAt, fault } of expiries) {
    // One that cannot be read is as good as over; one that was never configured is not asked for.
    if (!expiresAt && !fault) continue;
    const days = expiresAt ? daysLeft(expiresAt, now) : 0;
    measure({ CertificateDaysLeft: days }, { Certificate: certificate });
    log.info('Looked at a certificate', { certificate, expires_at: expiresAt, days_left: days, fault });
  }
  const failed = expiries.filter(({ fault }) => fault !== null).length;
  await reportRun(table, 'check-certificates', now.toISOString(), {
    due: expiries.length,
    done: expiries.length - failed,
    failed,
  });
};
