import { readFileSync } from 'node:fs';
import { present } from '../../../shared/runtime/present.ts';
import { check } from '../../proof/checker.ts';
import { type Snapshot, type SnapshotRequest, snapshot } from '../../proof/snapshot.ts';

/** A snapshot of a real run (`node test/proof/sample.ts`), in which violations are planted. */
const sample = readFileSync(new URL('../../fixtures/proof-snapshot.json', import.meta.url), 'utf8');
const seen = (): Snapshot => snapshot.parse(JSON.parse(sample));

const requestOf = ({ requests }: Snapshot, status: string): SnapshotRequest =>
  present(
    requests.find(({ state }) => state.status === status),
    status,
  );
const eventOf = ({ events }: SnapshotRequest, type: string) =>
  present(
    events.find((event) => event.type === type),
    type,
  );
const receiverOf = ({ receivers: [receiver] }: Snapshot) => present(receiver, 'receiver');
const mailIndex = ({ mails }: Snapshot, subject: string) =>
  mails.findIndex((mail) => mail.subject.startsWith(subject));
const fileOf = ({ objects }: Snapshot, { id }: SnapshotRequest, name: string) =>
  present(
    objects.find(({ key }) => key === `requests/${id}/${name}`),
    name,
  );

type Plant = (snapshot: Snapshot, signed: SnapshotRequest) => void;

const PLANTED: [what: string, rule: string, plant: Plant][] = [
  [
    'an answered create that does not exist',
    'lost create',
    ({ creates }) => creates.push({ title: 'Gone', id: 'gone', ending: null }),
  ],
  [
    'a create that exists twice',
    'doubled create',
    ({ requests }, signed) => requests.push({ ...signed, id: 'copy' }),
  ],
  [
    'a request that nobody created',
    'uninvited request',
    (all, signed) => {
      all.creates = all.creates.filter(({ title }) => title !== signed.state.title);
    },
  ],
  [
    'a request that ended otherwise though nothing failed',
    'wrong end',
    ({ creates }) => {
      for (const create of creates) create.ending = 'signed';
    },
  ],
  [
    'an answered signature that the trail lacks',
    'lost act',
    ({ acts }) => {
      present(acts[0], 'act').at = '2020-01-01T00:00:00.000Z';
    },
  ],
  [
    'a signer who signed twice',
    'doubled act',
    (_, signed) => signed.events.push(eventOf(signed, 'signer_signed')),
  ],
  [
    'a signer who was invited twice',
    'doubled act',
    (_, signed) => signed.events.push({ ...eventOf(signed, 'invitation_sent'), type: 'invitation_failed' }),
  ],
  [
    'a signer who signed and declined',
    'doubled act',
    (all) => {
      const declined = requestOf(all, 'declined');
      const { signerId } = eventOf(declined, 'signer_declined');
      eventOf(declined, 'signer_signed').signerId = signerId;
    },
  ],
  [
    'a signature that nobody asked for',
    'unasked act',
    (all) => {
      all.acts = all.acts.filter(({ kind }) => kind !== 'sign');
    },
  ],
  [
    'a request that expired before its time',
    'early end',
    (all) => {
      requestOf(all, 'expired').state.expiresAt = all.at;
    },
  ],
  [
    'a signature after the time to sign',
    'late act',
    (_, signed) => {
      signed.state.expiresAt = eventOf(signed, 'signer_signed').at;
    },
  ],
  [
    'files that were deleted too early',
    'early purge',
    (all, signed) =>
      signed.events.push({ ...eventOf(signed, 'document_sealed'), type: 'document_purged', at: all.at }),
  ],
  [
    'files that nobody would ever delete',
    'wrong retention',
    (_, { state }) => {
      state.purgeAt = null;
    },
  ],
  [
    'a state that the history does not justify',
    'unjustified state',
    (_, { state }) => {
      state.status = 'cancelled';
    },
  ],
  [
    'an API that answers another state than is stored',
    'wrong answer',
    (_, { answer }) => {
      answer.status = 'opened';
    },
  ],
  [
    'a seal that never came',
    'stuck',
    (_, signed) => {
      signed.state.status = 'awaiting_stamp';
    },
  ],
  [
    'a signature after a cancellation',
    'act after the end',
    (all, signed) =>
      requestOf(all, 'cancelled').events.push({ ...eventOf(signed, 'signer_signed'), sequence: 1_000 }),
  ],
  [
    'a seal before all had signed',
    'early seal',
    (_, signed) => {
      signed.events = signed.events.filter((event) => event !== eventOf(signed, 'signer_signed'));
    },
  ],
  [
    'an event that was changed',
    'broken chain',
    (_, signed) => {
      eventOf(signed, 'signer_signed').at = '2020-01-01T00:00:00.000Z';
    },
  ],
  [
    'an event that was cut off',
    'broken chain',
    (_, signed) => {
      signed.events.pop();
    },
  ],
  [
    'a trail that the audit refuses',
    'audit differs',
    (_, { audit }) => {
      audit.intact = false;
    },
  ],
  [
    'an evidence file that is missing',
    'missing file',
    (all, signed) => {
      all.objects = all.objects.filter((file) => file !== fileOf(all, signed, 'evidence.pdf'));
    },
  ],
  [
    'a sealed file of a request that was declined',
    'stray file',
    (all, signed) => {
      const { id } = requestOf(all, 'declined');
      all.objects.push({ ...fileOf(all, signed, 'sealed.pdf'), key: `requests/${id}/sealed.pdf` });
    },
  ],
  [
    'a file of no request',
    'stray file',
    ({ objects }) => objects.push({ key: 'requests/nobody/original.pdf', versions: 1, sha256: '', seals: 0 }),
  ],
  [
    'a sealed file that was written twice',
    'doubled file',
    (all, signed) => {
      fileOf(all, signed, 'sealed.pdf').versions = 2;
    },
  ],
  [
    'a file that was sealed twice',
    'doubled seal',
    (all, signed) => {
      fileOf(all, signed, 'sealed.pdf').seals = 2;
    },
  ],
  [
    'a sealed file with other bytes than were recorded',
    'hashes differ',
    (all, signed) => {
      fileOf(all, signed, 'sealed.pdf').sha256 = '0'.repeat(64);
    },
  ],
  [
    'a signature of another document',
    'hashes differ',
    (_, signed) => {
      eventOf(signed, 'signer_signed').details.document_sha256 = '0'.repeat(64);
    },
  ],
  [
    'a webhook that states another hash',
    'hashes differ',
    (all) => {
      const completed = receiverOf(all).deliveries.find(({ type }) => type === 'signature_request.completed');
      present(completed, 'delivery').data.document_hash = '0'.repeat(64);
    },
  ],
  [
    'an event that arrived twice',
    'doubled event',
    (all) => receiverOf(all).deliveries.push(present(receiverOf(all).deliveries[0], 'delivery')),
  ],
  [
    'an event that never arrived',
    'missing event',
    (all) => {
      receiverOf(all).deliveries.pop();
    },
  ],
  [
    'an event whose delivery the trail does not tell',
    'unlogged event',
    (all) => {
      present(receiverOf(all).deliveries[0], 'delivery').eventId = 'evt_other';
    },
  ],
  [
    'two signers who were both the first',
    'wrong count',
    (all) => {
      const signed = receiverOf(all).deliveries.filter(({ type }) => type === 'signer.signed');
      for (const { data } of signed) data.remaining_pending_signers = 1;
    },
  ],
  [
    'an event that nothing caused',
    'uncaused event',
    (all, { id }) =>
      receiverOf(all).deliveries.push({
        eventId: 'evt_1',
        type: 'signature_request.expired',
        requestId: id,
        data: {},
      }),
  ],
  [
    'an event of a request that does not exist',
    'uncaused event',
    (all) => {
      const { deliveries } = receiverOf(all);
      deliveries.push({ ...present(deliveries[0], 'delivery'), requestId: 'nobody' });
    },
  ],
  [
    'an event that each receiver got under another id',
    'doubled event',
    (all) => {
      const { deliveries } = receiverOf(all);
      const others = deliveries.map((delivery) => ({ ...delivery, eventId: `${delivery.eventId}-2` }));
      all.receivers.push({ endpointId: 'we_2', isSteady: false, deliveries: others });
      for (const { events } of all.requests)
        events.push(
          ...events
            .filter(({ type }) => type === 'webhook_delivered')
            .map((event) => ({
              ...event,
              details: { ...event.details, endpoint_id: 'we_2', event_id: `${event.details.event_id}-2` },
            })),
        );
    },
  ],
  [
    'a notice that was not mailed',
    'missing mail',
    (all) => {
      all.mails.splice(mailIndex(all, 'Declined:'), 1);
    },
  ],
  [
    'a notice that was mailed twice',
    'repeated mail',
    (all) => all.mails.push(present(all.mails[mailIndex(all, 'Completed:')], 'mail')),
  ],
  [
    'a reminder to somebody who has signed',
    'needless mail',
    (all, signed) =>
      signed.events.push({ ...eventOf(signed, 'signer_signed'), type: 'reminder_sent', at: all.at }),
  ],
  [
    'a mail to a stranger',
    'uninvited mail',
    ({ mails }) => mails.push({ to: 'stranger@example.com', subject: 'Hello' }),
  ],
  [
    'a message that nobody reads',
    'waiting message',
    ({ queues }) => {
      present(queues[0], 'queue').waiting = 1;
    },
  ],
  [
    'a dead letter',
    'dead letter',
    ({ queues }) => {
      present(queues[0], 'queue').deadLetters = 1;
    },
  ],
  [
    'an item that is left in the outbox',
    'unfinished work',
    ({ due }) => due.push({ kind: 'OUTBOX', what: 'OUTBOX#1' }),
  ],
];

describe('the checker of the proof', () => {
  it('finds nothing in a run without faults', () => {
    expect(check(seen())).toEqual([]);
  });

  it.each(PLANTED)('names %s: %s', (_, rule, plant) => {
    const planted = seen();
    plant(planted, requestOf(planted, 'signed'));
    expect(check(planted).map((violation) => violation.rule)).toContain(rule);
  });

  it('after a crash a mail may come once more, and not twice', () => {
    const crashed = seen();
    crashed.interruptions = 1;
    const again = present(crashed.mails[mailIndex(crashed, 'Completed:')], 'mail');
    crashed.mails.push(again);
    expect(check(crashed)).toEqual([]);
    crashed.mails.push(again);
    expect(check(crashed)).toMatchObject([{ rule: 'repeated mail' }]);
  });

  it('nobody has to be mailed a document whose retention was over before the sender was told', () => {
    const late = seen();
    const signed = requestOf(late, 'signed');
    signed.events = signed.events.filter(({ type }) => type !== 'sealed_notice_sent');
    const rules = () => check(late).map(({ rule }) => rule);
    expect(rules()).toContain('missing mail');
    for (const event of signed.events)
      if (event.details.notice === 'completed') event.at = signed.state.purgeAt ?? '';
    expect(rules()).not.toContain('missing mail');
  });

  it('an event may be missing where the trail says that its outcome is unknown', () => {
    const crashed = seen();
    crashed.interruptions = 1;
    const { deliveries } = receiverOf(crashed);
    const lost = present(deliveries.pop(), 'delivery');
    const log = crashed.requests
      .flatMap(({ events }) => events)
      .find(({ details }) => details.event_id === lost.eventId);
    present(log, 'log').type = 'webhook_failed';
    // The log was changed, which the chain shows.
    expect(check(crashed)).toMatchObject([{ rule: 'broken chain' }]);
  });
});
