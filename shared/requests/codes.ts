import { after, MINUTE, SECOND } from '../runtime/time.ts';
import { CODE_MINUTES } from './creating.ts';
import { leaseFor } from './inviting.ts';
import { deadLink, Refusal, signerById, withSigner } from './lifecycle.ts';
import type { AuditEntry, Change, SignatureRequest, SignerState, Visitor } from './model.ts';

/** The rules of one-time codes: how many tries, how many codes, how long a lock. */

export const MAX_ATTEMPTS = 5;
const LOCK = 15 * MINUTE;
const WINDOW = 15 * MINUTE;
const CODES_IN_WINDOW = 5;
const PAUSE = 30 * SECOND;

interface By {
  signerId: string;
  visitor: Visitor;
}

/** Until when wrong attempts keep the link locked; null while they do not. */
export function lockedUntil(signer: SignerState, now: Date): string | null {
  if (signer.codeAttempts < MAX_ATTEMPTS || !signer.lastAttemptAt) return null;
  const until = after(signer.lastAttemptAt, LOCK);
  return now.toISOString() < until ? until : null;
}

export function assertNotLocked(signer: SignerState, now: Date): void {
  const until = lockedUntil(signer, now);
  if (until) throw new Refusal('locked', { retryAt: until, fields: { locked_until: until } });
}

export const nextCodeAt = (signer: SignerState): string | null => {
  const last = signer.codeRequests.at(-1);
  return last ? after(last, PAUSE) : null;
};

function livingSigner(request: SignatureRequest, signerId: string, now: Date): SignerState {
  const signer = signerById(request, signerId);
  const dead = deadLink(request, signer, now);
  if (dead) throw new Refusal(dead);
  return signer;
}

/** A code asked for on the page. Only these are counted, not the invitation's or the sender's resends. */
export function requestCode(request: SignatureRequest, by: By & { codeHash: string }, now: Date): Change {
  const signer = livingSigner(request, by.signerId, now);
  assertNotLocked(signer, now);
  const at = now.toISOString();
  const recent = signer.codeRequests.filter((time) => after(time, WINDOW) > at);
  const pauseEnds = nextCodeAt(signer);
  if (pauseEnds && at < pauseEnds) throw new Refusal('too_many_codes', { retryAt: pauseEnds });
  const [oldest] = recent;
  if (oldest && recent.length >= CODES_IN_WINDOW)
    throw new Refusal('too_many_codes', { retryAt: after(oldest, WINDOW) });
  const leased: SignerState = {
    ...signer,
    code: { hash: by.codeHash, expiresAt: after(at, CODE_MINUTES * MINUTE) },
    codeAttempts: 0,
    lastAttemptAt: null,
    codeRequests: [...recent, at],
    mailLeaseUntil: leaseFor(signer, now),
  };
  return { state: request.state, signers: withSigner(request.signers, leased), audit: [], follow: [] };
}

/** What became of the mail. One that could not be handed over does not count against the signer. */
export function codeMailed(
  request: SignatureRequest,
  by: By & { sent: boolean; error: string | null },
  now: Date,
): Change {
  const signer = signerById(request, by.signerId);
  const mailed: SignerState = {
    ...signer,
    mailLeaseUntil: null,
    codeRequests: by.sent ? signer.codeRequests : signer.codeRequests.slice(0, -1),
  };
  const entry: AuditEntry = {
    type: by.sent ? 'code_sent' : 'code_failed',
    at: now.toISOString(),
    actor: 'signer',
    signerId: signer.id,
    visitor: by.visitor,
    details: by.error ? { error: by.error } : {},
  };
  return { state: request.state, signers: withSigner(request.signers, mailed), audit: [entry], follow: [] };
}

/** The code that an attempt is held against; refused where there is none to try. */
export function codeToTry(
  request: SignatureRequest,
  signerId: string,
  now: Date,
): { signer: SignerState; hash: string } {
  const signer = livingSigner(request, signerId, now);
  assertNotLocked(signer, now);
  if (!signer.code || now.toISOString() >= signer.code.expiresAt) throw new Refusal('code_expired');
  return { signer, hash: signer.code.hash };
}

/** The attempt was wrong. It has been counted already; this writes it into the trail. */
export function wrongCode(request: SignatureRequest, by: By & { attempts: number }, now: Date): Change {
  const entry = {
    at: now.toISOString(),
    actor: 'signer',
    signerId: by.signerId,
    visitor: by.visitor,
  } as const;
  const locked = by.attempts >= MAX_ATTEMPTS;
  return {
    state: request.state,
    signers: request.signers,
    audit: [
      { ...entry, type: 'code_wrong', details: { attempts_left: MAX_ATTEMPTS - by.attempts } },
      ...(locked ? [{ ...entry, type: 'link_locked' } as const] : []),
    ],
    follow: [],
  };
}

/** The attempt was right: the code is used up. */
export function codeVerified(request: SignatureRequest, by: By & { codeHash: string }, now: Date): Change {
  const signer = livingSigner(request, by.signerId, now);
  if (signer.code?.hash !== by.codeHash) throw new Refusal('code_expired');
  const verified: SignerState = { ...signer, code: null, codeAttempts: 0, lastAttemptAt: null };
  return {
    state: request.state,
    signers: withSigner(request.signers, verified),
    audit: [
      {
        type: 'code_verified',
        at: now.toISOString(),
        actor: 'signer',
        signerId: signer.id,
        visitor: by.visitor,
      },
    ],
    follow: [],
  };
}

/** The document was shown; the first time counts. */
export function documentViewed(request: SignatureRequest, by: By, now: Date): Change | undefined {
  const signer = signerById(request, by.signerId);
  if (signer.viewedAt) return undefined;
  const at = now.toISOString();
  return {
    state: request.state,
    signers: withSigner(request.signers, { ...signer, viewedAt: at }),
    audit: [{ type: 'document_viewed', at, actor: 'signer', signerId: signer.id, visitor: by.visitor }],
    follow: [],
  };
}
