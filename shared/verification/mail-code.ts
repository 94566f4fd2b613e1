import { ApiError, notFound } from '../contract/api-error.ts';
import { renderCode, renderInvitation, renderResend } from '../mail/render.ts';
import { codeMailed, requestCode } from '../requests/codes.ts';
import { type Correction, correct, resumeCorrection } from '../requests/correcting.ts';
import { MailLeaseHeld, resent, rotateCode } from '../requests/inviting.ts';
import { assertLink, signerById } from '../requests/lifecycle.ts';
import { linkToken } from '../requests/links.ts';
import type { MailOutcome } from '../requests/mails.ts';
import type { Change, SignatureRequest, SignerState, Visitor } from '../requests/model.ts';
import { SECOND, sleep } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { outboxKey } from '../store/keys.ts';
import type { OutboxCorrection, OutboxItem } from '../store/outbox.ts';
import { findBrand } from '../store/owners.ts';
import type { Changed } from '../store/requests.ts';
import type { Locale } from '../texts/languages.ts';
import { newAccessToken } from './code.ts';
import { type CodeMail, type CodeMailing, mailCode, makeCode } from './code-mailing.ts';

const LEASE_WAIT_MS = 15 * SECOND;
/** A mail takes a moment, unless SES is slow: each look reads the whole request. */
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 0.5 * SECOND;
const MAIL_TIMEOUT_MS = 8 * SECOND;

/** Mails a code, and dispatches what follows. */
export interface NewCodeMailing extends CodeMailing {
  send: (items: OutboxItem[]) => Promise<unknown>;
}

/** Waits until no other call mails the signer, then commits the change that takes the mail lease. */
async function leaseAndChange(
  mailing: CodeMailing,
  requestId: string,
  decide: (request: SignatureRequest, now: Date) => Change,
): Promise<Changed> {
  const waitUntil = mailing.now().getTime() + LEASE_WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)) {
    try {
      const changed = await changeRequest(mailing, requestId, decide);
      if (!changed) throw notFound('id');
      return changed;
    } catch (error) {
      if (!(error instanceof MailLeaseHeld)) throw error;
      if (mailing.now().getTime() > waitUntil)
        throw new ApiError('conflict', 'The signer is being mailed by other calls; try again in a minute.', {
          retryAt: error.until,
        });
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}

interface MailedCode {
  request: SignatureRequest;
  /** As mailed: the code may have been used, or the request ended, before the mail's outcome was recorded. */
  signer: SignerState;
  outcome: MailOutcome;
  at: string;
}

interface Ids {
  requestId: string;
  signerId: string;
}

interface Mail {
  mail: CodeMail;
  /** Returns the mail lease. */
  record: (request: SignatureRequest, outcome: MailOutcome, now: Date) => Change;
}

/** Mails a new code and records the outcome. `rotate` stores the code's hash and takes the mail lease. */
async function mailNewCode(
  mailing: NewCodeMailing,
  ids: Ids,
  steps: Mail & { rotate: (request: SignatureRequest, codeHash: string, now: Date) => Change },
): Promise<MailedCode> {
  const { code, codeHash } = makeCode(mailing.codePepper, ids.requestId, ids.signerId);
  const { request, outbox } = await leaseAndChange(mailing, ids.requestId, (current, now) =>
    steps.rotate(current, codeHash, now),
  );
  return mailAndRecord(mailing, { ...ids, request, code, tasks: outbox.map(({ id }) => id) }, steps);
}

/** `tasks`: outbox items that would do the same after a crash; the record ends them. */
async function mailAndRecord(
  mailing: NewCodeMailing,
  {
    request,
    code,
    tasks,
    ...ids
  }: Ids & {
    request: SignatureRequest;
    code: string;
    tasks: string[];
  },
  steps: Mail,
): Promise<MailedCode> {
  const at = mailing.now();
  const signer = signerById(request, ids.signerId);
  const deadline = new Date(at.getTime() + MAIL_TIMEOUT_MS);
  const brand = await findBrand(mailing.table, request.state);
  const outcome = await mailCode(mailing, request, signer, { ...steps.mail, code, brand, deadline });
  const recorded = await changeRequest(
    mailing,
    ids.requestId,
    (current, now) => steps.record(current, outcome, now),
    { known: request, extraWrites: tasks.map((id) => ({ delete: outboxKey(id) })) },
  );
  await mailing.send(recorded?.outbox ?? []);
  return { request: recorded?.request ?? request, signer, outcome, at: at.toISOString() };
}

/** The sender's resend. A signer whom no mail has reached is invited: there were no earlier codes for them. */
export const resendInvitation = (
  mailing: NewCodeMailing,
  ids: Ids,
  by: { locale: Locale | undefined; check: (request: SignatureRequest) => void },
): Promise<MailedCode> =>
  mailNewCode(mailing, ids, {
    rotate: (request, hash, now) => {
      by.check(request);
      return rotateCode(request, { signerId: ids.signerId, codeHash: hash, locale: by.locale }, now);
    },
    mail: {
      kind: 'resend',
      render: (input, { sentAt }) => (sentAt === null ? renderInvitation(input) : renderResend(input)),
    },
    record: (request, result, now) => resent(request, { signerId: ids.signerId, ...result }, now),
  });

const correctionMail = (signerId: string): Mail => ({
  mail: { kind: 'resend', render: renderInvitation },
  record: (request, result, now) => resent(request, { signerId, ...result }, now),
});

/** The sender's correction of a signer, who is then invited with a new link. */
export const correctSigner = (
  mailing: NewCodeMailing,
  ids: Ids,
  by: Pick<Correction, 'email' | 'name'> & { check: (request: SignatureRequest) => void },
): Promise<MailedCode> => {
  const accessToken = linkToken(ids.requestId, newAccessToken());
  return mailNewCode(mailing, ids, {
    ...correctionMail(ids.signerId),
    rotate: (request, codeHash, now) => {
      by.check(request);
      const { email, name } = by;
      return correct(request, { signerId: ids.signerId, email, name, accessToken, codeHash }, now);
    },
  });
};

/** Invites a corrected signer whose call died before it had mailed them. */
export async function completeCorrection(
  mailing: NewCodeMailing,
  { id, requestId, signerId }: OutboxCorrection,
): Promise<void> {
  const { code, codeHash } = makeCode(mailing.codePepper, requestId, signerId);
  const changed = await changeRequest(mailing, requestId, (request, now) =>
    resumeCorrection(request, { signerId, codeHash }, now),
  );
  const isResumed = changed && signerById(changed.request, signerId).code?.hash === codeHash;
  if (!isResumed) return mailing.table.delete(outboxKey(id));
  const { request } = changed;
  await mailAndRecord(mailing, { requestId, signerId, request, code, tasks: [id] }, correctionMail(signerId));
}

export const mailRequestedCode = (
  mailing: NewCodeMailing,
  ids: Ids & { token: string },
  visitor: Visitor,
): Promise<MailedCode> => {
  const by = { signerId: ids.signerId, visitor };
  return mailNewCode(mailing, ids, {
    rotate: (request, hash, now) => {
      assertLink(request, ids.signerId, ids.token);
      return requestCode(request, { ...by, codeHash: hash }, now);
    },
    mail: { kind: 'code', render: renderCode },
    record: (request, result, now) => codeMailed(request, { ...by, ...result }, now),
  });
};
