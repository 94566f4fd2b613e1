import { ApiError } from '../contract/api-error.ts';
import { renderInvitation } from '../mail/render.ts';
import { invitationsAttempted, invited, resumeInvitation } from '../requests/inviting.ts';
import { signerById } from '../requests/lifecycle.ts';
import { type SignatureRequest, type SignerState, signerState } from '../requests/model.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { parseItem } from '../store/items.ts';
import { changeSigner } from '../store/signers.ts';
import { ConditionFailed } from '../store/table.ts';
import { type CodeMailing, mailCode, makeCode } from './code-mailing.ts';

const MAIL_TIMEOUT_MS = 20 * SECOND;
const MAILS_AT_ONCE = 5;

/** Resumes an invitation that a crash left without an outcome, unless another call has recorded one meanwhile. */
async function resume({ table, codePepper, now }: CodeMailing, requestId: string, signerId: string) {
  const { code, codeHash } = makeCode(codePepper, requestId, signerId);
  const changed = await changeRequest(
    table,
    requestId,
    (request, time) => resumeInvitation(request, { signerId, codeHash }, time),
    now,
  );
  if (!changed) throw new ApiError('not_found');
  return { signer: signerById(changed.request, signerId), code };
}

/** Records the outcome at once, so that a crash cannot repeat this mail. */
async function record(
  mailing: CodeMailing,
  request: SignatureRequest,
  signer: SignerState,
  after: SignerState,
): Promise<SignerState> {
  const { table } = mailing;
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
    // The signer opened the link, or the request ended, while the mail was sent: keep that status.
    await changeSigner(table, request.state.id, signer, { ...after, status: signer.status });
    return { ...after, status: error.current ? parseItem(signerState, error.current).status : signer.status };
  }
}

/** Mails one signer and records the outcome. */
async function invite(
  mailing: CodeMailing,
  request: SignatureRequest,
  signer: SignerState,
  code: string,
  deadline: Date,
): Promise<SignerState> {
  const outcome = await mailCode(mailing, request, signer, {
    kind: 'invitation',
    code,
    render: renderInvitation,
    deadline,
  });
  return record(mailing, request, signer, invited(request, signer, outcome, mailing.now().toISOString()));
}

/** Mails a signer who has no outcome yet. `fresh` is the code if this call created the request. */
async function inviteOnce(
  mailing: CodeMailing,
  request: SignatureRequest,
  known: SignerState,
  fresh: string | undefined,
  deadline: Date,
): Promise<SignerState> {
  if (known.invitation) return known;
  const { signer, code } = fresh
    ? { signer: known, code: fresh }
    : await resume(mailing, request.state.id, known.id);
  return signer.invitation ? signer : invite(mailing, request, signer, code, deadline);
}

/**
 * Mails every signer without an outcome, a few at once: a crash then repeats at most the mails that were under way.
 * `codes` holds the codes if this call created the request.
 */
export async function mailInvitations(
  mailing: CodeMailing,
  request: SignatureRequest,
  codes: ReadonlyMap<string, string> = new Map(),
): Promise<SignatureRequest> {
  const deadline = new Date(mailing.now().getTime() + MAIL_TIMEOUT_MS);
  const signers = [...request.signers];
  await inParallel(
    request.signers.entries(),
    async ([place, known]) => {
      signers[place] = await inviteOnce(mailing, request, known, codes.get(known.id), deadline);
    },
    MAILS_AT_ONCE,
  );
  return closeBatch(mailing, { ...request, signers });
}

async function closeBatch({ table, now }: CodeMailing, request: SignatureRequest): Promise<SignatureRequest> {
  const closed = await changeRequest(
    table,
    request.state.id,
    (current, time) => (current.state.invitedAt ? undefined : invitationsAttempted(current, time)),
    now,
    { known: request },
  );
  return closed?.request ?? request;
}
