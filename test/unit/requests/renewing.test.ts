import type { Renewal, RequestState, SignatureRequest } from '../../../shared/requests/model.ts';
import {
  filesRenewed,
  isArchived,
  isRenewalDue,
  overdueAt,
  renewalFailed,
  renewalOf,
  renewalsOf,
} from '../../../shared/requests/renewing.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { at, sentRequest } from '../../support/requests.ts';
import { difference, iso, withState } from './rules.ts';

const YEAR = 365.25 * DAY;
const RENEWAL: Renewal = {
  dueAt: iso(DAY),
  endsAt: iso(3 * DAY),
  failures: 0,
  fault: null,
  nextAttemptAt: null,
};
const HASH = 'b'.repeat(64);

/** A sealed request whose files are kept and have an end to their proof. */
const archived = (changes: Partial<RequestState> = {}): SignatureRequest =>
  withState(sentRequest(1), {
    status: 'signed',
    archiveProtected: true,
    documentHash: HASH,
    renewal: RENEWAL,
    ...changes,
  });

describe('the due date of a renewal', () => {
  it('is half a year before the proof ends', () => {
    expect(renewalOf(iso(0), iso(2 * YEAR))).toEqual({
      dueAt: iso(1.5 * YEAR),
      endsAt: iso(2 * YEAR),
      failures: 0,
      fault: null,
      nextAttemptAt: null,
    });
  });

  it('of a proof that ends sooner is in the middle of its time', () => {
    expect(renewalOf(iso(0), iso(100 * DAY)).dueAt).toBe(iso(50 * DAY));
    expect(renewalOf(iso(10 * DAY), iso(100 * DAY)).dueAt).toBe(iso(55 * DAY));
  });

  it('is missed when half of the time to the end is over', () => {
    expect(overdueAt(RENEWAL)).toBe(iso(2 * DAY));
  });
});

describe('a renewal is due', () => {
  const isDue = (changes: Partial<RequestState> = {}, now = DAY) =>
    isRenewalDue(archived(changes).state, at(now));

  it('from its date on', () => {
    expect(isDue({}, DAY - 1)).toBe(false);
    expect(isDue({}, DAY)).toBe(true);
  });

  it('and after a failure once the wait is over', () => {
    const waiting = { renewal: { ...RENEWAL, failures: 1, nextAttemptAt: iso(2 * DAY) } };
    expect(isDue(waiting, 2 * DAY - 1)).toBe(false);
    expect(isDue(waiting, 2 * DAY)).toBe(true);
  });

  it.each<[string, Partial<RequestState>]>([
    ['have no end to their proof', { renewal: null }],
    ['were never sealed', { documentHash: null }],
    ['are to be removed', { purgeAt: iso(9 * DAY) }],
    ['are removed', { purgedAt: iso(0) }],
  ])('but not for files that %s', (_, changes) => {
    expect(isArchived(archived(changes).state)).toBe(false);
    expect(isDue(changes, 9 * DAY)).toBe(false);
    expect(isArchived(archived().state)).toBe(true);
  });
});

describe('renewed files', () => {
  const FILES = { documentHash: 'c'.repeat(64), evidenceHash: 'd'.repeat(64), endsAt: iso(100 * DAY) };
  const renew = (
    request: SignatureRequest,
    renewals = 0,
    files: Parameters<typeof filesRenewed>[1]['files'] = FILES,
  ) => filesRenewed(request, { renewals, files, actor: 'service' }, at(2 * DAY));

  it('are counted, told in the trail, and have a new date', () => {
    const request = archived({
      renewal: { ...RENEWAL, failures: 2, fault: 'away', nextAttemptAt: iso(DAY) },
    });
    expect(difference(request, renew(request))).toEqual({
      state: {
        renewal: renewalOf(iso(2 * DAY), iso(100 * DAY)),
        renewed: {
          number: 1,
          at: iso(2 * DAY),
          documentHash: FILES.documentHash,
          evidenceHash: FILES.evidenceHash,
        },
      },
      signers: [{}],
      audit: [
        {
          type: 'archive_renewed',
          at: iso(2 * DAY),
          actor: 'service',
          details: {
            renewal: 1,
            renewed_document_hash: FILES.documentHash,
            renewed_evidence_hash: FILES.evidenceHash,
            holds_until: iso(100 * DAY),
          },
        },
      ],
      effects: [],
    });
  });

  it('of a request without evidence at that level name none', () => {
    const change = renew(archived(), 0, { ...FILES, evidenceHash: null });
    expect(change?.audit[0]?.details).not.toHaveProperty('renewed_evidence_hash');
    expect(change?.state.renewed?.evidenceHash).toBeNull();
  });

  it('of a run that another one overtook are dropped', () => {
    const once = archived({ renewed: { number: 1, at: iso(DAY), documentHash: HASH, evidenceHash: null } });
    expect(renewalsOf(once.state)).toBe(1);
    expect(renewalsOf(archived().state)).toBe(0);
    expect(renew(once, 0)).toBeUndefined();
    expect(renew(once, 1)?.state.renewed?.number).toBe(2);
    expect(renew(archived({ purgeAt: iso(9 * DAY) }))).toBeUndefined();
  });
});

describe('a renewal that failed', () => {
  const fail = (request: SignatureRequest, renewals = 0) =>
    renewalFailed(request, { renewals, fault: 'away' }, at(0));

  it('says why, and tells neither trail nor anybody', () => {
    const request = archived();
    expect(difference(request, fail(request))).toEqual({
      state: { renewal: { ...RENEWAL, failures: 1, fault: 'away', nextAttemptAt: iso(DAY) } },
      signers: [{}],
      audit: [],
      effects: [],
    });
  });

  it('is tried again after one day, two, four, and then each week', () => {
    const waits = [0, 1, 2, 3, 4].map(
      (failures) => fail(archived({ renewal: { ...RENEWAL, failures } }))?.state.renewal?.nextAttemptAt,
    );
    expect(waits).toEqual([1, 2, 4, 7, 7].map((days) => iso(days * DAY)));
  });

  it('counts for nothing once another run renewed the files, or they are to be removed', () => {
    expect(fail(archived(), 1)).toBeUndefined();
    expect(fail(archived({ purgedAt: iso(0) }))).toBeUndefined();
  });
});
