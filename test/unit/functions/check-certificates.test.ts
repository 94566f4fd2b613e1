import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

const memory = new MemoryDynamo();
const secrets = mockClient(SecretsManagerClient);
afterEach(() => jest.restoreAllMocks());

it('a certificate that cannot be read has no days left, which rings, and one that was never set none to tell of', async () => {
  const names = { SEAL_SECRET_ARN: 'seal', TEST_SEAL_SECRET_ARN: 'test', TIMESTAMP_SECRET_ARN: 'time' };
  Object.assign(process.env, { TABLE_NAME: 'table', ...names });
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{}' });
  secrets.on(GetSecretValueCommand, { SecretId: 'seal' }).resolves({ SecretString: 'damaged' });
  const lines = captureLog();
  const { handler } = await import('../../../functions/jobs/check-certificates.ts');
  await handler();
  const measured = lines.filter((line) => 'CertificateDaysLeft' in line);
  expect(measured).toMatchObject([{ Certificate: 'seal', CertificateDaysLeft: 0 }]);
  expect(memory.items).toMatchObject([{ due: 3, done: 2, failed: 1 }]);
});
