import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { changeSecret } from '../../../admin/secret-versions.ts';

interface Value {
  member: string;
  other: number;
}

it.each([
  ['as it was written', '{"member":"kept","other":1}', 0],
  ['that was stored by hand with spaces', '{ "member": "kept", "other": 1 }', 0],
  ['that was stored by hand in another order', '{"other":1,"member":"kept"}', 0],
  ['that differs', '{"member":"kept","other":2}', 1],
])('a secret with a value %s is written only if that changes', async (_name, SecretString, writes) => {
  const stored = mockClient(SecretsManagerClient);
  stored.on(DescribeSecretCommand).resolves({ VersionIdsToStages: { one: ['AWSCURRENT'] } });
  stored.on(GetSecretValueCommand).resolves({ SecretString });
  const secrets = new SecretsManagerClient({ region: 'eu-north-1' });
  const change = async (): Promise<Value> => ({ member: 'kept', other: 1 });
  expect(await changeSecret(secrets, 'seal', change)).toEqual({ member: 'kept', other: 1 });
  expect(stored.commandCalls(PutSecretValueCommand)).toHaveLength(writes);
});
