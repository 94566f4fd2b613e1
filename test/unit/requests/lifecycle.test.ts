import fc from 'fast-check';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { EVENT_DATA, type EventType } from '../../../shared/contract/events.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../../shared/contract/fields.ts';
import {
  cancel,
  decline,
  expire,
  purged,
  restamp,
  sealed,
  sealFailed,
} from '../../../shared/requests/ending.ts';
import { resent } from '../../../shared/requests/inviting.ts';
import type { Change, SignatureRequest } from '../../../shared/requests/model.ts';
import { open, sign } from '../../../shared/requests/signing.ts';
import { TRANSITIONS } from '../../../shared/requests/transitions.ts';
import { DAY, HOUR } from '../../../shared/runtime/time.ts';
import {
  applied,
  at,
  DOCUMENT_SHA256,
  NOON,
  newRequest,
  sentRequest,
  VISITOR,
} from '../../support/requests.ts';

/** Events that a move from one status to another may fire, besides `signer.signed`. */
const EVENTS: Record<string, EventType[]> = {
  opened: ['signature_request.opened'],
  cancelled: ['signature_request.cancelled'],
  declined: ['signature_request.declined'],
  expired: ['signature_request.expired'],
  signed: ['signature_request.completed', 'signature_request.signed'],
  awaiting_stamp: [],
  stamp_failed: [],
};

type Step = (request: SignatureRequest, now: Date) => Change | undefined;

const seal = {
  record: { sealedAt: NOON.toISOString(), objectKey: 'k', size: 1, pagesAdded: 1, technical: {} },
  documentHash: 'b'.repeat(64),
  archiveProtected: false,
  baseUrl: 'https://example.com',
};

const signature = { type: 'typed', value: 'Me' } as const;
const signBy =
  (index: number): Step =>
  (request, now) =>
    sign(
      request,
      {
        signerId: request.signers[index % request.signers.length]?.id ?? '',
        visitor: VISITOR,
        name: 'Me',
        documentSha256: DOCUMENT_SHA256,
        consentVersion: '1',
        consentLocale: 'en',
        signature,
        representing: null,
      },
      now,
    );

const steps = fc.oneof(
  fc.nat(3).map(signBy),
  fc.nat(3).map(
    (index): Step =>
      (request, now) =>
        open(
          request,
          { signerId: request.signers[index % request.signers.length]?.id ?? '', visitor: VISITOR },
          now,
        ),
  ),
  fc.nat(3).map(
    (index): Step =>
      (request, now) =>
        decline(
          request,
          {
            signerId: request.signers[index % request.signers.length]?.id ?? '',
            reason: null,
            visitor: VISITOR,
          },
          now,
        ),
  ),
  fc.constant<Step>((request, now) => cancel(request, { actor: 'client', reason: null }, now)),
  fc.constant<Step>((request, now) => expire(request, now)),
  fc.constant<Step>((request, now) => sealed(request, seal, now)),
  fc.constant<Step>((request, now) => sealFailed(request, { code: 'key_mismatch' }, now)),
  fc.constant<Step>((request, now) => restamp(request, now)),
  fc.constant<Step>((request, now) => purged(request, now)),
);

/** The step that leads to a status, from where it can be reached. */
const STEPS: Record<RequestStatus, Step> = {
  pending: () => undefined,
  sent: (request, now) =>
    resent(request, { signerId: request.signers[0]?.id ?? '', sent: true, error: null }, now),
  opened: (request, now) => open(request, { signerId: request.signers[0]?.id ?? '', visitor: VISITOR }, now),
  awaiting_stamp: (request, now) =>
    request.state.status === 'stamp_failed' ? restamp(request, now) : signBy(0)(request, now),
  signed: (request, now) => sealed(request, seal, now),
  stamp_failed: (request, now) => sealFailed(request, { code: 'key_mismatch' }, now),
  declined: (request, now) =>
    decline(request, { signerId: request.signers[0]?.id ?? '', reason: null, visitor: VISITOR }, now),
  cancelled: (request, now) => cancel(request, { actor: 'client', reason: null }, now),
  expired: (request, now) => expire(request, now),
};
/** How a request of one signer gets into a status. */
const BEFORE: Partial<Record<RequestStatus, RequestStatus>> = {
  sent: 'pending',
  opened: 'sent',
  awaiting_stamp: 'opened',
  stamp_failed: 'awaiting_stamp',
};

function requestIn(status: RequestStatus): SignatureRequest {
  const earlier = BEFORE[status];
  if (!earlier) return newRequest(1).request;
  const before = requestIn(earlier);
  const change = STEPS[status](before, NOON);
  if (!change) throw new Error(`Nothing leads to ${status}.`);
  return applied(before, change);
}

const WAYS = REQUEST_STATUSES.flatMap((from) =>
  REQUEST_STATUSES.filter((to) => TRANSITIONS[from][to]).map((to) => [from, to] as const),
);

/** Undefined for a step that the rules refuse. */
function changeBy(step: Step, request: SignatureRequest, now: Date): Change | undefined {
  try {
    return step(request, now);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return undefined;
  }
}

/** The events of a change that the contract allows; fails for any other change. */
function allowedEvents(from: RequestStatus, change: Change): string[] {
  const to = change.state.status;
  if (to !== from) expect(Object.keys(TRANSITIONS[from])).toContain(to);
  const events = change.effects.flatMap((work) => (work.kind === 'event' ? [work] : []));
  for (const { type, data } of events) expect(EVENT_DATA[type].safeParse(data).error).toBeUndefined();
  const types = events.map(({ type }) => type).filter((type) => type !== 'signer.signed');
  // The last signature of a link that nobody opened before opens it on the way.
  const opening = to === 'awaiting_stamp' && types.length > 0 ? ['signature_request.opened'] : EVENTS[to];
  expect(types).toEqual(to === from ? [] : opening);
  return types;
}

describe('the life of a request', () => {
  it('never reaches a state or fires an event that the contract does not allow, whatever is tried in whatever order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(steps, fc.integer({ min: 0, max: 20 * DAY })), { maxLength: 40 }),
        (signers, calls) => {
          let request = sentRequest(signers);
          let now = NOON.getTime();
          const fired: string[] = [];
          for (const [step, wait] of calls) {
            now += wait;
            const change = changeBy(step, request, new Date(now));
            if (!change) continue;
            fired.push(...allowedEvents(request.state.status, change));
            request = applied(request, change);
            expect(request.state.signedCount).toBe(
              request.signers.filter(({ status }) => status === 'signed').length,
            );
          }
          expect(new Set(fired).size).toBe(fired.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(WAYS)('a request goes from %s to %s', (from, to) => {
    const before = requestIn(from);
    expect(before.state.status).toBe(from);
    const late = to === 'expired' ? at(40 * DAY) : NOON;
    expect(STEPS[to](before, late)?.state.status).toBe(to);
  });

  it('leads from the first status to every other, each way for a cause', () => {
    const reached = new Set<RequestStatus>(['pending']);
    for (const from of reached) for (const to of REQUEST_STATUSES) if (TRANSITIONS[from][to]) reached.add(to);
    expect([...reached].toSorted()).toEqual([...REQUEST_STATUSES].toSorted());
    expect(TRANSITIONS.stamp_failed.awaiting_stamp).toBeTruthy();
  });

  it('asks for the seal with the last signature, once', () => {
    const request = sentRequest(2);
    const first = applied(request, signBy(0)(request, NOON));
    const last = signBy(1)(first, NOON);
    expect(last?.state.status).toBe('awaiting_stamp');
    expect(last?.effects.filter(({ kind }) => kind === 'seal')).toHaveLength(1);
    expect(signBy(1)(applied(first, last), NOON)).toBeUndefined();
  });

  it('refuses a signature over another document, and after the expiry even when the job has not run', () => {
    const request = sentRequest(1);
    const other = { ...request, content: { ...request.content, documentSha256: 'c'.repeat(64) } };
    expect(() => signBy(0)(other, NOON)).toThrow(expect.objectContaining({ code: 'document_mismatch' }));
    expect(() => signBy(0)(request, new Date(request.state.expiresAt))).toThrow(
      expect.objectContaining({ code: 'link_expired' }),
    );
    expect(() => signBy(0)(request, new Date(Date.parse(request.state.expiresAt) - 1))).not.toThrow();
  });

  it('invalidates everybody else when one declines, and tells each why', () => {
    const request = sentRequest(3);
    const [first, second] = request.signers;
    const declined = applied(
      request,
      decline(request, { signerId: first?.id ?? '', reason: 'No', visitor: VISITOR }, NOON),
    );
    expect(declined.signers.map(({ status }) => status)).toEqual(['declined', 'invalidated', 'invalidated']);
    expect(() => open(declined, { signerId: first?.id ?? '', visitor: VISITOR }, NOON)).toThrow(
      expect.objectContaining({ code: 'link_declined' }),
    );
    expect(() => open(declined, { signerId: second?.id ?? '', visitor: VISITOR }, NOON)).toThrow(
      expect.objectContaining({ code: 'link_invalidated' }),
    );
  });

  it('keeps a sealed document seven days, and for good under archive protection', () => {
    const request = sentRequest(1);
    const waiting = applied(request, signBy(0)(request, NOON));
    const kept = sealed(waiting, seal, NOON).state;
    expect(Date.parse(kept.purgeAt ?? '') - NOON.getTime()).toBe(7 * DAY);
    expect(sealed(waiting, { ...seal, archiveProtected: true }, NOON).state.purgeAt).toBeNull();
    const done = applied(waiting, sealed(waiting, seal, NOON));
    expect(() => purged(done, at(7 * DAY - 1))).toThrow(ApiError);
    expect(purged(done, at(7 * DAY))?.state.purgedAt).toBe(at(7 * DAY).toISOString());
  });

  it('expires from the moment of expires_at on, and not before', () => {
    const request = sentRequest(1);
    const end = Date.parse(request.state.expiresAt);
    expect(end - NOON.getTime()).toBe(30 * DAY);
    expect(expire(request, new Date(end - HOUR))).toBeUndefined();
    expect(expire(request, new Date(end))?.state.status).toBe('expired');
  });
});
