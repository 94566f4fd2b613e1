import { ApiError } from '../contract/api-error.ts';
import { renderInvitation } from '../mail/render.ts';
import { invitationsMailed, type Mailed, resumeInvitation } from '../requests/inviting.ts';
import { isActive, signerById } from '../requests/lifecycle.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';
import { SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { type Brand, findBrand } from '../store/owners.ts';
import type { Changed } from '../store/requests.ts';
import type { Write } from '../store/table.ts';
import { type CodeMailing, mailCode, makeCode } from './code-mailing.ts';

const MAIL_TIMEOUT_MS = 20 * SECOND;
const MAILS_AT_ONCE = 5;

/** Resumes an invitation that a crash left without an outcome; undefined if another call has recorded one, or nobody can sign any more. */
async function resume(mailing: CodeMailing, requestId: string, signerId: string) {
  const { code, codeHash } = makeCode(mailing.codePepper, requestId, signerId);
  const changed = await changeRequest(mailing, requestId, (request, time) =>
    resumeInvitation(request, { signerId, codeHash }, time),
  );
  if (!changed) throw new ApiError('not_found');
  const signer = signerById(changed.request, signerId);
  return signer.code?.hash === codeHash ? { signer, code } : undefined;
}

interface Batch {
  request: SignatureRequest;
  brand: Brand | undefined;
  /** By signer, if this call created the request. */
  codes: ReadonlyMap<string, string>;
  deadline: Date;
}

/** Mails one signer; undefined if there is nothing to mail any more. */
async function invite(
  mailing: CodeMailing,
  { request, brand, codes, deadline }: Batch,
  known: SignerState,
): Promise<Mailed | undefined> {
  // The request may have ended while the signers before this one were mailed.
  if (!isActive(request.state)) return undefined;
  const fresh = codes.get(known.id);
  const invitation = fresh
    ? { signer: known, code: fresh }
    : await resume(mailing, request.state.id, known.id);
  if (!invitation) return undefined;
  const { signer, code } = invitation;
  const outcome = await mailCode(mailing, request, signer, {
    kind: 'invitation',
    code,
    render: renderInvitation,
    brand,
    deadline,
  });
  return { ...outcome, at: mailing.now().toISOString() };
}

function record(
  mailing: CodeMailing,
  known: SignatureRequest,
  outcomes: ReadonlyMap<string, Mailed>,
  extraWrites: Write[],
): Promise<Changed | undefined> {
  const decide = (current: SignatureRequest, time: Date) => invitationsMailed(current, outcomes, time);
  // If this call mailed nobody, another call did: the request as known is stale.
  const fresh = outcomes.size > 0 && { known };
  return changeRequest(mailing, known.state.id, decide, { ...fresh, extraWrites });
}

/** Mails some signers at once, and records every outcome even if one of the mails throws. */
async function inviteSome(
  mailing: CodeMailing,
  batch: Batch,
  signers: SignerState[],
  extraWrites: Write[],
): Promise<Changed | undefined> {
  const outcomes = new Map<string, Mailed>();
  const mails = await Promise.allSettled(
    signers.map(async (signer) => {
      const mailed = await invite(mailing, batch, signer);
      if (mailed) outcomes.set(signer.id, mailed);
    }),
  );
  const failed = mails.find((mail) => mail.status === 'rejected');
  // The task must outlive a mail that threw, since it is what repeats it.
  const recorded = await record(mailing, batch.request, outcomes, failed ? [] : extraWrites);
  if (failed) throw failed.reason;
  return recorded;
}

export interface Invitations {
  /** The codes, if this call created the request. */
  codes?: ReadonlyMap<string, string>;
  finalWrites?: Write[];
  /** The owner's brand, null for none; left out to read it. */
  brand?: Brand | null | undefined;
}

/**
 * Mails every signer without an outcome, a few at once: a crash then repeats at most the mails that were under way. The transaction
 * that records the last outcomes includes `finalWrites`.
 */
export async function mailInvitations(
  mailing: CodeMailing,
  request: SignatureRequest,
  { codes = new Map(), finalWrites = [], brand: known }: Invitations = {},
): Promise<Changed> {
  const deadline = new Date(mailing.now().getTime() + MAIL_TIMEOUT_MS);
  const left = isActive(request.state) ? request.signers.filter(({ invitation }) => !invitation) : [];
  const unchanged = { request, outbox: [] };
  if (left.length === 0) return (await record(mailing, request, new Map(), finalWrites)) ?? unchanged;
  const brand = known === undefined ? await findBrand(mailing.table, request.state) : (known ?? undefined);
  let changed: Changed = unchanged;
  for (let start = 0; start < left.length; start += MAILS_AT_ONCE) {
    const end = start + MAILS_AT_ONCE;
    const batch = { request: changed.request, brand, codes, deadline };
    const writes = end < left.length ? [] : finalWrites;
    changed = (await inviteSome(mailing, batch, left.slice(start, end), writes)) ?? changed;
  }
  return changed;
}
