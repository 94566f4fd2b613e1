import { codeHash, newCode } from '../codes/code.ts';
import { codeMailInput } from '../codes/code-mail.ts';
import type { Mailer } from '../mail/mailer.ts';
import { renderInvitation } from '../mail/render.ts';
import { invitationsAttempted, invited, resumeInvitation } from '../requests/inviting.ts';
import { Refusal, signerById } from '../requests/lifecycle.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';
import { SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { changeSigner } from '../store/signers.ts';
import { ConditionFailed, type Table } from '../store/table.ts';

export interface Inviting {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  codePepper: Buffer;
  now: () => Date;
}

const MAIL_BUDGET = 20 * SECOND;

/** Goes on with an invitation that a crash left without an outcome; where another call has recorded one by now, that stands. */
async function resume({ table, codePepper, now }: Inviting, requestId: string, signerId: string) {
  const code = newCode();
  const hash = codeHash(codePepper, requestId, signerId, code);
  const changed = await changeRequest(
    table,
    requestId,
    (request, time) => resumeInvitation(request, { signerId, codeHash: hash }, time),
    now,
  );
  if (!changed) throw new Refusal('not_found');
  return { signer: signerById(changed.request, signerId), code };
}

/** The outcome is kept at once, so that a crash can cost at most the one mail between its sending and this line. */
async function record(
  inviting: Inviting,
  request: SignatureRequest,
  signer: SignerState,
  after: SignerState,
): Promise<SignerState> {
  const { table } = inviting;
  const pending = { expression: '#status = :pending', values: { pending: 'pending' } };
  try {
    await changeSigner(
      table,
      request.state.id,
      signer,
      after,
      after.status === signer.status ? undefined : pending,
    );
    return after;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Who was mailed a moment ago has opened the link, or the request has ended: that status stays.
    await changeSigner(table, request.state.id, signer, { ...after, status: signer.status });
    return { ...after, status: error.current?.status as SignerState['status'] };
  }
}

/** Mails one signer and keeps the outcome. */
async function invite(
  inviting: Inviting,
  request: SignatureRequest,
  signer: SignerState,
  code: string,
  deadline: Date,
): Promise<SignerState> {
  const content = renderInvitation(codeMailInput(request, signer, code, inviting.baseUrl));
  const outcome = await inviting.mailer(
    { to: signer.email, senderName: request.state.ownerName, content },
    deadline,
  );
  const result = { sent: outcome.sent, error: outcome.sent ? null : outcome.error };
  return record(inviting, request, signer, invited(request, signer, result, inviting.now().toISOString()));
}

/**
 * Mails every signer who has no outcome yet, one after the other: of several mails under way at once a crash would
 * leave several without a record, and each of those signers would get a second mail.
 * `codes` holds the codes of a request that was made a moment ago by this very call.
 */
export async function mailInvitations(
  inviting: Inviting,
  request: SignatureRequest,
  codes: ReadonlyMap<string, string> = new Map(),
): Promise<SignatureRequest> {
  const deadline = new Date(inviting.now().getTime() + MAIL_BUDGET);
  const signers: SignerState[] = [];
  for (const known of request.signers) {
    const fresh = codes.get(known.id);
    const { signer, code } =
      known.invitation || fresh
        ? { signer: known, code: fresh }
        : await resume(inviting, request.state.id, known.id);
    signers.push(
      signer.invitation || !code ? signer : await invite(inviting, request, signer, code, deadline),
    );
  }
  return closeBatch(inviting, { ...request, signers });
}

async function closeBatch({ table, now }: Inviting, request: SignatureRequest): Promise<SignatureRequest> {
  const closed = await changeRequest(
    table,
    request.state.id,
    (current, time) => (current.state.invitedAt ? undefined : invitationsAttempted(current, time)),
    now,
    { known: request },
  );
  return closed?.request ?? request;
}
