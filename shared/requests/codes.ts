import { ApiError } from '../contract/api-error.ts';
import type { MailKind } from '../contract/fields.ts';
import { after, DAY, MINUTE, SECOND } from '../runtime/time.ts';
import { codeOf } from './creating.ts';
import { leaseFor } from './inviting.ts';
import { livingSigner, mayStillSign, signerById, withSigner } from './lifecycle.ts';
import { type MailOutcome, withMail } from './mails.ts';
import {
  type AuditEntry,
  type Change,
  changeOf,
  type Effect,
  type RequestState,
  type Session,
  type SignatureRequest,
  type SignerState,
  type Visitor,
} from './model.ts';
import { noticeOf } from './notices.ts';

/** Rules of one-time codes: attempts, rate limits, locks and the end of code entry. */

export const MAX_ATTEMPTS = 5;
const LOCK = 15 * MINUTE;
const WINDOW = 15 * MINUTE;
const CODES_IN_WINDOW = 5;
const PAUSE = 30 * SECOND;
/** So many wrong codes, or codes asked for, end code entry until the sender resends. */
const MOST_CODES = 20;

interface By {
  signerId: string;
  visitor: Visitor;
}

/**
 * Counts since the sender's last mail. For a signer who has signed, whom nobody can resend to, counts the last 24
 * hours.
 */
const counted = (signer: SignerState, times: readonly string[], now: Date): string[] =>
  signer.status === 'signed' ? times.filter((time) => after(time, DAY) > now.toISOString()) : [...times];

/** No code is taken or mailed while a lock lasts: until its time, or until the sender resends if it has none. */
interface Lock {
  until: string | null;
}

function endOfEntry(signer: SignerState, times: readonly string[], now: Date): Lock | undefined {
  const oldest = counted(signer, times, now).at(-MOST_CODES);
  return oldest === undefined ? undefined : { until: signer.status === 'signed' ? after(oldest, DAY) : null };
}

/** The lock after wrong codes. */
export function lockOf(signer: SignerState, now: Date): Lock | undefined {
  const ended = endOfEntry(signer, signer.wrongCodes, now);
  if (ended) return ended;
  if (signer.codeAttempts < MAX_ATTEMPTS || !signer.lastAttemptAt) return undefined;
  const until = after(signer.lastAttemptAt, LOCK);
  return now.toISOString() < until ? { until } : undefined;
}

const validCode = (signer: SignerState, now: Date) =>
  signer.code && now.toISOString() < signer.code.expiresAt ? signer.code : undefined;

const CARRY_CODES: readonly MailKind[] = ['invitation', 'resend', 'code'];

/** A code to sign with ends with the time to sign. */
export function codeEnd({ expiresAt }: Pick<RequestState, 'expiresAt'>, signer: SignerState): string | null {
  const end = signer.code?.expiresAt ?? null;
  return end !== null && mayStillSign(signer) && expiresAt < end ? expiresAt : end;
}

/** Until when the code that was mailed last can be entered; null if it cannot. A new code ends the old one even if its mail fails. */
export function codeExpiry(state: RequestState, signer: SignerState, now: Date): string | null {
  const mail = signer.mails.findLast(({ kind }) => CARRY_CODES.includes(kind));
  if (lockOf(signer, now) || mail?.sent === false) return null;
  return validCode(signer, now) ? codeEnd(state, signer) : null;
}

/** True if the signer has no code that could be entered, and can get none until the sender resends. */
export const hasCodeEntryEnded = (signer: SignerState, now: Date): boolean =>
  lockOf(signer, now)?.until === null ||
  (!validCode(signer, now) && endOfEntry(signer, signer.codeRequests, now)?.until === null);

/** True if too many codes were tried or asked for, even while the last one can still be entered. */
export const hasUsedUpCodes = (signer: SignerState, now: Date): boolean =>
  [signer.wrongCodes, signer.codeRequests].some((times) => endOfEntry(signer, times, now) !== undefined);

function refuseLocked(lock: Lock | undefined): void {
  if (!lock) return;
  const { until } = lock;
  const fields = { locked_until: until };
  if (until) throw new ApiError('locked', undefined, { retryAt: until, fields });
  const message = 'Too many codes were tried or asked for; the sender has to send the link again.';
  throw new ApiError('locked', message, { fields });
}

export const assertNotLocked = (signer: SignerState, now: Date): void => refuseLocked(lockOf(signer, now));

export const nextCodeAt = (signer: SignerState): string | null => {
  const last = signer.codeRequests.at(-1);
  return last ? after(last, PAUSE) : null;
};

/** When codes could not be mailed, since the sender's last resend. */
function failedCodes({ mails }: SignerState): string[] {
  const resend = mails.findLastIndex(({ kind }) => kind === 'resend');
  const failed = mails.slice(resend + 1).filter(({ kind, sent }) => kind === 'code' && !sent);
  return failed.map(({ at }) => at);
}

/** Only codes that the signer asks for are rate-limited, not invitations and resends. */
export function assertMayRequestCode(signer: SignerState, now: Date): void {
  refuseLocked(lockOf(signer, now) ?? endOfEntry(signer, signer.codeRequests, now));
  const at = now.toISOString();
  const asked = [...signer.codeRequests, ...failedCodes(signer)].sort();
  const recent = asked.filter((time) => after(time, WINDOW) > at);
  const pauseEnds = nextCodeAt(signer);
  if (pauseEnds && at < pauseEnds) throw new ApiError('too_many_codes', undefined, { retryAt: pauseEnds });
  const oldest = recent.at(-CODES_IN_WINDOW);
  if (oldest) throw new ApiError('too_many_codes', undefined, { retryAt: after(oldest, WINDOW) });
}

export function requestCode(request: SignatureRequest, by: By & { codeHash: string }, now: Date): Change {
  const signer = livingSigner(request, by.signerId, now);
  assertMayRequestCode(signer, now);
  const leased: SignerState = {
    ...signer,
    code: codeOf(by.codeHash, now),
    codeAttempts: 0,
    lastAttemptAt: null,
    codeRequests: [...counted(signer, signer.codeRequests, now), now.toISOString()],
    mailLeaseUntil: leaseFor(signer, now),
  };
  return changeOf(request, { signers: withSigner(request.signers, leased) });
}

const isWithinDay = (time: string | null, now: Date) => time !== null && after(time, DAY) > now.toISOString();

/** The sender is not told about a signer who has signed: there is nothing to do, since code entry reopens by itself. */
const codeEntryEnded = (request: SignatureRequest, signer: SignerState): Effect[] =>
  mayStillSign(signer) ? [noticeOf('code_entry_ended', request, [signer])] : [];

/**
 * Records the outcome of a code mail. The sender is told of one that failed, at most once a day for each signer. The signer may
 * ask again at once, and it brings the end of code entry no nearer. But it is one of the codes in 15 minutes: each is a call of SES and an
 * event in the trail.
 */
export function codeMailed(request: SignatureRequest, by: By & MailOutcome, now: Date): Change {
  const signer = signerById(request, by.signerId);
  const tellsOfFailure = !by.sent && !isWithinDay(signer.codeFailureToldAt, now);
  const mailed: SignerState = {
    ...signer,
    mailLeaseUntil: null,
    codeRequests: by.sent ? signer.codeRequests : signer.codeRequests.slice(0, -1),
    mails: withMail(signer, 'code', by, now.toISOString()),
    codeFailureToldAt: tellsOfFailure ? now.toISOString() : signer.codeFailureToldAt,
  };
  const entry = { at: now.toISOString(), actor: 'signer', signerId: signer.id, visitor: by.visitor } as const;
  const isLast = by.sent && endOfEntry(mailed, mailed.codeRequests, now) !== undefined;
  return changeOf(request, {
    signers: withSigner(request.signers, mailed),
    audit: [
      {
        ...entry,
        type: by.sent ? 'code_sent' : 'code_failed',
        details: by.error ? { error: by.error } : {},
      },
      ...(isLast ? [{ ...entry, type: 'code_entry_ended' } as const] : []),
    ],
    effects: [
      ...(tellsOfFailure ? [noticeOf('mail_failed', request, [signer])] : []),
      ...(isLast ? codeEntryEnded(request, signer) : []),
    ],
  });
}

/** Returns the hash to compare an attempt with; refuses if the link is locked or no code is valid. */
export function codeToTry(
  request: SignatureRequest,
  signerId: string,
  now: Date,
): { signer: SignerState; hash: string } {
  const signer = livingSigner(request, signerId, now);
  assertNotLocked(signer, now);
  const code = validCode(signer, now);
  if (!code || signer.codeAttempts >= MAX_ATTEMPTS) throw new ApiError('code_expired');
  return { signer, hash: code.hash };
}

/**
 * Counts an attempt, right or wrong, in one change, so that nobody learns its result before it is stored. Refuses it if
 * the code with this hash was replaced meanwhile. A right one opens a session.
 */
export function attemptCode(
  request: SignatureRequest,
  by: By & { codeHash: string; opens: Session | null },
  now: Date,
): Change {
  const { signer, hash } = codeToTry(request, by.signerId, now);
  if (hash !== by.codeHash) throw new ApiError('code_expired');
  const entry = { at: now.toISOString(), actor: 'signer', signerId: signer.id, visitor: by.visitor } as const;
  const { signer: tried, audit } = by.opens ? rightCode(signer, by.opens, now) : wrongCode(signer, now);
  return changeOf(request, {
    signers: withSigner(request.signers, tried),
    audit: audit.map((each) => ({ ...entry, ...each })),
    effects: audit.some(({ type }) => type === 'code_entry_ended') ? codeEntryEnded(request, signer) : [],
  });
}

interface Attempted {
  signer: SignerState;
  audit: Pick<AuditEntry, 'type' | 'details'>[];
}

const MOST_SESSIONS = 5;

/** A right attempt uses up the code. If there would be too many sessions, the oldest ends. */
const rightCode = (signer: SignerState, opened: Session, now: Date): Attempted => ({
  signer: {
    ...signer,
    code: null,
    codeAttempts: 0,
    lastAttemptAt: null,
    sessions: [...signer.sessions.filter((session) => isOpen(session, now)), opened].slice(-MOST_SESSIONS),
  },
  audit: [{ type: 'code_verified' }],
});

export const isOpen = ({ expiresAt }: Session, now: Date) => now.toISOString() < expiresAt;

function wrongCode(signer: SignerState, now: Date): Attempted {
  const at = now.toISOString();
  const tried: SignerState = {
    ...signer,
    codeAttempts: signer.codeAttempts + 1,
    lastAttemptAt: at,
    wrongCodes: [...counted(signer, signer.wrongCodes, now), at],
  };
  const left = MAX_ATTEMPTS - tried.codeAttempts;
  return {
    signer: tried,
    audit: [
      { type: 'code_wrong', details: { attempts_left: left } },
      ...(left === 0 ? [{ type: 'link_locked' } as const] : []),
      ...(endOfEntry(tried, tried.wrongCodes, now) ? [{ type: 'code_entry_ended' } as const] : []),
    ],
  };
}

/** Records the first time the document was shown to a signer. */
export function documentViewed(request: SignatureRequest, by: By, now: Date): Change | undefined {
  const signer = signerById(request, by.signerId);
  if (signer.viewedAt) return undefined;
  const at = now.toISOString();
  return changeOf(request, {
    signers: withSigner(request.signers, { ...signer, viewedAt: at }),
    audit: [{ type: 'document_viewed', at, actor: 'signer', signerId: signer.id, visitor: by.visitor }],
  });
}
