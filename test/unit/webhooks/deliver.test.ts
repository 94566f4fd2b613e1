import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { Claim, DeliveryOutcome } from '../../../shared/store/deliveries.ts';
import { deliveryKey, endpointKey, metaKey, ownerKey } from '../../../shared/store/keys.ts';
import { Table } from '../../../shared/store/table.ts';
import { AttemptRecorder } from '../../../shared/webhooks/attempts.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/messages.ts';
import { organizationWebhookId } from '../../../shared/webhooks/organization-webhook.ts';
import type { Post } from '../../../shared/webhooks/post.ts';
import { ownerItem } from '../../support/owners.ts';
import { newRequest } from '../../support/requests.ts';
import { webhookEndpoint } from '../../support/webhook-endpoint.ts';

const NOW = new Date('2026-11-21T12:00:30.000Z');
const { request } = newRequest(1);
const owner = { ownerId: request.state.ownerId, mode: 'live' } as const;
const endpoint = webhookEndpoint(owner, NOW);
const message: DeliveryMessage = {
  eventId: 'evt_1',
  eventType: 'signature_request.sent',
  requestId: request.state.id,
  ...owner,
  endpointId: endpoint.id,
  body: '{"id":"evt_1"}',
};

const dynamo = mockClient(DynamoDBClient);
const steps: string[] = [];
const post = jest.fn<Post>();
const decryptSecret = jest.fn(
  async (_ciphertext: string, _context: Record<string, string>) => `whsec_${'A'.repeat(43)}=`,
);
const table = new Table(new DynamoDBClient({}), 'table');
const parts = {
  table,
  decryptSecret,
  post,
  sendSlow: async () => undefined,
  record: new AttemptRecorder(table, () => NOW),
  now: () => NOW,
};

const stored = (item: Record<string, unknown>) => ({ Item: marshall(item, { removeUndefinedValues: true }) });
const claimed = (fields: Partial<Claim & DeliveryOutcome>) =>
  new ConditionalCheckFailedException({
    message: '',
    $metadata: {},
    Item: marshall({ ...message, attemptedAt: NOW.toISOString(), ...fields }),
  });

/** Returns the audit entry and the delivery's outcome from the only transaction. */
function recorded() {
  const [call, ...others] = dynamo.commandCalls(TransactWriteItemsCommand);
  expect(others).toEqual([]);
  const items = call?.args[0].input.TransactItems ?? [];
  const puts = items.flatMap(({ Put }) => (Put?.Item ? [unmarshall(Put.Item)] : []));
  const updates = items.flatMap(({ Update }) => Update ?? []);
  const { pk } = deliveryKey('evt_1', 'we_1');
  return {
    audit: puts.find((put) => String(put.sk).startsWith('A#')),
    outcome: updates.find(({ Key }) => Key?.pk?.S === pk),
  };
}

beforeEach(() => {
  dynamo.reset();
  steps.length = 0;
  post.mockReset().mockImplementation(async () => {
    steps.push('post');
    return { status: 200, error: null, durationMs: 12 };
  });
  decryptSecret.mockClear();
  dynamo
    .on(GetItemCommand)
    .resolves(stored({ ...endpointKey(owner.ownerId, 'live', endpoint.id), ...endpoint }));
  dynamo.on(PutItemCommand).callsFake(async () => {
    steps.push('claim');
    return {};
  });
  dynamo.on(QueryCommand).resolves({
    Items: [
      marshall({ ...request.state, pk: 'REQ', sk: 'R#META' }),
      marshall({ ...request.content, pk: 'REQ', sk: 'R#CONTENT' }),
    ],
  });
  dynamo.on(TransactWriteItemsCommand).callsFake(async () => {
    steps.push('record');
    return {};
  });
});

describe('deliver', () => {
  it('a delivery is claimed, then posted, then recorded', async () => {
    await deliver(message, parts);
    expect(steps).toEqual(['claim', 'post', 'record']);
  });

  it('a delivery is claimed on condition that no other worker has claimed it', async () => {
    await deliver(message, parts);
    const [claim] = dynamo.commandCalls(PutItemCommand);
    expect(claim?.args[0].input).toMatchObject({
      Item: marshall(deliveryKey('evt_1', 'we_1')),
      ConditionExpression: 'attribute_not_exists(#pk)',
    });
  });

  it('a delivery posts the event’s body with its signature', async () => {
    await deliver(message, parts);
    expect(post).toHaveBeenCalledTimes(1);
    const [url, headers, body] = post.mock.calls[0] ?? [];
    expect({ url, body }).toEqual({ url: endpoint.url, body: message.body });
    expect(headers).toMatchObject({
      Accept: '*/*',
      'Content-Type': 'application/json',
      'User-Agent': expect.stringContaining('Webhooks'),
      'X-Service-Signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      'webhook-id': 'evt_1',
    });
    expect(decryptSecret).toHaveBeenCalledWith(endpoint.secretCiphertext, {
      endpoint: endpoint.id,
      owner: owner.ownerId,
    });
  });

  it('a delivery is recorded in the request’s audit trail', async () => {
    await deliver(message, parts);
    expect(recorded().audit).toMatchObject({
      type: 'webhook_delivered',
      details: {
        event_id: 'evt_1',
        event_type: 'signature_request.sent',
        endpoint_id: 'we_1',
        http_status: 200,
        duration_ms: 12,
        error: null,
      },
    });
  });

  it('a failed delivery is recorded with its error', async () => {
    post.mockResolvedValue({ status: 503, error: 'unexpected_status', durationMs: 3 });
    await deliver(message, parts);
    expect(recorded().audit).toMatchObject({
      type: 'webhook_failed',
      details: { http_status: 503, error: 'unexpected_status' },
    });
    expect(Object.values(recorded().outcome?.ExpressionAttributeValues ?? {})).toContainEqual({
      S: 'failed',
    });
  });

  it('an outcome is recorded on condition that the attempt has none', async () => {
    await deliver(message, parts);
    expect(recorded().outcome?.ConditionExpression).toContain('attribute_not_exists(#outcome)');
  });
});

describe('an event whose signer was erased while it waited', () => {
  const erased = { ...request.signers[0], erasedAt: NOW.toISOString(), name: 'Erased person' };
  const body = JSON.stringify({
    id: 'evt_1',
    data: { signer_id: erased.id, email: 'signer0@example.com', name: 'Signer 0' },
  });
  /** What is posted of a request that has forgotten so many signers. */
  async function posted(erasures: number) {
    dynamo.on(QueryCommand).resolves({
      Items: [
        marshall({ ...request.state, erasures, pk: 'REQ', sk: 'R#META' }),
        marshall({ ...request.content, pk: 'REQ', sk: 'R#CONTENT' }),
        marshall({ ...erased, pk: 'REQ', sk: 'R#SIGNER#00' }, { removeUndefinedValues: true }),
      ],
    });
    dynamo.on(GetItemCommand, { Key: marshall(metaKey(request.state.id)) }).resolves(stored({ erasures }));
    await deliver({ ...message, body }, parts);
    return post.mock.calls[0]?.[2];
  }

  it('is sent without the signer’s values', async () => {
    expect(JSON.parse((await posted(1)) ?? '')).toMatchObject({ data: { name: 'Erased person' } });
    expect(post.mock.calls[0]?.[2]).not.toContain('signer0@example.com');
    const [claim] = dynamo.commandCalls(PutItemCommand);
    expect(claim?.args[0].input.Item).toMatchObject({ erasures: { N: '1' } });
  });

  it('is sent as it was while the request has forgotten nobody, without reading the request', async () => {
    expect(await posted(0)).toBe(body);
  });
});

describe('no second attempt', () => {
  it('a delivered event is not sent again', async () => {
    dynamo.on(PutItemCommand).rejects(claimed({ outcome: 'delivered' }));
    await deliver(message, parts);
    expect(post).not.toHaveBeenCalled();
    expect(dynamo.commandCalls(TransactWriteItemsCommand)).toEqual([]);
  });

  it('an event is not sent while another worker is sending it', async () => {
    dynamo.on(PutItemCommand).rejects(claimed({}));
    await deliver(message, parts);
    expect(post).not.toHaveBeenCalled();
    expect(dynamo.commandCalls(TransactWriteItemsCommand)).toEqual([]);
  });

  it('a claim that the SDK repeats after a lost answer is still this worker’s', async () => {
    dynamo.on(PutItemCommand).callsFake(async ({ Item }) => {
      throw new ConditionalCheckFailedException({ message: '', $metadata: {}, Item });
    });
    await deliver(message, parts);
    expect(steps).toEqual(['post', 'record']);
  });

  it('of two workers that claim a delivery in the same millisecond, one sends it', async () => {
    dynamo.on(PutItemCommand).callsFake(async ({ Item }) => {
      dynamo
        .on(PutItemCommand)
        .rejects(new ConditionalCheckFailedException({ message: '', $metadata: {}, Item }));
    });
    await Promise.all([deliver(message, parts), deliver(message, parts)]);
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('an interrupted attempt is not repeated, and its outcome is recorded as unknown', async () => {
    dynamo.on(PutItemCommand).rejects(claimed({ attemptedAt: '2026-11-21T11:59:00.000Z' }));
    await deliver(message, parts);
    expect(post).not.toHaveBeenCalled();
    expect(recorded().audit).toMatchObject({
      type: 'webhook_failed',
      details: { http_status: null, error: 'outcome_unknown' },
    });
  });

  it.each<[string, Record<string, unknown> | undefined]>([
    ['deleted', undefined],
    ['paused', { ...endpoint, disabledAt: NOW.toISOString() }],
  ])('nothing is sent to an endpoint that was %s after the event', async (_what, item) => {
    dynamo.on(GetItemCommand).resolves(item ? stored(item) : {});
    await deliver(message, parts);
    expect(steps).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['the secret cannot be decrypted', () => decryptSecret.mockRejectedValueOnce(new Error('KMS'))],
    ['the claim cannot be written', () => dynamo.on(PutItemCommand).rejects(new Error('throttled'))],
  ])('nothing is sent when %s, and the error returns the message to the queue', async (_what, arrange) => {
    arrange();
    await expect(deliver(message, parts)).rejects.toThrow();
    expect(post).not.toHaveBeenCalled();
  });
});

it('a test event is not recorded in any audit trail', async () => {
  await deliver({ ...message, requestId: null }, parts);
  expect(recorded().audit).toBeUndefined();
  expect(recorded().outcome).toBeDefined();
  expect(dynamo.commandCalls(QueryCommand)).toEqual([]);
  // The endpoint alone.
  expect(dynamo.commandCalls(GetItemCommand)).toHaveLength(1);
});

describe('organization webhook', () => {
  const legacy = { ...message, endpointId: organizationWebhookId(owner.ownerId) };

  it('the organization’s old URL is called with its own secret', async () => {
    dynamo
      .on(GetItemCommand, { Key: marshall(ownerKey(owner.ownerId)) })
      .resolves(
        stored(ownerItem({ webhookUrl: 'https://old.example.com/', webhookSecretCiphertext: 'b2xk' })),
      );
    await deliver(legacy, parts);
    expect(post.mock.calls[0]?.[0]).toBe('https://old.example.com/');
    expect(decryptSecret).toHaveBeenCalledWith('b2xk', { owner: owner.ownerId });
  });

  it('the organization’s old URL is not called after its removal', async () => {
    dynamo.on(GetItemCommand).resolves(stored(ownerItem()));
    await deliver(legacy, parts);
    expect(steps).toEqual([]);
  });
});
