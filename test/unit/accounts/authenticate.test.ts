import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { hashApiKey, newApiKey, prefixOf, tokenOf } from '../../../shared/accounts/api-key.ts';
import { authenticate } from '../../../shared/accounts/authenticate.ts';
import { Table } from '../../../shared/store/table.ts';

const dynamo = mockClient(DynamoDBClient);
const table = new Table(new DynamoDBClient({}), 'table');
const KEY = newApiKey('live');
const { keyId, hash } = hashApiKey(KEY);
const CALLER = {
  keyId,
  ownerId: 'owner',
  ownerType: 'organization',
  ownerName: 'Acme',
  mode: 'live',
  subscription: 'active',
  archive: false,
  reminders: true,
};
const stored = (more = {}) =>
  dynamo.on(GetItemCommand).resolves({ Item: marshall({ ...CALLER, hash, revokedAt: null, ...more }) });

beforeEach(() => dynamo.reset());

describe('API keys', () => {
  it('an API key consists of a prefix and 32 random bytes', () => {
    expect(newApiKey('live')).toMatch(/^esk_live_[A-Za-z0-9_-]{43}$/);
    expect(newApiKey('test')).toMatch(/^esk_test_[A-Za-z0-9_-]{43}$/);
    expect(newApiKey('live')).not.toBe(newApiKey('live'));
  });

  it('the id of an API key is the first half of its hash', () => {
    expect(hash).toHaveLength(64);
    expect(hash.startsWith(keyId)).toBe(true);
    expect(keyId).toHaveLength(32);
  });

  it.each([
    '',
    KEY,
    `Basic ${KEY}`,
    `Bearer${KEY}`,
    'Bearer ',
    `Bearer ${KEY}x`,
    `Bearer ${KEY.slice(0, -1)}`,
    `Bearer ${KEY} ${KEY}`,
    `Bearer ${KEY.replace('live', 'prod')}`,
    `Bearer ${KEY.slice(0, -1)}ä`,
    `Bearer\n${KEY}`,
    `x Bearer ${KEY}`,
    `Bearer x${KEY}`,
  ])('an Authorization header in another form contains no key: %j', (header) => {
    expect(tokenOf(header)).toBeUndefined();
  });

  it('people recognize an API key by its prefix and the first four of its random characters', () => {
    expect(prefixOf('esk_live_abcdefgh', 'live')).toBe('esk_live_abcd');
    expect(prefixOf('esk_test_abcdefgh', 'test')).toBe('esk_test_abcd');
  });

  it('the Bearer scheme is case-insensitive', () => {
    expect(tokenOf(`bearer  ${KEY} `)).toBe(KEY);
  });
});

describe('authenticate', () => {
  it('authentication takes one consistent read', async () => {
    stored();
    expect(await authenticate(table, `Bearer ${KEY}`)).toMatchObject(CALLER);
    expect(dynamo.calls()).toHaveLength(1);
    expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input).toMatchObject({
      Key: marshall({ pk: `KEY#${keyId}`, sk: 'KEY' }),
      ConsistentRead: true,
    });
  });

  it('authentication without a well-formed key reads nothing', async () => {
    await expect(authenticate(table, 'Bearer nonsense')).rejects.toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
    await expect(authenticate(table, undefined)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(dynamo.calls()).toHaveLength(0);
  });

  it('a key of another service, and one that is cut off, are told what a key looks like', async () => {
    for (const key of ['sk_live_abc', KEY.slice(0, -1)])
      await expect(authenticate(table, `Bearer ${key}`)).rejects.toMatchObject({
        message: expect.stringMatching(/esk_live_ or esk_test_, followed by 43 characters/),
      });
  });

  it.each([
    ['unknown', () => dynamo.on(GetItemCommand).resolves({})],
    ['revoked', () => stored({ revokedAt: '2026-11-21T12:00:00.000Z' })],
    ['different from the stored one with the same id', () => stored({ hash: `${keyId}${'0'.repeat(32)}` })],
    ['stored without a hash', () => stored({ hash: null })],
  ])('authentication refuses a key that is %s', async (_, arrange) => {
    arrange();
    await expect(authenticate(table, `Bearer ${KEY}`)).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'The API key is unknown or was revoked.',
    });
  });

  it('an authentication error does not contain the key', async () => {
    dynamo.on(GetItemCommand).resolves({});
    const error = await authenticate(table, `Bearer ${KEY}`).catch((refusal: unknown) => refusal);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY.slice(9));
  });
});
