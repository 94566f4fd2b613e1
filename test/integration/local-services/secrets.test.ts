import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { account, allow, type Cloud, failure, region, startCloud } from './harness.ts';

let cloud: Cloud;
let client: SecretsManagerClient;
const arnOf = (name: string) => `arn:aws:secretsmanager:${region}:${account}:secret:${name}-AbCdEf`;
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

it('A secret is found by its name, its ARN, and its ARN without the random end', async () => {
  for (const id of ['app', arnOf('app'), arnOf('app').slice(0, -7)])
    expect(await value(id)).toBe('first of app');
  expect(await cloud.services.secretValue('app')).toBe('first of app');
  expect(await failure(value('nothing'))).toMatchObject({ name: 'ResourceNotFoundException', status: 400 });
});

it('A new value becomes the current one, and the one before it the previous one', async () => {
  await create('turned');
  await client.send(new PutSecretValueCommand({ SecretId: 'turned', SecretString: 'second' }));
  await client.send(new UpdateSecretCommand({ SecretId: 'turned', SecretString: 'third' }));
  expect(await value('turned')).toBe('third');
  expect(await value('turned', 'AWSPREVIOUS')).toBe('second');
  expect(await cloud.services.secretValue('turned')).toBe('third');
  await create('turned');
  expect(await value('turned')).toBe('third');
});

it('A value may wait as pending until its stage is moved', async () => {
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
  const { Versions } = await client.send(new ListSecretVersionIdsCommand({ SecretId: 'rotated' }));
  expect(Versions?.map((version) => version.VersionId).sort()).toEqual([old, VersionId].sort());
});

it('A stage or version that is not there is not found', async () => {
  expect(await failure(value('app', 'AWSPENDING'))).toMatchObject({ name: 'ResourceNotFoundException' });
  const empty = client.send(new PutSecretValueCommand({ SecretId: 'app' }));
  expect(await failure(empty)).toMatchObject({ name: 'InvalidRequestException' });
});

it('IAM decides by the ARN of the secret', async () => {
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
