import type { Snapshot, SnapshotRequest, TrailEvent } from '../snapshot.ts';
import { countBy, eventsOf, groupBy, type Violation, violation } from './violation.ts';

type Receiver = Snapshot['receivers'][number];
type Delivery = Receiver['deliveries'][number];

/** The webhook events that a history causes, by type and signer. */
function expectedEvents(request: SnapshotRequest): string[] {
  const once = (type: string, ...causes: string[]) =>
    eventsOf(request, ...causes).length > 0 ? [`${type} null`] : [];
  const opened = eventsOf(request, 'link_opened')[0];
  // A request may end before all are invited.
  const isSent = eventsOf(request, 'invitation_sent', 'invitation_failed').length >= request.signers.length;
  return [
    ...once('signature_request.created', 'request_created'),
    ...(isSent ? ['signature_request.sent null'] : []),
    ...(opened ? [`signature_request.opened ${opened.signerId}`] : []),
    ...eventsOf(request, 'signer_signed').map(({ signerId }) => `signer.signed ${signerId}`),
    ...once('signature_request.completed', 'document_sealed'),
    ...once('signature_request.signed', 'document_sealed'),
    ...eventsOf(request, 'signer_declined').map(({ signerId }) => `signature_request.declined ${signerId}`),
    ...once('signature_request.cancelled', 'request_cancelled'),
    ...once('signature_request.expired', 'request_expired'),
  ];
}

const nameOf = ({ type, data }: Delivery) => `${type} ${data.signer_id ?? null}`;
const typeOf = (name: string) => name.split(' ')[0] ?? '';

const logsOf = (request: SnapshotRequest, endpointId: string): TrailEvent[] =>
  eventsOf(request, 'webhook_delivered', 'webhook_failed').filter(
    ({ details }) => details.endpoint_id === endpointId,
  );

/** Each signature leaves one signer less, also where several sign at once. */
function checkRemaining(request: SnapshotRequest, deliveries: Delivery[]): Violation[] {
  const order = eventsOf(request, 'signer_signed').map(({ signerId }) => signerId);
  return deliveries
    .filter(({ type }) => type === 'signer.signed')
    .flatMap(({ data }) => {
      const left = request.signers.length - 1 - order.indexOf(String(data.signer_id));
      if (data.remaining_pending_signers === left) return [];
      const saw = `${data.remaining_pending_signers} told after the signature of ${data.signer_id}, not ${left}`;
      return [violation('wrong count', request, saw)];
    });
}

function checkDeliveries(request: SnapshotRequest, deliveries: Delivery[]): Violation[] {
  const expected = new Set(expectedEvents(request));
  const names = countBy(deliveries, nameOf);
  return [...names].flatMap(([name, count]) => [
    ...(count > 1 ? [violation('doubled event', request, `${name}, ${count} times`)] : []),
    ...(expected.has(name) ? [] : [violation('uncaused event', request, name)]),
  ]);
}

/** The trail logs one attempt for each event and endpoint: a log without a delivery, or the reverse, is a lie. */
function checkLogs(request: SnapshotRequest, { endpointId }: Receiver, deliveries: Delivery[]): Violation[] {
  const logs = logsOf(request, endpointId);
  const attempts = countBy(logs, ({ details }) => String(details.event_type));
  const expected = countBy(expectedEvents(request), typeOf);
  const arrived = new Set(deliveries.map(({ eventId }) => eventId));
  const logged = new Set(logs.map(({ details }) => details.event_id));
  return [
    ...[...expected].flatMap(([type, count]) => {
      const seen = attempts.get(type) ?? 0;
      if (seen === count) return [];
      const rule = seen < count ? 'missing event' : 'doubled attempt';
      return [violation(rule, request, `${type}: ${seen} of ${count} attempts to ${endpointId}`)];
    }),
    ...logs
      .filter(({ type, details }) => type === 'webhook_delivered' && !arrived.has(String(details.event_id)))
      .map(({ details }) => violation('missing event', request, `${details.event_type} was logged alone`)),
    ...deliveries
      .filter(({ eventId }) => !logged.has(eventId))
      .map(({ type }) => violation('unlogged event', request, type)),
  ];
}

/** Every event arrives if nothing died. */
function checkCalm(request: SnapshotRequest, { endpointId, isSteady }: Receiver, calm: boolean): Violation[] {
  if (!calm || !isSteady) return [];
  return logsOf(request, endpointId)
    .filter(({ type }) => type === 'webhook_failed')
    .map(({ details }) => violation('missing event', request, `${details.event_type}: ${details.error}`));
}

function checkSame(request: SnapshotRequest, deliveries: Delivery[]): Violation[] {
  const ids = [...groupBy(deliveries, nameOf)].map(
    ([name, same]) => [name, new Set(same.map(({ eventId }) => eventId)).size] as const,
  );
  return ids.flatMap(([name, count]) =>
    count > 1 ? [violation('doubled event', request, `${name}, under ${count} ids`)] : [],
  );
}

/** Every event at most once at each receiver, the same one at all, and its attempt in the trail. */
export function checkEvents({ requests, receivers, interruptions }: Snapshot): Violation[] {
  const byRequest = receivers.map(({ deliveries }) => groupBy(deliveries, ({ requestId }) => requestId));
  const all = groupBy(
    receivers.flatMap(({ deliveries }) => deliveries),
    ({ requestId }) => requestId,
  );
  const known = new Set(requests.map(({ id }) => id));
  return [
    ...requests.flatMap((request) => checkSame(request, all.get(request.id) ?? [])),
    ...requests.flatMap((request) =>
      receivers.flatMap((receiver, place) => {
        const deliveries = byRequest[place]?.get(request.id) ?? [];
        return [
          ...checkDeliveries(request, deliveries),
          ...checkRemaining(request, deliveries),
          ...checkLogs(request, receiver, deliveries),
          ...checkCalm(request, receiver, interruptions === 0),
        ];
      }),
    ),
    ...[...all.keys()]
      .filter((id) => !known.has(id))
      .map((id) => violation('uncaused event', { id }, 'of a request that does not exist')),
  ];
}
