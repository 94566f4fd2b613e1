import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { dispatch } from '../../../shared/store/dispatch.ts';
import type { OutboxItem } from '../../../shared/store/outbox.ts';
import { captureLog } from '../../support/captured-log.ts';
import { NOON } from '../../support/requests.ts';
import { SentMessages } from '../../support/sent-messages.ts';

let sent: SentMessages;
let lines: Record<string, unknown>[];
beforeEach(() => {
  sent = new SentMessages();
  lines = captureLog();
});
afterEach(() => jest.restoreAllMocks());

const work = (ownerId = 'owner') => ({
  requestId: 'request',
  ownerId,
  mode: 'live' as const,
  createdAt: NOON.toISOString(),
  sends: 0,
  notBefore: null,
});
const seal = (n: number, ownerId?: string): OutboxItem => ({
  ...work(ownerId),
  id: `seal-${n}`,
  kind: 'seal',
});
const mail = (n: number): OutboxItem => ({
  ...work(),
  id: `mail-${n}`,
  kind: 'mail',
  task: 'invitations',
});

const event: OutboxItem = {
  ...work(),
  id: 'event-1',
  kind: 'event',
  eventId: 'evt_1',
  eventType: 'signature_request.sent',
  body: '{}',
};

describe('dispatch', () => {
  it('each item goes to the queue of its kind, in its owner’s group', async () => {
    const queues = { event: 'events', seal: 'seals', mail: 'mails' };
    await dispatch(sent.sqs, queues, [seal(1, 'a'), mail(2), seal(3, 'b'), event]);
    expect(sent.all).toEqual([
      { queue: 'events', group: 'owner', body: { outbox_id: 'event-1', owner_id: 'owner', mode: 'live' } },
      { queue: 'seals', group: 'a', body: { outbox_id: 'seal-1' } },
      { queue: 'seals', group: 'b', body: { outbox_id: 'seal-3' } },
      { queue: 'mails', group: 'owner', body: { outbox_id: 'mail-2' } },
    ]);
    expect(lines).toEqual([]);
  });

  it('items without a queue are left to the sweep', async () => {
    await dispatch(sent.sqs, { mail: 'mails' }, [seal(1)]);
    expect(sent.batches).toEqual([]);
  });

  it('messages go in batches of ten', async () => {
    await dispatch(
      sent.sqs,
      { seal: 'seals' },
      Array.from({ length: 21 }, (_, n) => seal(n)),
    );
    expect(sent.batches.map(({ length }) => length)).toEqual([10, 10, 1]);
    expect(new Set(sent.all.map(({ body }) => (body as { outbox_id: string }).outbox_id)).size).toBe(21);
  });

  it('a queue that is down is logged, and stops neither its next batch nor other queues', async () => {
    sent.mock.on(SendMessageBatchCommand).rejectsOnce(new Error('SQS is down')).resolves({});
    const left = await dispatch(sent.sqs, { seal: 'seals', mail: 'mails' }, [
      ...Array.from({ length: 11 }, (_, n) => seal(n)),
      mail(1),
    ]);
    expect(left).toBe(10);
    expect(sent.mock.calls()).toHaveLength(3);
    expect(lines).toMatchObject([{ level: 'warn', error_message: 'SQS is down' }]);
  });

  it('messages that a queue rejects are logged', async () => {
    sent.mock
      .on(SendMessageBatchCommand)
      .resolves({ Failed: [{ Id: 'seal-1', Code: 'InternalError', SenderFault: false }] });
    expect(await dispatch(sent.sqs, { seal: 'seals' }, [seal(1), seal(2)])).toBe(1);
    expect(lines).toMatchObject([{ level: 'warn', failed: 1 }]);
  });
});
