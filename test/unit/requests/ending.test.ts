import {
  cancel,
  decline,
  deletionRequested,
  documentDownloaded,
  expire,
  isPurgeDue,
  protect,
  purged,
  requeueSeal,
  restamp,
  sealed,
  sealFailed,
} from '../../../shared/requests/ending.ts';
import { deadLink, isExpired } from '../../../shared/requests/lifecycle.ts';
import type { RequestState, SignatureRequest } from '../../../shared/requests/model.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { applied, at, sentRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { difference, head, iso, refusal, signerOf, withSigner, withState } from './rules.ts';

const ENDED: RequestState['status'][] = [
  'awaiting_stamp',
  'stamp_failed',
  'signed',
  'cancelled',
  'declined',
  'expired',
];
const GONE = { status: 'invalidated', invalidatedAt: iso(5), code: null, remindAt: null };
const HASH = 'b'.repeat(64);
const waiting = () => {
  const request = sentRequest(1);
  return applied(request, signedBy(request, 0));
};
const record = { sealedAt: iso(4), objectKey: 'k', size: 9, pagesAdded: 2, technical: { algorithm: 'rsa' } };
const seal = (request: SignatureRequest, archiveProtected = false) =>
  sealed(request, { record, documentHash: HASH, archiveProtected, baseUrl: 'https://x.example.com' }, at(5));

describe('cancel', () => {
  it('a cancelled request invalidates every open link, and all signers are told', () => {
    const request = withSigner(sentRequest(3), { status: 'signed', remindAt: null }, 1);
    expect(difference(request, cancel(request, { actor: 'operator', reason: 'Wrong' }, at(5)))).toEqual({
      state: { status: 'cancelled', cancelledAt: iso(5), endedAt: iso(5), purgeAt: iso(7 * DAY + 5) },
      signers: [GONE, {}, GONE],
      audit: [{ type: 'request_cancelled', at: iso(5), actor: 'operator', details: { reason: 'Wrong' } }],
      effects: [
        {
          kind: 'event',
          type: 'signature_request.cancelled',
          data: { ...head(request, { status: 'cancelled', cancelled_at: iso(5) }), reason: 'Wrong' },
        },
        { kind: 'notice', reason: 'cancelled', recipients: request.signers.map(({ id }) => id), about: [] },
      ],
    });
  });

  it('an archive keeps the documents of a cancelled request', () => {
    const request = withState(sentRequest(1), { archiveProtected: true });
    expect(cancel(request, { actor: 'client', reason: null }, at(5)).state.purgeAt).toBeNull();
  });

  it.each(ENDED)('a request that is %s cannot be cancelled', (status) => {
    const request = withState(sentRequest(1), { status });
    const attempt = () => cancel(request, { actor: 'client', reason: null }, at(5));
    expect(refusal(attempt)).toBe('request_not_cancellable');
    expect(attempt).toThrow(`The request’s status is \`${status}\`, so it can no longer be cancelled.`);
  });
});

describe('decline', () => {
  const declineBy = (request: SignatureRequest, reason: string | null = 'No') =>
    decline(request, { signerId: signerOf(request).id, reason, visitor: VISITOR }, at(5));

  it('a decline ends the request for everybody, and the sender and the other signers are told', () => {
    const request = sentRequest(2);
    const { id, email, name } = signerOf(request);
    const change = difference(request, declineBy(request));
    expect(change).toMatchObject({
      state: { status: 'declined', endedAt: iso(5), purgeAt: iso(7 * DAY + 5) },
      signers: [
        {
          status: 'declined',
          declinedAt: iso(5),
          declineReason: 'No',
          code: null,
          remindAt: null,
          ipAddress: VISITOR.ipAddress,
          userAgent: VISITOR.userAgent,
        },
        GONE,
      ],
      audit: [
        {
          type: 'signer_declined',
          at: iso(5),
          actor: 'signer',
          signerId: id,
          visitor: VISITOR,
          details: { reason: 'No' },
        },
      ],
      effects: [
        {
          kind: 'event',
          type: 'signature_request.declined',
          data: expect.objectContaining({
            signer_id: id,
            signer_email: email,
            signer_name: name,
            decline_reason: 'No',
          }),
        },
        { kind: 'notice', reason: 'declined', recipients: ['sender', signerOf(request, 1).id], about: [id] },
      ],
    });
    expect(change?.effects[0]).toMatchObject({ data: head(request, { status: 'declined' }) });
  });

  it('nobody declines a request whose time to sign is over, before the daily job has ended it too', () => {
    const request = sentRequest(2);
    expect(refusal(() => declineBy(withState(request, { expiresAt: iso(6) })))).toBe('accepted');
    expect(refusal(() => declineBy(withState(request, { expiresAt: iso(5) })))).toBe('link_expired');
  });

  it('a signer can decline once, and not after signing', () => {
    expect(refusal(() => declineBy(withSigner(sentRequest(2), { status: 'signed' })))).toBe('already_signed');
    expect(refusal(() => declineBy(withSigner(sentRequest(2), { status: 'declined' })))).toBe(
      'link_declined',
    );
    expect(refusal(() => declineBy(withSigner(sentRequest(2), { status: 'invalidated' })))).toBe(
      'request_not_active',
    );
    expect(refusal(() => declineBy(withState(sentRequest(2), { status: 'cancelled' })))).toBe(
      'request_not_active',
    );
  });
});

describe('expire', () => {
  it('a code that somebody who has signed asked for stays good', () => {
    const request = withSigner(withState(sentRequest(2), { expiresAt: iso(5) }), { status: 'signed' });
    const { code } = signerOf(request);
    expect(code).not.toBeNull();
    expect(expire(request, at(5))?.signers.map((signer) => signer.code)).toEqual([code, null]);
  });

  it('a request expires at its time, and its codes and reminders end', () => {
    const request = withState(sentRequest(2), { expiresAt: iso(5) });
    expect(difference(request, expire(request, at(5)))).toEqual({
      state: { status: 'expired', endedAt: iso(5), purgeAt: iso(7 * DAY + 5) },
      signers: [
        { code: null, remindAt: null },
        { code: null, remindAt: null },
      ],
      audit: [{ type: 'request_expired', at: iso(5), actor: 'service' }],
      effects: [
        { kind: 'event', type: 'signature_request.expired', data: head(request, { status: 'expired' }) },
        {
          kind: 'notice',
          reason: 'expired',
          recipients: ['sender', ...request.signers.map(({ id }) => id)],
          about: [],
        },
      ],
    });
    expect(expire(request, at(4))).toBeUndefined();
  });

  it.each(ENDED)('a request that is %s does not expire', (status) => {
    const request = withState(sentRequest(1), { status, expiresAt: iso(5) });
    expect(expire(request, at(9))).toBeUndefined();
    expect(isExpired(request.state, at(9))).toBe(status === 'expired');
  });
});

describe('the seal', () => {
  it('a sealed request is signed, announced twice and followed by notices', () => {
    const request = waiting();
    const data = {
      signature_request_id: request.state.id,
      status: 'signed',
      signed_at: iso(5),
      document_hash: HASH,
      download_url: `https://x.example.com/api/v1/signatures/${request.state.id}/document`,
    };
    expect(difference(request, seal(request))).toEqual({
      state: {
        status: 'signed',
        signedAt: iso(5),
        endedAt: iso(5),
        purgeAt: iso(7 * DAY + 5),
        documentHash: HASH,
        seal: record,
        stampQueuedAt: null,
      },
      signers: [{}],
      audit: [
        {
          type: 'document_sealed',
          at: iso(5),
          actor: 'service',
          details: {
            document_hash: HASH,
            pages_added: 2,
            sealed_at: iso(4),
            sealed_size: 9,
            algorithm: 'rsa',
          },
        },
      ],
      effects: [
        { kind: 'event', type: 'signature_request.completed', data },
        { kind: 'event', type: 'signature_request.signed', data },
        { kind: 'notice', reason: 'completed', recipients: ['sender', signerOf(request).id], about: [] },
      ],
    });
  });

  it('a request sealed under an archive is kept', () => {
    expect(seal(waiting(), true).state).toMatchObject({ archiveProtected: true, purgeAt: null });
  });

  it('a seal with evidence names its hash, and one whose proof ends has a date for its renewal', () => {
    const request = waiting();
    const details = { record, documentHash: HASH, archiveProtected: true, baseUrl: 'https://x.example.com' };
    const change = sealed(
      request,
      { ...details, evidenceHash: 'e'.repeat(64), holdsUntil: iso(100 * DAY + 4) },
      at(5),
    );
    expect(change.state).toMatchObject({
      evidenceHash: 'e'.repeat(64),
      renewal: { dueAt: iso(50 * DAY + 4), endsAt: iso(100 * DAY + 4) },
    });
    expect(change.audit[0]?.details).toMatchObject({ evidence_hash: 'e'.repeat(64) });
  });

  it('only a request that awaits its seal can be sealed, or fail', () => {
    for (const status of ['opened', 'stamp_failed', 'signed', 'cancelled'] as const) {
      const request = withState(waiting(), { status });
      expect(refusal(() => seal(request))).toBe('request_not_active');
      expect(refusal(() => sealFailed(request, { code: 'x' }, at(5)))).toBe('request_not_active');
    }
  });

  it('a failed seal is told to the sender, and the operator can queue it again', () => {
    const request = waiting();
    const failed = sealFailed(request, { code: 'key_mismatch' }, at(5));
    expect(difference(request, failed)).toEqual({
      state: { status: 'stamp_failed', stampQueuedAt: null },
      signers: [{}],
      audit: [{ type: 'seal_failed', at: iso(5), actor: 'service', details: { code: 'key_mismatch' } }],
      effects: [{ kind: 'notice', reason: 'sealing_failed', recipients: ['sender'], about: [] }],
    });
    const broken = applied(request, failed);
    expect(difference(broken, restamp(broken, at(9)))).toEqual({
      state: { status: 'awaiting_stamp', stampQueuedAt: iso(9) },
      signers: [{}],
      audit: [{ type: 'seal_queued', at: iso(9), actor: 'operator' }],
      effects: [{ kind: 'seal' }],
    });
    expect(refusal(() => restamp(request, at(9)))).toBe('request_not_active');
  });

  it('a seal queued long ago is queued again', () => {
    const request = waiting();
    expect(difference(request, requeueSeal(request, at(0), at(9)))).toEqual({
      state: { stampQueuedAt: iso(9) },
      signers: [{}],
      audit: [{ type: 'seal_queued', at: iso(9), actor: 'service' }],
      effects: [{ kind: 'seal' }],
    });
    expect(requeueSeal(request, at(-1), at(9))).toBeUndefined();
    expect(requeueSeal(withState(request, { stampQueuedAt: null }), at(-1), at(9))).toBeDefined();
    expect(requeueSeal(withState(request, { status: 'signed' }), at(0), at(9))).toBeUndefined();
  });
});

describe('after the end', () => {
  it('documents are purged at their time, once', () => {
    const request = applied(waiting(), seal(waiting()));
    const due = 7 * DAY + 5;
    expect(refusal(() => purged(request, at(due - 1)))).toBe('request_not_active');
    expect(difference(request, purged(request, at(due)))).toEqual({
      state: { purgedAt: iso(due) },
      signers: [{}],
      audit: [{ type: 'document_purged', at: iso(due), actor: 'service' }],
      effects: [],
    });
    expect(purged(withState(request, { purgedAt: iso(due) }), at(due))).toBeUndefined();
    expect(refusal(() => purged(withState(request, { purgeAt: null }), at(due)))).toBe('request_not_active');
  });

  it('documents that are gone are due no more', () => {
    const due = 7 * DAY;
    const ended = withState(sentRequest(1), { endedAt: iso(0), purgeAt: iso(due) });
    expect(isPurgeDue(ended.state, at(due - 1))).toBe(false);
    expect(isPurgeDue(ended.state, at(due))).toBe(true);
    expect(isPurgeDue(withState(ended, { purgedAt: iso(due) }).state, at(due))).toBe(false);
    expect(isPurgeDue(withState(ended, { purgeAt: null }).state, at(due))).toBe(false);
  });

  it('archive protection that begins while a request runs is recorded, and takes no date away', () => {
    const request = sentRequest(1);
    expect(difference(request, protect(request, true, at(5)))).toEqual({
      state: { archiveProtected: true },
      signers: [{}],
      audit: [
        { type: 'retention_changed', at: iso(5), actor: 'service', details: { archive_protected: true } },
      ],
      effects: [],
    });
  });

  describe('deletion by the owner', () => {
    const ask = (request: SignatureRequest, archive = false, time = at(DAY)) =>
      deletionRequested(request, { archive, actor: 'client', visitor: VISITOR }, time);
    const ended = applied(waiting(), seal(waiting()));

    it('the PDFs are due from then on, and the trail names who asked', () => {
      const asked = { type: 'document_deletion_requested', at: iso(DAY), actor: 'client', visitor: VISITOR };
      expect(difference(ended, ask(ended))).toEqual({
        state: { purgeAt: iso(DAY) },
        signers: [{}],
        audit: [asked],
        effects: [],
      });
      const due = applied(ended, ask(ended));
      expect(purged(due, at(DAY), 'client')).toMatchObject({
        state: { purgeAt: iso(DAY), purgedAt: iso(DAY) },
        audit: [{ type: 'document_purged', actor: 'client' }],
      });
    });

    it('a second call whose clock is behind that of the first completes it', () => {
      const due = applied(ended, ask(ended));
      const behind = at(DAY - 2);
      expect(ask(due, false, behind)).toBeUndefined();
      // A download meanwhile is told so too: without the files it would be a fault.
      expect(isPurgeDue(due.state, behind)).toBe(true);
      expect(purged(due, behind, 'client')?.state).toMatchObject({ purgedAt: iso(DAY - 2) });
    });

    it('the operator removes what an archive keeps, once', () => {
      const kept = withState(ended, { archiveProtected: true, purgeAt: null });
      const due = applied(kept, ask(kept));
      const change = purged(due, at(DAY), 'operator');
      expect(change).toMatchObject({
        state: { purgeAt: iso(DAY), purgedAt: iso(DAY) },
        audit: [{ type: 'document_purged', actor: 'operator' }],
      });
      expect(purged(applied(due, change), at(DAY), 'operator')).toBeUndefined();
    });

    it('asked again, it changes nothing', () => {
      for (const archive of [false, true])
        expect(ask(applied(ended, ask(ended)), archive, at(2 * DAY))).toBeUndefined();
      expect(ask(withState(ended, { purgedAt: iso(DAY) }), true)).toBeUndefined();
    });

    it('asked when the PDFs are due anyway, it is recorded all the same', () => {
      expect(ask(ended, false, at(8 * DAY))?.state.purgeAt).toBe(iso(8 * DAY));
    });

    it('an archive that begins or ends afterwards does not keep the PDFs', () => {
      const archived = applied(waiting(), seal(waiting(), true));
      for (const [request, archive] of [
        [ended, true],
        [archived, false],
      ] as const) {
        const due = applied(request, ask(request));
        expect(protect(due, archive, at(2 * DAY))).toBeUndefined();
      }
    });

    it.each([
      ['pending', 'cancel it, or wait'],
      ['sent', 'cancel it, or wait'],
      ['opened', 'cancel it, or wait'],
      // Nobody can cancel it any more.
      ['awaiting_stamp', 'wait'],
      ['stamp_failed', 'wait'],
    ] as const)('a request that is %s has not ended, and keeps its document: %s', (status, remedy) => {
      const attempt = () => ask(withState(sentRequest(1), { status }));
      expect(refusal(attempt)).toBe('request_not_ended');
      expect(attempt).toThrow(`The request’s status is \`${status}\`: ${remedy} until it is sealed`);
    });

    it('the archive keeps documents of live requests, until it ends', () => {
      const archived = applied(waiting(), seal(waiting(), true));
      expect(refusal(() => ask(archived, true))).toBe('archive_protected');
      expect(ask(withState(archived, { mode: 'test' }), true)?.state.purgeAt).toBe(iso(DAY));
      expect(ask(archived, false)?.state.purgeAt).toBe(iso(DAY));
    });
  });

  it('a download is recorded with its visitor', () => {
    const request = waiting();
    expect(difference(request, documentDownloaded(request, VISITOR, at(5)))).toEqual({
      state: {},
      signers: [{}],
      audit: [{ type: 'document_downloaded', at: iso(5), actor: 'client', visitor: VISITOR }],
      effects: [],
    });
  });

  it('the link of a signer who signed outlives a cancel', () => {
    const request = withSigner(withState(sentRequest(1), { status: 'cancelled' }), { status: 'signed' });
    expect(deadLink(request, signerOf(request), at(99 * DAY))).toBeUndefined();
    expect(deadLink(sentRequest(1), signerOf(sentRequest(1)), at(0))).toBeUndefined();
  });

  it('every link ends for good thirty days after the request’s ending', () => {
    const ended = withState(sentRequest(1), { status: 'cancelled', endedAt: iso(DAY) });
    for (const status of ['signed', 'declined', 'invalidated'] as const) {
      const signer = { ...signerOf(ended), status };
      expect(deadLink(ended, signer, at(31 * DAY - 1))).not.toBe('link_expired');
      expect(deadLink(ended, signer, at(31 * DAY))).toBe('link_expired');
    }
  });
});
