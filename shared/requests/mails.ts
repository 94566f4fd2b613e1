import type { MailKind, MailResult } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import type { SignerState } from './model.ts';

/** Rules of the record of a signer's mails: what was sent when, and what came of it. */

/** `error` is null for a mail that was sent, and SES's id absent for one that was not. */
export interface MailOutcome {
  sent: boolean;
  error: string | null;
  messageId?: string | undefined;
  /** SES has not taken the mail and may do so later. */
  isPostponed?: boolean | undefined;
}

interface MailRecord {
  kind: MailKind;
  sentAt: string;
  outcome: MailResult;
  at: string;
}

type Recorded = Pick<SignerState, 'mails' | 'returnedMails'>;

/** A signer's mails with another one, for the sender to store. */
export const withMail = (
  { mails }: Recorded,
  kind: MailKind,
  { sent, messageId }: MailOutcome,
  at: string,
): SignerState['mails'] => [...mails, { id: messageId ?? null, kind, at, sent }].slice(-LIMITS.mailsInAnswer);

/** As many as are kept, oldest first. */
export const newest = <T extends { sentAt: string }>(mails: T[]): T[] =>
  mails.toSorted((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt)).slice(-LIMITS.mailsInAnswer);

/** The newest mails of a signer, oldest first. One that came back before its sender wrote it down is among them. */
export function mailsOf({ mails, returnedMails }: Recorded): MailRecord[] {
  const known = mails.map(({ id, kind, at, sent }): MailRecord => {
    const returned = returnedMails.find((mail) => mail.id === id);
    return {
      kind,
      sentAt: at,
      outcome: returned?.outcome ?? (sent ? 'sent' : 'failed'),
      at: returned?.at ?? at,
    };
  });
  const unknown = returnedMails
    .filter(({ id }) => !mails.some((mail) => mail.id === id))
    .map(({ id: _id, ...mail }): MailRecord => mail);
  return newest([...known, ...unknown]);
}

const hasReturned = ({ outcome }: MailRecord) => outcome === 'bounced' || outcome === 'complained';

/** True if a mail to the signer's address came back, or was reported as spam, since the sender last sent the invitation. */
export function isUnreachable(signer: Recorded & Pick<SignerState, 'addressSince'>): boolean {
  const mails = mailsOf(signer).filter(({ sentAt }) => sentAt >= (signer.addressSince ?? ''));
  const resent = mails.findLastIndex(({ kind, outcome }) => kind === 'resend' && outcome !== 'failed');
  return mails.slice(Math.max(resent, 0)).some(hasReturned);
}
