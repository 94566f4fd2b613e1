import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { open, type SignInput, sign } from '../../../shared/requests/signing.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { applied, at, DOCUMENT_SHA256, sentRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { difference, head, iso, refusal, signerOf, withSigner, withState } from './rules.ts';

const openBy = (request: SignatureRequest, place = 0, now = at(5)) =>
  open(request, { signerId: signerOf(request, place).id, visitor: VISITOR }, now);
const opened = (request: SignatureRequest, place = 0) => applied(request, openBy(request, place));
const input = (request: SignatureRequest, changes: Partial<SignInput> = {}): SignInput => ({
  signerId: signerOf(request).id,
  visitor: VISITOR,
  name: 'Anna',
  documentSha256: DOCUMENT_SHA256,
  consentVersion: '1',
  consentLocale: 'fi',
  signature: { type: 'typed', value: 'A. Nna' },
  representing: null,
  ...changes,
});
const entry = (request: SignatureRequest, type: string, now: number, place = 0) => ({
  type,
  at: iso(now),
  actor: 'signer',
  signerId: signerOf(request, place).id,
  visitor: VISITOR,
});

describe('open', () => {
  it('the first signer to open the link opens the request, and the sender is told', () => {
    const request = sentRequest(2);
    const { id, email, name } = signerOf(request);
    expect(difference(request, openBy(request))).toEqual({
      state: { status: 'opened', openedAt: iso(5) },
      signers: [{ status: 'opened', openedAt: iso(5) }, {}],
      audit: [entry(request, 'link_opened', 5)],
      effects: [
        {
          kind: 'event',
          type: 'signature_request.opened',
          data: {
            ...head(request, { status: 'opened' }),
            signer_id: id,
            signer_email: email,
            signer_name: name,
          },
        },
      ],
    });
  });

  it('the second signer is only recorded', () => {
    const request = opened(sentRequest(2));
    expect(difference(request, openBy(request, 1))).toEqual({
      state: {},
      signers: [{}, { status: 'opened', openedAt: iso(5) }],
      audit: [entry(request, 'link_opened', 5, 1)],
      effects: [],
    });
  });

  it('later visits change nothing', () => {
    expect(openBy(opened(sentRequest(1)))).toBeUndefined();
    expect(openBy(withSigner(sentRequest(1), { status: 'signed' }))).toBeUndefined();
  });

  it.each([
    ['cancelled', 'link_cancelled'],
    ['declined', 'link_invalidated'],
    ['expired', 'link_expired'],
  ] as const)('a link of a request that is %s is dead', (status, code) => {
    expect(refusal(() => openBy(withState(sentRequest(1), { status })))).toBe(code);
  });

  it('a decliner’s link is dead, a stranger’s does not exist', () => {
    expect(refusal(() => openBy(withSigner(sentRequest(1), { status: 'declined' })))).toBe('link_declined');
    expect(refusal(() => open(sentRequest(1), { signerId: 'x', visitor: VISITOR }, at(0)))).toBe('not_found');
    expect(refusal(() => openBy(sentRequest(1), 0, at(30 * DAY)))).toBe('link_expired');
  });
});

describe('sign', () => {
  it('the style of a typed signature is stored and stated by its event; without one neither names any', () => {
    const styleOf = (signature: SignInput['signature']) => {
      const request = opened(sentRequest(1));
      const change = sign(request, { ...input(request), signature }, at(9));
      return [change?.signers?.[0]?.signature?.style, change?.audit[0]?.details?.signature_style];
    };
    expect(styleOf({ type: 'typed', value: 'A. Nna', style: 'sans' })).toEqual(['sans', 'sans']);
    expect(styleOf({ type: 'typed', value: 'A. Nna' })).toEqual([null, undefined]);
  });

  it('a drawn signature is stated by the digest of its drawing, and is no text', () => {
    const request = opened(sentRequest(1));
    const signature = { type: 'drawn', value: 'key', drawingSha256: 'd'.repeat(64) } as const;
    const change = sign(request, input(request, { signature }), at(9));
    expect(change?.signers[0]?.signature).toMatchObject({ ...signature, style: null });
    expect(change?.audit[0]?.details).toMatchObject({
      signature_type: 'drawn',
      drawing_sha256: signature.drawingSha256,
    });
    expect(change?.audit[0]?.details).not.toHaveProperty('text');
  });

  it('the last signature fixes the anchor of a trail that states every fact, and of no older one', () => {
    const fixes = (trailVersion: number, signers = 1) => {
      const request = withState(opened(sentRequest(signers)), { trailVersion });
      return sign(request, input(request), at(9))?.fixesAnchor;
    };
    expect(fixes(2)).toBe(true);
    expect(fixes(1)).toBeUndefined();
    expect(fixes(2, 2)).toBeUndefined();
  });

  it('a signature that is not the last leaves the request open', () => {
    const request = opened(sentRequest(2));
    const { id, email } = signerOf(request);
    expect(difference(request, sign(request, input(request), at(9)))).toEqual({
      state: { signedCount: 1 },
      signers: [
        {
          status: 'signed',
          signedAt: iso(9),
          nameAsSigned: 'Anna',
          ipAddress: VISITOR.ipAddress,
          userAgent: VISITOR.userAgent,
          remindAt: null,
          signature: {
            type: 'typed',
            value: 'A. Nna',
            drawingSha256: null,
            style: null,
            consentVersion: '1',
            consentLocale: 'fi',
            documentSha256: DOCUMENT_SHA256,
            remaining: 1,
            requestStatus: 'opened',
          },
        },
        {},
      ],
      audit: [
        {
          ...entry(request, 'signer_signed', 9),
          details: {
            name: 'Anna',
            document_sha256: DOCUMENT_SHA256,
            consent_version: '1',
            consent_locale: 'fi',
            signature_type: 'typed',
            text: 'A. Nna',
          },
        },
      ],
      effects: [
        {
          kind: 'event',
          type: 'signer.signed',
          data: {
            signature_request_id: request.state.id,
            signer_id: id,
            signer_email: email,
            signer_name: 'Anna',
            signed_at: iso(9),
            remaining_pending_signers: 1,
          },
        },
      ],
    });
  });

  it('the last signature queues the seal', () => {
    const request = opened(sentRequest(1));
    const change = difference(request, sign(request, input(request), at(9)));
    expect(change?.state).toEqual({ signedCount: 1, status: 'awaiting_stamp', stampQueuedAt: iso(9) });
    expect(change?.signers[0]).toMatchObject({
      signature: { remaining: 0, requestStatus: 'awaiting_stamp' },
    });
    expect(change?.audit).toMatchObject([
      { type: 'signer_signed' },
      { type: 'seal_queued', at: iso(9), actor: 'service' },
    ]);
    expect(change?.effects.slice(1)).toEqual([{ kind: 'seal' }]);
  });

  it('a signature without a visit opens the link first', () => {
    const request = sentRequest(2);
    const change = difference(request, sign(request, input(request), at(9)));
    expect(change?.state).toEqual({ signedCount: 1, status: 'opened', openedAt: iso(9) });
    expect(change?.audit.map(({ type }) => type)).toEqual(['link_opened', 'signer_signed']);
    expect(change?.effects).toMatchObject([{ type: 'signature_request.opened' }, { type: 'signer.signed' }]);
    expect(change?.signers[0]).toMatchObject({ openedAt: iso(9), signature: { requestStatus: 'opened' } });
  });

  it('a signature for somebody else names whom, in what role', () => {
    const request = opened(sentRequest(2));
    const representing = { name: 'Oy Ab', role: 'CEO', entityId: '1234567-8' };
    const change = difference(request, sign(request, input(request, { representing }), at(9)));
    expect(change?.signers[0]).toMatchObject({
      representingAsSigned: 'Oy Ab',
      representingRole: 'CEO',
      representingEntityId: '1234567-8',
    });
    expect(change?.audit[0]?.details).toMatchObject({
      representing: 'Oy Ab',
      role: 'CEO',
      entity_id: '1234567-8',
    });
  });

  it('a repeated signature changes nothing', () => {
    const request = opened(sentRequest(2));
    const signed = applied(request, sign(request, input(request), at(9)));
    expect(sign(signed, input(signed, { name: 'Other' }), at(10))).toBeUndefined();
  });

  it('a signature needs the document that was shown, and an active request', () => {
    const request = opened(sentRequest(2));
    const attempt = (of: SignatureRequest, changes: Partial<SignInput> = {}) =>
      refusal(() => sign(of, input(of, changes), at(9)));
    expect(attempt(request, { documentSha256: 'c'.repeat(64) })).toBe('document_mismatch');
    expect(attempt(withState(request, { status: 'awaiting_stamp' }))).toBe('request_not_active');
    expect(attempt(withSigner(request, { status: 'invalidated' }))).toBe('request_not_active');
    expect(attempt(withState(request, { status: 'cancelled' }))).toBe('link_cancelled');
  });

  it('the signatures of all signers are counted', () => {
    let request = sentRequest(3);
    for (const place of [2, 0, 1]) request = applied(request, signedBy(request, place));
    expect(request.state).toMatchObject({ signedCount: 3, status: 'awaiting_stamp' });
    expect(request.signers.map(({ signature }) => signature?.remaining)).toEqual([1, 0, 2]);
  });
});
