import { after, DAY } from '../../../shared/runtime/time.ts';
import type { Snapshot, SnapshotRequest } from '../snapshot.ts';
import { endingsOf, eventsOf, type Violation, violation } from './violation.ts';

const RETENTION = 7 * DAY;
/** Acts of signers that need the time to sign to last. */
const WHILE_OPEN = ['link_opened', 'signer_signed', 'signer_declined'];

function checkExpiry(request: SnapshotRequest): Violation[] {
  const { expiresAt } = request.state;
  return [
    ...eventsOf(request, 'request_expired')
      .filter(({ at }) => at < expiresAt)
      .map(({ at }) => violation('early end', request, `expired at ${at}, not at ${expiresAt}`)),
    ...eventsOf(request, ...WHILE_OPEN)
      .filter(({ at }) => at >= expiresAt)
      .map(({ type, at }) => violation('late act', request, `${type} at ${at}; the time was ${expiresAt}`)),
  ];
}

/** Files stay for the retention, unless the client asks for their deletion. */
function checkPurge(request: SnapshotRequest): Violation[] {
  const { purgeAt } = request.state;
  const [end] = endingsOf(request);
  const [asked] = eventsOf(request, 'document_deletion_requested');
  const due = asked?.at ?? (end ? after(end.at, RETENTION) : null);
  return [
    ...eventsOf(request, 'document_purged')
      .filter(({ at }) => due === null || at < due)
      .map(({ at }) => violation('early purge', request, `at ${at}, not at ${due}`)),
    ...(purgeAt === due ? [] : [violation('wrong retention', request, `until ${purgeAt}, not ${due}`)]),
  ];
}

/** Signers act while there is time, requests expire when it is over, and files stay for as long as was promised. */
export const checkTimes = ({ requests }: Snapshot): Violation[] =>
  requests.flatMap((request) => [...checkExpiry(request), ...checkPurge(request)]);
