import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { optionalSetting, setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { readSecret } from '../../shared/runtime/secrets.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { certificateExpiries, daysLeft } from '../../shared/stamping/expiries.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { domainExpiry } from '../../shared/work/domain-certificate.ts';
import { reportRun } from '../../shared/work/run-job.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const secrets = {
  seal: setting('SEAL_SECRET_ARN'),
  testSeal: setting('TEST_SEAL_SECRET_ARN'),
  timestamp: setting('TIMESTAMP_SECRET_ARN'),
};
/** AWS looks after the certificate of the distribution's own domain. */
const customDomain = optionalSetting('CUSTOM_DOMAIN');

/** Daily: measures how long the certificates for sealing, and that of a custom domain, remain valid. */
export const handler = async () => {
  const now = systemNow();
  const [seal, testSeal, timestamp] = await Promise.all([
    readSecret(secrets.seal),
    readSecret(secrets.testSeal),
    readSecret(secrets.timestamp),
  ]);
  const expiries = [
    ...certificateExpiries({ seal, testSeal, timestamp }, now),
    ...(customDomain ? [await domainExpiry(customDomain)] : []),
  ];
  for (const { certificate, expiresAt, fault } of expiries) {
    // A certificate that cannot be read, or that browsers refuse, counts as expired. One that was never configured is skipped.
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
