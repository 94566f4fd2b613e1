import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { ACCOUNT, allow, type Cloud, failure, REGION, startCloud } from './harness.ts';

let cloud: Cloud;
let client: SecretsManagerClient;
const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-AbCdEf`;
const create = (name: string) =>
  cloud.services.createSecret({ name, arn: arnOf(name), initialValue: `first of ${name}` });
const value = async (SecretId: string, VersionStage?: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId, ...(VersionStage && { VersionStage }) })))
    .SecretString;

beforeAll(async () => {
  cloud = await startCloud();
  client = new SecretsManagerClient(cloud.operator);
  await create('app');
});
afterAll(() => cloud.stop());

it('a secret is found by its name, its ARN and its ARN without the random suffix', async () => {
  for (const id of ['app', arnOf('app'), arnOf('app').slice(0, -7)])
    expect(await value(id)).toBe('first of app');
  expect(await cloud.services.secretValue('app')).toBe('first of app');
  expect(await failure(value('nothing'))).toMatchObject({ name: 'ResourceNotFoundException', status: 400 });
});

it('a new value becomes AWSCURRENT, the old one AWSPREVIOUS, and creating the secret again keeps both', async () => {
  await create('changed');
  await client.send(new PutSecretValueCommand({ SecretId: 'changed', SecretString: 'second' }));
  await client.send(new PutSecretValueCommand({ SecretId: 'changed', SecretString: 'third' }));
  expect(await value('changed')).toBe('third');
  expect(await value('changed', 'AWSPREVIOUS')).toBe('second');
  expect(await cloud.services.secretValue('changed')).toBe('third');
  await create('changed');
  expect(await value('changed')).toBe('third');
});

/** @behaviour secrets.versions */
it('a pending value becomes current when AWSCURRENT is moved to its version', async () => {
  await create('rotated');
  const { VersionId: old } = await client.send(new GetSecretValueCommand({ SecretId: 'rotated' }));
  const pending = {
    SecretId: 'rotated',
    SecretString: 'new',
    VersionStages: ['AWSPENDING'],
    ClientRequestToken: randomUUID(),
  };
  const { VersionId } = await client.send(new PutSecretValueCommand(pending));
  await client.send(new PutSecretValueCommand(pending));
  const other = new PutSecretValueCommand({ ...pending, SecretString: 'newer' });
  expect(await failure(client.send(other))).toMatchObject({ name: 'ResourceExistsException' });
  expect(await value('rotated')).toBe('first of rotated');
  expect(await value('rotated', 'AWSPENDING')).toBe('new');
  const move = { SecretId: 'rotated', VersionStage: 'AWSCURRENT', MoveToVersionId: VersionId };
  expect(await failure(client.send(new UpdateSecretVersionStageCommand(move)))).toMatchObject({
    name: 'InvalidParameterException',
  });
  await client.send(new UpdateSecretVersionStageCommand({ ...move, RemoveFromVersionId: old }));
  expect(await value('rotated')).toBe('new');
  const { VersionIdsToStages } = await client.send(new DescribeSecretCommand({ SecretId: 'rotated' }));
  expect(VersionIdsToStages).toEqual({
    [old ?? '']: ['AWSPREVIOUS'],
    [VersionId ?? '']: ['AWSCURRENT', 'AWSPENDING'],
  });
});

it('reading a stage without a version, or writing no value or more than a value, is an error', async () => {
  expect(await failure(value('app', 'AWSPENDING'))).toMatchObject({ name: 'ResourceNotFoundException' });
  const empty = client.send(new PutSecretValueCommand({ SecretId: 'app' }));
  expect(await failure(empty)).toMatchObject({ name: 'InvalidParameterException' });
  const RotationToken = 'x'.repeat(36);
  const rotated = new PutSecretValueCommand({ SecretId: 'app', SecretString: 'x', RotationToken });
  expect(await failure(client.send(rotated))).toMatchObject({
    message: expect.stringContaining('RotationToken'),
  });
});

it('IAM statements apply to a secret by its ARN', async () => {
  const reader = new SecretsManagerClient(
    cloud.caller('reader', allow('secretsmanager:GetSecretValue', `${arnOf('app').slice(0, -7)}-??????`)),
  );
  await reader.send(new GetSecretValueCommand({ SecretId: 'app' }));
  const denied = { name: 'AccessDeniedException', status: 400 };
  const put = reader.send(new PutSecretValueCommand({ SecretId: 'app', SecretString: 'x' }));
  expect(await failure(put)).toMatchObject(denied);
  await create('other');
  expect(await failure(reader.send(new GetSecretValueCommand({ SecretId: 'other' })))).toMatchObject(denied);
});
