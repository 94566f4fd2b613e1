import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import type { Snapshot, SnapshotRequest, TrailEvent } from '../snapshot.ts';
import { countBy, ENDINGS, endingsOf, eventsOf, groupBy, type Violation, violation } from './violation.ts';

/** Nothing of these happens to a request that has ended. */
const ONLY_BEFORE_THE_END = [
  'link_opened',
  'signer_corrected',
  'signer_signed',
  'seal_queued',
  'seal_failed',
  'code_rotated',
  ...Object.keys(ENDINGS),
];
/** Each person who is a signer does at most one of these once, and gets the outcome of one invitation. */
const ONCE_A_SIGNER: Readonly<Record<string, string>> = {
  link_opened: 'opening',
  signer_signed: 'decision',
  signer_declined: 'decision',
  invitation_sent: 'invitation',
  invitation_failed: 'invitation',
};
const ONCE_A_REQUEST = ['request_created', 'document_deletion_requested', 'document_purged'];
/** The event that each call leaves in the trail. */
const EVENT_OF_ACT: Readonly<Record<string, string>> = {
  sign: 'signer_signed',
  decline: 'signer_declined',
  cancel: 'request_cancelled',
};

/** The status that the history justifies. */
function statusByHistory(request: SnapshotRequest): string {
  const ending = endingsOf(request)[0];
  if (ending) return ENDINGS[ending.type] ?? '';
  const seal = eventsOf(request, 'seal_queued', 'seal_failed').at(-1);
  if (seal) return seal.type === 'seal_failed' ? 'stamp_failed' : 'awaiting_stamp';
  if (eventsOf(request, 'link_opened').length > 0) return 'opened';
  return eventsOf(request, 'invitation_sent', 'invitation_resent').length > 0 ? 'sent' : 'pending';
}

function checkState(request: SnapshotRequest): Violation[] {
  const { state, answer } = request;
  const justified = statusByHistory(request);
  return [
    ...(state.status === justified
      ? []
      : [violation('unjustified state', request, `${state.status}; its history says ${justified}`)]),
    ...(answer.status === state.status
      ? []
      : [violation('wrong answer', request, `answered as ${answer.status}, stored as ${state.status}`)]),
  ];
}

/** True once nothing can happen to a request any more but its purge. */
const hasEnded = ({ state }: SnapshotRequest): boolean => Object.values(ENDINGS).includes(state.status);

const checkProgress = (request: SnapshotRequest): Violation[] =>
  hasEnded(request) ? [] : [violation('stuck', request, `still ${request.state.status}`)];

function checkOrder(request: SnapshotRequest): Violation[] {
  const endings = endingsOf(request);
  const end = endings[0]?.sequence ?? Number.POSITIVE_INFINITY;
  const late = request.events.filter(
    ({ type, sequence }) => sequence > end && ONLY_BEFORE_THE_END.includes(type),
  );
  const signed = eventsOf(request, 'signer_signed');
  const queued = eventsOf(request, 'seal_queued')[0];
  const sealed = eventsOf(request, 'document_sealed')[0];
  const isComplete = signed.length === request.signers.length;
  const isEarly =
    (queued && (!isComplete || signed.some(({ sequence }) => sequence > queued.sequence))) ||
    (sealed && !(queued && queued.sequence < sealed.sequence));
  return [
    ...late.map(({ type }) => violation('act after the end', request, `${type} after ${endings[0]?.type}`)),
    ...(isEarly ? [violation('early seal', request, 'sealed before all had signed')] : []),
    ...(isComplete && !queued ? [violation('stuck', request, 'all have signed, no seal was queued')] : []),
  ];
}

function checkOnce(request: SnapshotRequest): Violation[] {
  const corrections = eventsOf(request, 'signer_corrected');
  const whose = ({ signerId, sequence }: TrailEvent) =>
    corrections.filter((each) => each.signerId === signerId && each.sequence < sequence).length;
  const ofSigner = countBy(
    eventsOf(request, ...Object.keys(ONCE_A_SIGNER)),
    (event) => `${ONCE_A_SIGNER[event.type]} ${event.signerId}, corrected ${whose(event)} times`,
  );
  const ofRequest = countBy(eventsOf(request, ...ONCE_A_REQUEST), ({ type }) => type);
  return [...ofSigner, ...ofRequest].flatMap(([what, count]) =>
    count > 1 ? [violation('doubled act', request, `${what}, ${count} times`)] : [],
  );
}

const hashOf = ({ salts: _salts, hash: _hash, commitments, ...open }: TrailEvent): string =>
  sha256Hex(canonicalJson(withoutPaths({ ...open, commitments }, new Set(Object.keys(commitments)))));

function withoutPaths(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (Array.isArray(value)) return value.map((each, place) => withoutPaths(each, paths, `${path}${place}.`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !paths.has(path + name))
      .map(([name, member]) => [name, withoutPaths(member, paths, `${path}${name}.`)]),
  );
}

/** Computes the chain as docs/data-model.md describes it, without the product's code for it. */
function checkChain(request: SnapshotRequest): Violation[] {
  let head = sha256Hex(`audit:${request.id}`);
  for (const [place, event] of request.events.entries()) {
    const isNext = event.sequence === place + 1 && event.previousHash === head;
    if (!isNext || hashOf(event) !== event.hash)
      return [violation('broken chain', request, `at event ${place + 1}, ${event.type}`)];
    head = event.hash;
  }
  const { auditSequence, auditHead } = request.state;
  return head === auditHead && request.events.length === auditSequence
    ? []
    : [violation('broken chain', request, `${request.events.length} events; ${auditSequence} were written`)];
}

const checkAudit = (request: SnapshotRequest): Violation[] =>
  request.audit.intact ? [] : [violation('audit differs', request, request.audit.why)];

type Act = Snapshot['acts'][number];

const causes = ({ kind, signerId, at }: Act, event: TrailEvent): boolean =>
  event.type === EVENT_OF_ACT[kind] && event.signerId === signerId && event.at === at;

function checkActs({ acts, requests, interruptions }: Snapshot): Violation[] {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const lost = acts.filter((act) => !byId.get(act.requestId)?.events.some((event) => causes(act, event)));
  const ofRequest = groupBy(acts, ({ requestId }) => requestId);
  // An act may have had no answer where something failed.
  const unasked = (interruptions === 0 ? requests : []).flatMap((request) =>
    eventsOf(request, ...Object.values(EVENT_OF_ACT))
      .filter((event) => !ofRequest.get(request.id)?.some((act) => causes(act, event)))
      .map(({ type, at }) => violation('unasked act', request, `${type} at ${at}`)),
  );
  return [
    ...lost.map(({ kind, requestId, signerId, at }) =>
      violation('lost act', { id: requestId }, `the ${kind} of ${signerId ?? 'the sender'} at ${at}`),
    ),
    ...unasked,
  ];
}

/** The history of each request is possible, whole, and what its clients were told. */
export const checkTrails = (snapshot: Snapshot): Violation[] => [
  ...checkActs(snapshot),
  ...snapshot.requests.flatMap((request) =>
    [checkState, checkProgress, checkOrder, checkOnce, checkChain, checkAudit].flatMap((check) =>
      check(request),
    ),
  ),
];
