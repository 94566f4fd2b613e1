import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const secrets = mockClient(SecretsManagerClient);
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('a custom domain whose certificate browsers refuse has no days left, which rings', async () => {
  const names = { SEAL_SECRET_ARN: 'seal', TEST_SEAL_SECRET_ARN: 'test', TIMESTAMP_SECRET_ARN: 'time' };
  Object.assign(process.env, { TABLE_NAME: 'table', ...names, CUSTOM_DOMAIN: 'none.invalid' });
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{}' });
  skipPauses();
  const lines = captureLog();
  const { handler } = await import('../../../functions/jobs/check-certificates.ts');
  await handler();
  expect(lines.filter((line) => 'CertificateDaysLeft' in line)).toMatchObject([
    { Certificate: 'domain', CertificateDaysLeft: 0 },
  ]);
  expect(lines.find((line) => 'fault' in line)).toMatchObject({
    certificate: 'domain',
    fault: expect.any(String),
  });
  expect(memory.items).toMatchObject([{ due: 4, done: 3, failed: 1 }]);
});
