import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { changeSecret } from '../../../admin/secret-versions.ts';
import { skipPauses } from '../../support/virtual-time.ts';

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

describe('changes of a secret by several operators at once', () => {
  const client = new SecretsManagerClient({ region: 'eu-north-1' });
  const secrets = mockClient(SecretsManagerClient);
  /** The values of the versions, and those that are current one after the other, each with the time of its change. */
  let values: Record<string, string>;
  let currents: { id: string; changedAt: Date }[];
  /** Reads return the former version for this time. */
  let staleMs: number;

  const shown = () => currents.findLast(({ changedAt }) => changedAt.getTime() + staleMs <= Date.now());
  const named = (name: string) => Object.assign(new Error(name), { name });
  const withMember = (name: string) => async (value: object) => ({ ...value, [name]: true });

  beforeEach(() => {
    skipPauses();
    jest.setSystemTime(new Date('2026-11-21T12:00:00.000Z'));
    staleMs = 0;
    values = { first: '{"kept":1}', older: '{"older":1}' };
    currents = [{ id: 'first', changedAt: new Date(0) }];
    secrets.reset();
    secrets.on(DescribeSecretCommand).callsFake(async () => {
      const current = shown();
      const stages = current && { [current.id]: ['by hand', 'AWSCURRENT'] };
      return {
        VersionIdsToStages: { older: ['AWSPREVIOUS'], ...stages },
        // To the second, in which there may be several changes.
        LastChangedDate: current && new Date(Math.floor(current.changedAt.getTime() / 1_000) * 1_000),
      };
    });
    secrets
      .on(GetSecretValueCommand)
      .callsFake(async ({ VersionId = 'older' }) => ({ SecretString: values[VersionId] }));
    secrets.on(PutSecretValueCommand).callsFake(async ({ ClientRequestToken: id, SecretString }) => {
      if (values[id] !== undefined) throw named('ResourceExistsException');
      values[id] = SecretString;
      currents.push({ id, changedAt: new Date() });
    });
  });
  afterEach(() => jest.useRealTimers());

  const lastValue = () => JSON.parse(values[currents.at(-1)?.id ?? ''] ?? '');

  it('none is lost, and each is made of what the one before left', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => changeSecret(client, 'seal', withMember(name))));
    expect(lastValue()).toEqual({ kept: 1, a: true, b: true, c: true });
  });

  it('one that is refused waits until reads show the other', async () => {
    staleMs = 1_000;
    await Promise.all(['a', 'b'].map((name) => changeSecret(client, 'seal', withMember(name))));
    expect(lastValue()).toEqual({ kept: 1, a: true, b: true });
  });

  it('a value that was current before gets a version of its own when it comes back', async () => {
    await changeSecret(client, 'seal', async () => ({ other: 1 }));
    currents.push({ id: 'first', changedAt: new Date(Date.now() + 1_000) });
    jest.setSystemTime(Date.now() + 1_000);
    await changeSecret(client, 'seal', async () => ({ other: 2 }));
    expect(Object.keys(values)).toHaveLength(4);
    expect(lastValue()).toEqual({ other: 2 });
  });

  it('the command gives up after ten refusals', async () => {
    secrets.on(PutSecretValueCommand).rejects(named('ResourceExistsException'));
    await expect(changeSecret(client, 'seal', withMember('a'))).rejects.toThrow('nothing was stored');
    expect(secrets.commandCalls(PutSecretValueCommand)).toHaveLength(10);
  });

  it('no other error of Secrets Manager is taken for a concurrent change', async () => {
    secrets.on(PutSecretValueCommand).rejects(named('AccessDeniedException'));
    await expect(changeSecret(client, 'seal', withMember('a'))).rejects.toThrow('AccessDeniedException');
  });

  it('a secret without a current value is left alone', async () => {
    currents = [];
    await expect(changeSecret(client, 'seal', withMember('a'))).rejects.toThrow('no current value');
    expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
  });

  it('a secret that is not JSON is not quoted in the error', async () => {
    values.first = 'a secret word';
    const attempt = changeSecret(client, 'seal', withMember('a'));
    await expect(attempt).rejects.toThrow('A secret is not valid JSON.');
  });
});
