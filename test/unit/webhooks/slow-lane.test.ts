import { jest } from '@jest/globals';
import { countTimeout } from '../../../shared/store/hanging.ts';
import { endpointKey, ownerKey } from '../../../shared/store/keys.ts';
import { removeEndpoint } from '../../../shared/store/webhook-endpoints.ts';
import { AttemptRecorder } from '../../../shared/webhooks/attempts.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import { updateEndpoint } from '../../../shared/webhooks/endpoints.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/messages.ts';
import { organizationWebhookId } from '../../../shared/webhooks/organization-webhook.ts';
import type { Post, PostResult } from '../../../shared/webhooks/post.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { webhookEndpoint } from '../../support/webhook-endpoint.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const ENDPOINT = webhookEndpoint(OWNER, NOW);
const KEY = endpointKey(OWNER.ownerId, OWNER.mode, ENDPOINT.id);

const TIMED_OUT: PostResult = { status: null, error: 'timed_out', durationMs: 5_000 };
const REFUSED: PostResult = { status: 503, error: 'unexpected_status', durationMs: 3 };
const DELIVERED: PostResult = { status: 200, error: null, durationMs: 3 };

const memory = new MemoryDynamo();
const post = jest.fn<Post>();
const sendSlow = jest.fn<Parameters<typeof deliver>[1]['sendSlow']>();
const parts = {
  table: memory.table,
  decryptSecret: async () => `whsec_${'A'.repeat(43)}=`,
  post,
  sendSlow,
  record: new AttemptRecorder(memory.table, () => NOW),
  now: () => NOW,
};

let events = 0;
const newMessage = (changes: Partial<DeliveryMessage> = {}): DeliveryMessage => {
  events += 1;
  const eventId = `evt_${events}`;
  const body = JSON.stringify({ id: eventId });
  return {
    eventId,
    eventType: 'webhook_endpoint.test',
    requestId: null,
    ...OWNER,
    endpointId: ENDPOINT.id,
    body,
    ...changes,
  };
};

/** One delivery after the other, each with this result. */
async function attempts(results: PostResult[], changes: Partial<DeliveryMessage> = {}): Promise<void> {
  for (const result of results) {
    post.mockResolvedValueOnce(result);
    await deliver(newMessage(changes), parts);
  }
}

beforeEach(() => {
  memory.clear();
  memory.set({ ...KEY, ...ENDPOINT });
  post.mockReset();
  sendSlow.mockReset();
});

it('after three time-outs in a row an endpoint’s deliveries move to the slow queue, unclaimed and uncalled', async () => {
  await attempts([TIMED_OUT, TIMED_OUT, TIMED_OUT]);
  expect(sendSlow).not.toHaveBeenCalled();
  const message = newMessage();
  await deliver(message, parts);
  expect(sendSlow.mock.calls).toEqual([[{ ...message, slow: true }]]);
  expect(post).toHaveBeenCalledTimes(3);
  expect(memory.items.filter(({ eventId }) => eventId === message.eventId)).toEqual([]);
});

it('a time-out whose write the SDK repeats counts once', async () => {
  memory.losesAnswers = true;
  await attempts([TIMED_OUT, TIMED_OUT, TIMED_OUT]);
  expect(sendSlow).not.toHaveBeenCalled();
});

it('a delivery that could not be moved returns to its queue', async () => {
  memory.set({ ...KEY, ...ENDPOINT, timeouts: 3 });
  sendSlow.mockRejectedValue(new Error('SQS'));
  await expect(deliver(newMessage(), parts)).rejects.toThrow('SQS');
});

it('deliveries that were moved are made from the slow queue, until one succeeds', async () => {
  memory.set({ ...KEY, ...ENDPOINT, timeouts: 3 });
  await attempts([TIMED_OUT, REFUSED], { slow: true });
  await deliver(newMessage(), parts);
  expect(sendSlow).toHaveBeenCalledTimes(1);
  await attempts([DELIVERED], { slow: true });
  await attempts([DELIVERED]);
  expect(sendSlow).toHaveBeenCalledTimes(1);
  expect(memory.item(KEY)?.timeouts).toBeUndefined();
});

it('a delivery that was moved before the endpoint recovered is made from the slow queue', async () => {
  await attempts([DELIVERED], { slow: true });
  expect(post).toHaveBeenCalledTimes(1);
  expect(sendSlow).not.toHaveBeenCalled();
});

it('a success ends the row of time-outs', async () => {
  await attempts([TIMED_OUT, TIMED_OUT, DELIVERED, TIMED_OUT, TIMED_OUT, DELIVERED]);
  expect(sendSlow).not.toHaveBeenCalled();
});

it('failures that take no time neither count nor end the row', async () => {
  await attempts([REFUSED, REFUSED, REFUSED, TIMED_OUT, REFUSED, TIMED_OUT]);
  expect(memory.item(KEY)?.timeouts).toBe(2);
});

it('time-outs that end at once are all counted, up to three', async () => {
  post.mockResolvedValue(TIMED_OUT);
  await Promise.all([1, 2].map(() => deliver(newMessage(), parts)));
  expect(memory.item(KEY)?.timeouts).toBe(2);
  await Promise.all([1, 2, 3, 4].map(() => deliver(newMessage(), parts)));
  expect(memory.item(KEY)?.timeouts).toBe(3);
});

it.each([
  [undefined, 1, 2],
  [1, 2, 3],
])(
  'a time-out that is counted while another one is starts over with what that one left: %j',
  async (before, meanwhile, after) => {
    memory.set({ ...KEY, ...ENDPOINT, timeouts: before });
    // The claim and the outcome are written first.
    memory.beforeWrites.push(
      () => undefined,
      () => undefined,
      () => memory.set({ ...KEY, ...ENDPOINT, timeouts: meanwhile }),
    );
    await attempts([TIMED_OUT]);
    expect(memory.item(KEY)?.timeouts).toBe(after);
  },
);

it('an endpoint begins to hang once, with its third time-out', async () => {
  const begins: boolean[] = [];
  for (let n = 1; n <= 4; n += 1) begins.push(await countTimeout(memory.table, KEY, { url: ENDPOINT.url }));
  expect(begins).toEqual([false, false, true, false]);
});

it('a healthy endpoint costs no write', async () => {
  const before = JSON.stringify(memory.item(KEY));
  await attempts([DELIVERED]);
  expect(JSON.stringify(memory.item(KEY))).toBe(before);
});

it('an endpoint that was deleted during the call stays deleted', async () => {
  post.mockImplementationOnce(async () => {
    await removeEndpoint(memory.table, ENDPOINT);
    return TIMED_OUT;
  });
  await deliver(newMessage(), parts);
  expect(memory.item(KEY)).toBeUndefined();
});

it.each([
  ['counted', undefined, TIMED_OUT],
  ['forgotten', 2, DELIVERED],
])('an endpoint that is deleted while its time-outs are %s stays deleted', async (_, timeouts, result) => {
  memory.set({ ...KEY, ...ENDPOINT, timeouts });
  // The claim and the outcome are written first.
  memory.beforeWrites.push(
    () => undefined,
    () => undefined,
    () => removeEndpoint(memory.table, ENDPOINT),
  );
  await attempts([result]);
  expect(memory.item(KEY)).toBeUndefined();
});

describe('a new URL', () => {
  const change = (patch: { url?: string; description?: string }) =>
    updateEndpoint(ENDPOINT.id, patch, {
      table: memory.table,
      owner: OWNER,
      now: NOW,
    });
  const move = () => change({ url: 'https://other.example.com/' });

  it('a new URL starts in the usual queue', async () => {
    memory.set({ ...KEY, ...ENDPOINT, timeouts: 3 });
    await change({ description: 'Mended' });
    await deliver(newMessage(), parts);
    expect(sendSlow).toHaveBeenCalledTimes(1);
    await move();
    await attempts([TIMED_OUT]);
    expect(sendSlow).toHaveBeenCalledTimes(1);
    expect(memory.item(KEY)?.timeouts).toBe(1);
  });

  it('a call that times out after the URL was changed does not count for the new one', async () => {
    post.mockImplementationOnce(async () => {
      await move();
      return TIMED_OUT;
    });
    await deliver(newMessage(), parts);
    expect(memory.item(KEY)?.timeouts).toBe(0);
  });

  it('a time-out that is counted while the URL is changed does not count for the new one', async () => {
    // The claim and the outcome are written first.
    memory.beforeWrites.push(
      () => undefined,
      () => undefined,
      move,
    );
    await attempts([TIMED_OUT]);
    expect(memory.item(KEY)?.timeouts).toBe(0);
  });
});

it('the organization’s old URL has a row of its own', async () => {
  const owner = ownerItem({ webhookUrl: 'https://old.example.com/', webhookSecretCiphertext: 'b2xk' });
  const key = ownerKey(owner.id);
  memory.set({ ...key, ...owner });
  const message = { ownerId: owner.id, endpointId: organizationWebhookId(owner.id) };
  await attempts([TIMED_OUT, TIMED_OUT, TIMED_OUT], message);
  await deliver(newMessage(message), parts);
  expect(sendSlow).toHaveBeenCalledTimes(1);
  await attempts([DELIVERED], { ...message, slow: true });
  expect(memory.item(key)?.timeouts).toBeUndefined();
});
