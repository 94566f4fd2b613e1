/** @behaviour api-gateway.proxy-event */

import { auditEvent, signatureRequest } from '../../../shared/contract/resources.ts';
import { listEvents } from '../../../shared/contract/signatures.ts';
import { auditKey, metaKey } from '../../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { tableOf } from '../../support/aws.ts';
import { SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

let stage: SigningStage;
let id: string;
const path = (more = '') => `/api/v1/signatures/${id}${more}`;
const EVENTS = 7_000;
const IN_A_TRANSACTION = 100;

/** Repeats the request's last event, which is about no signer, until its trail is this long. */
async function lengthenTrail(): Promise<void> {
  const table = tableOf(stage.service);
  const { events = [] } = (await loadRequestWithTrail(table, id)) ?? {};
  const last = events.at(-1);
  if (!last) throw new Error('The trail is empty.');
  const copies = Array.from({ length: EVENTS - events.length }, (_, n) => ({
    put: { ...auditKey(id, last.sequence + n + 1), ...last, sequence: last.sequence + n + 1 },
  }));
  for (let at = 0; at < copies.length; at += IN_A_TRANSACTION)
    await table.transact(copies.slice(at, at + IN_A_TRANSACTION));
  // A request whose state does not know its last event is read twice.
  await table.update(metaKey(id), { auditSequence: EVENTS });
}

beforeAll(async () => {
  stage = await SigningStage.open();
  ({ id } = await stage.send(2));
  await until(async () => (await stage.trail(id, 'invitation_sent')).length === 2, 'the invitations');
  // The trail's last events: that both webhooks, created and sent, were delivered.
  await until(async () => (await stage.trail(id, 'webhook_delivered')).length === 2, 'the last event');
}, 120_000);
afterAll(() => stage?.close());

it('the events are paged oldest first, and are those of the request', async () => {
  const { body: whole } = await stage.client.get(path());
  const seen: { sequence: number }[] = [];
  let cursor: string | null = null;
  do {
    const {
      status,
      body,
    }: { status: number; body: { data: []; has_more: boolean; next_cursor: string | null } } =
      await stage.client.get(path(`/events?limit=2${cursor ? `&cursor=${cursor}` : ''}`));
    expect(status).toBe(200);
    expect(listEvents.answer.parse(body)).toEqual(body);
    expect(body.has_more).toBe(body.next_cursor !== null);
    seen.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor);
  expect(seen).toEqual(whole.audit_trail.events);
  expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, n) => n + 1));
});

it('a cursor of another request’s events is refused', async () => {
  const other = await stage.send();
  const { body } = await stage.client.get(path('/events?limit=1'));
  const refused = await stage.client.get(
    `/api/v1/signatures/${other.id}/events?limit=1&cursor=${body.next_cursor}`,
  );
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_cursor']);
});

describe('a long trail', () => {
  let signers: { data: { audit_trail: { events: unknown[] } }[] };
  beforeAll(async () => {
    expect((await stage.client.get(path())).headers.get('audit-trail-truncated')).toBeNull();
    ({ body: signers } = await stage.client.get(path('/signers')));
    await lengthenTrail();
  }, 120_000);

  it('a request in an answer holds its newest thousand events, and the answer says that there are more', async () => {
    const { status, headers, body } = await stage.client.get(path());
    expect([status, headers.get('audit-trail-truncated')]).toEqual([200, 'true']);
    expect(signatureRequest.parse(body)).toEqual(body);
    const { events } = body.audit_trail;
    expect([events.length, events[0].sequence, events.at(-1).sequence]).toEqual([
      1_000,
      EVENTS - 999,
      EVENTS,
    ]);
    const { body: page } = await stage.client.get(path('/events?limit=100'));
    expect(page.data).toHaveLength(100);
    expect(auditEvent.parse(page.data[0]).sequence).toBe(1);
  });

  it('the list of signers holds the events about each, however many others follow', async () => {
    expect(signers.data.map(({ audit_trail: trail }) => trail.events.length)).toEqual([1, 1]);
    const { status, headers, body } = await stage.client.get(path('/signers'));
    expect([status, headers.get('audit-trail-truncated')]).toEqual([200, null]);
    expect(body).toEqual(signers);
  });
});
