import {
  accessTokenAsCreated,
  asCreated,
  type Correction,
  correct,
  resumeCorrection,
} from '../../../shared/requests/correcting.ts';
import { MailLeaseHeld, resent } from '../../../shared/requests/inviting.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { applied, at, sentRequest, signedBy } from '../../support/requests.ts';
import { difference, iso, refusal, signerOf, withSigner, withState } from './rules.ts';

const NEW_LINK = { accessToken: 'new-token', codeHash: 'new-hash' };
const reported = (signers = 2): SignatureRequest =>
  withState(sentRequest(signers), { invitationsReportedAt: iso(0) });
const correction = (
  request: SignatureRequest,
  changes: Partial<Correction> = { email: 'right@example.com', name: 'Right' },
) => correct(request, { signerId: signerOf(request).id, ...NEW_LINK, ...changes }, at(MINUTE));

it('a correction gives the signer new values, a new link and a new code, and starts them anew', () => {
  const before = withSigner(reported(), {
    status: 'opened',
    openedAt: iso(1),
    viewedAt: iso(2),
    codeAttempts: 3,
    lastAttemptAt: iso(3),
    codeRequests: [iso(4)],
    wrongCodes: [iso(5)],
    codeFailureToldAt: iso(6),
    sessions: [{ hash: 'cookie', expiresAt: iso(MINUTE) }],
    remindersSent: 1,
  });
  const { id, email, name, accessToken } = signerOf(before);
  expect(difference(before, correction(before))).toEqual({
    state: {},
    signers: [
      {
        email: 'right@example.com',
        name: 'Right',
        nameAsInvited: 'Right',
        asCreated: { email, name },
        accessTokenAsCreated: accessToken,
        addressSince: iso(MINUTE),
        accessToken: 'new-token',
        status: 'pending',
        sentAt: null,
        openedAt: null,
        viewedAt: null,
        code: { hash: 'new-hash', expiresAt: iso(11 * MINUTE) },
        codeAttempts: 0,
        lastAttemptAt: null,
        codeRequests: [],
        wrongCodes: [],
        codeFailureToldAt: null,
        sessions: [],
        remindersSent: 0,
        remindAt: null,
        mailLeaseUntil: expect.any(String),
      },
      {},
    ],
    audit: [
      {
        type: 'signer_corrected',
        at: iso(MINUTE),
        actor: 'client',
        signerId: id,
        details: { email: 'right@example.com', name: 'Right' },
      },
    ],
    effects: [{ kind: 'correction', signerId: id, notBefore: iso(2 * MINUTE) }],
  });
});

it('what is not given stays, and the address stands for a name that nobody gave', () => {
  const request = reported();
  expect(signerOf(correction(request, { name: 'Right' }))).toMatchObject({
    email: signerOf(request).email,
    addressSince: null,
    name: 'Right',
  });
  const nameless = withSigner(request, { nameAsInvited: null, name: signerOf(request).email });
  expect(signerOf(correction(nameless, { email: 'right@example.com' }))).toMatchObject({
    name: 'right@example.com',
    nameAsInvited: null,
  });
});

it('an empty name does not take the known one away', () => {
  const request = reported();
  const { name, nameAsInvited } = signerOf(request);
  expect(signerOf(correction(request, { email: 'right@example.com', name: '' }))).toMatchObject({
    name,
    nameAsInvited,
  });
});

it('the values that the create answered are kept over several corrections', () => {
  const request = reported();
  const once = applied(request, correction(request));
  const free = withSigner(once, { mailLeaseUntil: null });
  const twice = applied(free, correction(free, { email: 'righter@example.com', accessToken: 'third-token' }));
  expect(asCreated(signerOf(twice))).toEqual(asCreated(signerOf(request)));
  expect(accessTokenAsCreated(signerOf(twice))).toBe(signerOf(request).accessToken);
  expect(signerOf(twice).email).toBe('righter@example.com');
});

it('another signer’s address is refused, and the signer’s own is not', () => {
  const request = reported();
  const [one, two] = request.signers;
  expect(refusal(() => correction(request, { email: two?.email }))).toBe('duplicate_signer');
  expect(refusal(() => correction(request, { email: one?.email }))).toBe('accepted');
  expect(() => correction(request, { email: two?.email })).toThrow(
    expect.objectContaining({ fields: { field: '/email' } }),
  );
});

it('the answer to the create named the address where nobody gave a name', () => {
  const nameless = withSigner(reported(), { nameAsInvited: null });
  const { email } = signerOf(nameless);
  expect(asCreated(signerOf(nameless))).toEqual({ email, name: email });
});

it('a signer who has signed, and one of a request that has ended, cannot be corrected', () => {
  const request = reported();
  expect(refusal(() => correction(applied(request, signedBy(request, 0))))).toBe('signer_not_active');
  expect(refusal(() => correction(withState(request, { status: 'cancelled' })))).toBe('request_not_active');
});

it('a correction waits until invitations are reported, and while the signer is being mailed', () => {
  const leased = withSigner(reported(), { mailLeaseUntil: iso(2 * MINUTE) });
  for (const busy of [sentRequest(), leased])
    expect(refusal(() => correction(busy))).toBeInstanceOf(MailLeaseHeld);
  expect(refusal(() => correction(sentRequest()))).toMatchObject({ until: iso(2 * MINUTE) });
});

describe('a correction whose call died before its mail', () => {
  const resume = (request: SignatureRequest, now = 2 * MINUTE) =>
    resumeCorrection(request, { signerId: signerOf(request).id, codeHash: 'newer' }, at(now));
  const corrected = () => {
    const request = reported();
    return applied(request, correction(request));
  };

  it('is resumed under a new code once its lease ends', () => {
    const request = corrected();
    expect(refusal(() => resume(request, 2 * MINUTE - 1))).toBeInstanceOf(MailLeaseHeld);
    expect(difference(request, resume(request))).toEqual({
      state: {},
      signers: [
        { mailLeaseUntil: iso(3 * MINUTE), code: { hash: 'newer', expiresAt: iso(12 * MINUTE) } },
        {},
      ],
      audit: [],
      effects: [],
    });
  });

  it('is resumed for a signer who has opened the link: without a recorded mail they would never be reminded', () => {
    expect(resume(withSigner(corrected(), { status: 'opened' }))).toBeDefined();
  });

  it('is not resumed after its mail, or after the end of the request', () => {
    expect(resume(withSigner(corrected(), { status: 'sent', sentAt: iso(1) }))).toBeUndefined();
    expect(resume(withSigner(corrected(), { status: 'signed' }))).toBeUndefined();
    expect(resume(withSigner(corrected(), { sentAt: iso(1) }))).toBeUndefined();
    expect(resume(withState(corrected(), { status: 'cancelled' }))).toBeUndefined();
    expect(resume(withState(corrected(), { expiresAt: iso(2 * MINUTE) }))).toBeUndefined();
    expect(resume(withState(corrected(), { expiresAt: iso(2 * MINUTE + 1) }))).toBeDefined();
  });
});

it('the mail after a correction makes the signer sent, with a first reminder', () => {
  const request = reported();
  const corrected = applied(request, correction(request));
  const by = { signerId: signerOf(request).id, sent: true, error: null };
  expect(signerOf(resent(corrected, by, at(MINUTE + SECOND)))).toMatchObject({
    status: 'sent',
    sentAt: iso(MINUTE + SECOND),
    remindAt: expect.any(String),
  });
});
