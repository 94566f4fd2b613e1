import type { Locale } from '../contract/fields.ts';
import { ApiError } from '../http/api-error.ts';
import type { Mailer, MailOutcome } from '../mail/mailer.ts';
import { type CodeMailInput, renderCode, renderResend } from '../mail/render.ts';
import { codeMailed, requestCode } from '../requests/codes.ts';
import { BeingMailed, resent, rotateCode } from '../requests/inviting.ts';
import { signerById } from '../requests/lifecycle.ts';
import type { Change, SignatureRequest, Visitor } from '../requests/model.ts';
import { SECOND, sleep } from '../runtime/time.ts';
import { type Changed, changeRequest } from '../store/change.ts';
import type { Table } from '../store/table.ts';
import { codeHash, newCode } from './code.ts';
import { codeMailInput } from './code-mail.ts';

interface CodeMailing {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  codePepper: Buffer;
  now: () => Date;
}

const WAIT_FOR_TURN = 15 * SECOND;
const MAIL_BUDGET = 8 * SECOND;

/** Waits while another mail is under way to the signer, then makes the change that gives this call its turn. */
async function takeTurn(
  mailing: CodeMailing,
  requestId: string,
  decide: (request: SignatureRequest, now: Date) => Change,
): Promise<Changed> {
  const giveUp = mailing.now().getTime() + WAIT_FOR_TURN;
  for (;;) {
    try {
      const changed = await changeRequest(mailing.table, requestId, decide, mailing.now);
      if (!changed) throw new ApiError('not_found');
      return changed;
    } catch (error) {
      if (!(error instanceof BeingMailed)) throw error;
      if (mailing.now().getTime() > giveUp)
        throw new ApiError('conflict', 'The signer is being mailed by other calls; try again in a minute.');
      await sleep(20 + Math.random() * 60);
    }
  }
}

export interface MailedCode {
  request: SignatureRequest;
  outcome: MailOutcome;
  at: string;
}

/**
 * Makes a new code, mails it, and records what became of the mail. `rotate` puts the code's hash in place and takes the
 * signer's turn in one change; `record` gives the turn back.
 */
async function mailNewCode(
  mailing: CodeMailing,
  ids: { requestId: string; signerId: string },
  steps: {
    rotate: (request: SignatureRequest, codeHash: string, now: Date) => Change;
    render: (input: CodeMailInput) => { subject: string; text: string; html: string };
    record: (request: SignatureRequest, result: { sent: boolean; error: string | null }, now: Date) => Change;
  },
): Promise<MailedCode> {
  const code = newCode();
  const hash = codeHash(mailing.codePepper, ids.requestId, ids.signerId, code);
  const { request } = await takeTurn(mailing, ids.requestId, (current, now) =>
    steps.rotate(current, hash, now),
  );
  const at = mailing.now();
  const signer = signerById(request, ids.signerId);
  const content = steps.render(codeMailInput(request, signer, code, mailing.baseUrl));
  const deadline = new Date(at.getTime() + MAIL_BUDGET);
  const outcome = await mailing.mailer(
    { to: signer.email, senderName: request.state.ownerName, content },
    deadline,
  );
  const result = { sent: outcome.sent, error: outcome.sent ? null : outcome.error };
  const recorded = await changeRequest(
    mailing.table,
    ids.requestId,
    (current, now) => steps.record(current, result, now),
    mailing.now,
    { known: request },
  );
  return { request: recorded?.request ?? request, outcome, at: at.toISOString() };
}

/** The sender's resend. */
export const resendInvitation = (
  mailing: CodeMailing,
  ids: { requestId: string; signerId: string },
  by: { locale: Locale | undefined; check: (request: SignatureRequest) => void },
): Promise<MailedCode> =>
  mailNewCode(mailing, ids, {
    rotate: (request, hash, now) => {
      by.check(request);
      return rotateCode(request, { signerId: ids.signerId, codeHash: hash, locale: by.locale }, now);
    },
    render: renderResend,
    record: (request, result, now) => resent(request, { signerId: ids.signerId, ...result }, now),
  });

/** A code that the signer asked for on the page. */
export const mailRequestedCode = (
  mailing: CodeMailing,
  ids: { requestId: string; signerId: string },
  visitor: Visitor,
): Promise<MailedCode> => {
  const by = { signerId: ids.signerId, visitor };
  return mailNewCode(mailing, ids, {
    rotate: (request, hash, now) => requestCode(request, { ...by, codeHash: hash }, now),
    render: renderCode,
    record: (request, result, now) => codeMailed(request, { ...by, ...result }, now),
  });
};
