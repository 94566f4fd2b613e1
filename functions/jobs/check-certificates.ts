import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { readSecret } from '../../shared/runtime/secrets.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { certificateExpiries, daysLeft } from '../../shared/stamping/expiries.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { reportRun } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const secrets = {
  seal: setting('SEAL_SECRET_ARN'),
  testSeal: setting('TEST_SEAL_SECRET_ARN'),
  timestamp: setting('TIMESTAMP_SECRET_ARN'),
};

/** Daily: measures how long the certificates for sealing remain valid. */
export const handler = async () => {
  const now = systemNow();
  const [seal, testSeal, timestamp] = await Promise.all([
    readSecret(secrets.seal),
    readSecret(secrets.testSeal),
    readSecret(secrets.timestamp),
  ]);
  const expiries = certificateExpiries({ seal, testSeal, timestamp }, now);
  for (const { certificate, expiresAt, fault } of expiries) {
    // An unreadable certificate counts as expired. One that was never configured is skipped.
    if (!expiresAt && !fault) continue;
    const days = expiresAt ? daysLeft(expiresAt, now) : 0;
    measure({ CertificateDaysLeft: days }, { Certificate: certificate });
    log.info('Checked a certificate', { certificate, expires_at: expiresAt, days_left: days, fault });
  }
  const failed = expiries.filter(({ fault }) => fault !== null).length;
  await reportRun(table, 'check-certificates', now.toISOString(), {
    due: expiries.length,
    done: expiries.length - failed,
    failed,
  });
};
