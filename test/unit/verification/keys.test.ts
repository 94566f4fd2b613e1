import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { signingKeys } from '../../../shared/verification/keys.ts';

const secrets = mockClient(SecretsManagerClient);
const holds = (SecretString: string) =>
  secrets.on(GetSecretValueCommand, { SecretId: 'arn:signing' }).resolves({ SecretString });

beforeAll(() => {
  process.env.SIGNING_SECRETS_ARN = 'arn:signing';
});
afterAll(() => {
  delete process.env.SIGNING_SECRETS_ARN;
});

it('the signing keys are re-read after a failure, then cached, and differ by use', async () => {
  secrets.on(GetSecretValueCommand).rejects(new Error('Secrets Manager is out of order.'));
  await expect(signingKeys()).rejects.toThrow('out of order');
  holds('{"root":""}');
  await expect(signingKeys()).rejects.toThrow('root');
  holds('the-root');
  await expect(signingKeys()).rejects.toThrow(/^(?!.*the-root)/);
  holds('{"root":"the-root"}');
  const keys = await signingKeys();
  holds('{"root":"another"}');
  expect(await signingKeys()).toBe(keys);

  const values = [keys.codePepper, keys.cursor].map((key) => Buffer.from(key).toString('hex'));
  expect(new Set(values).size).toBe(2);
  // A release that derived others would refuse every code and cursor under way.
  expect(values).toEqual([
    'c1549ac930131d8ad4af95e285201903382f9314a6f33435399abe21dc01d33e',
    '75351820d11dab91bd9df1b22375be15da650d367e7b93adee735d9660ac76c0',
  ]);
});
