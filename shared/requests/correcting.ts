import { ApiError } from '../contract/api-error.ts';
import { after } from '../runtime/time.ts';
import { MAIL_LEASE } from './creating.ts';
import { assertMayBeMailed, freshCodeEntry, MailLeaseHeld, mailLeased } from './inviting.ts';
import { mayStillSign, signerById, takesSignatures, withSigner } from './lifecycle.ts';
import { type Change, changeOf, type SignatureRequest, type SignerState } from './model.ts';

/** Rules for correcting a signer's address or name before they sign. */

export interface Correction {
  signerId: string;
  email?: string | undefined;
  name?: string | undefined;
  accessToken: string;
  codeHash: string;
}

/** A signer's values in the answer to the create. */
export const asCreated = (signer: SignerState): NonNullable<SignerState['asCreated']> =>
  signer.asCreated ?? { email: signer.email, name: signer.nameAsInvited ?? signer.email };
export const accessTokenAsCreated = ({ accessToken, accessTokenAsCreated }: SignerState): string =>
  accessTokenAsCreated ?? accessToken;

export function assertUnique({ signers }: SignatureRequest, signerId: string, email: string): void {
  const other = signers.find((signer) => signer.id !== signerId && signer.email === email);
  const message = 'email is already the address of another signer of this request.';
  if (other) throw new ApiError('duplicate_signer', message, { field: '/email' });
}

/**
 * The signer may be another person now: link and code are new, sessions end, and nothing that was done with the earlier
 * link counts as theirs. The mail that follows makes the signer `sent` again (`resent`).
 */
export function correct(request: SignatureRequest, by: Correction, now: Date): Change {
  const signer = signerById(request, by.signerId);
  assertMayBeMailed(request, signer, now);
  // The trail reports invitations together; one that was mailed before must not be reported after.
  if (!request.state.invitationsReportedAt) throw new MailLeaseHeld(after(now, MAIL_LEASE));
  const email = by.email ?? signer.email;
  assertUnique(request, signer.id, email);
  const nameAsInvited = by.name || signer.nameAsInvited;
  const at = now.toISOString();
  const entry = freshCodeEntry(signer, by.codeHash, now);
  const corrected: SignerState = {
    ...signer,
    email,
    name: nameAsInvited ?? email,
    nameAsInvited,
    asCreated: asCreated(signer),
    accessTokenAsCreated: accessTokenAsCreated(signer),
    accessToken: by.accessToken,
    addressSince: email === signer.email ? signer.addressSince : at,
    status: 'pending',
    sentAt: null,
    openedAt: null,
    viewedAt: null,
    ...entry,
    codeFailureToldAt: null,
    sessions: [],
    remindersSent: 0,
    remindAt: null,
  };
  return changeOf(request, {
    signers: withSigner(request.signers, corrected),
    audit: [
      {
        type: 'signer_corrected',
        at,
        actor: 'client',
        signerId: signer.id,
        details: { email, name: nameAsInvited },
      },
    ],
    effects: [{ kind: 'correction', signerId: signer.id, notBefore: entry.mailLeaseUntil }],
  });
}

/** Resumes a correction whose call died before its mail: with a new code, since only the hash of the first one was stored. */
export function resumeCorrection(
  request: SignatureRequest,
  by: Pick<Correction, 'signerId' | 'codeHash'>,
  now: Date,
): Change | undefined {
  const signer = signerById(request, by.signerId);
  const awaitsMail = signer.sentAt === null && mayStillSign(signer);
  if (!awaitsMail || !takesSignatures(request.state, now)) return undefined;
  return mailLeased(request, signer, by.codeHash, now);
}
