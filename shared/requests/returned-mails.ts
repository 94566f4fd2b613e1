import { withSigner } from './lifecycle.ts';
import { isUnreachable, newest } from './mails.ts';
import { type Change, changeOf, type ReturnedMail, type SignatureRequest } from './model.ts';
import { noticeOf } from './notices.ts';

/**
 * Records that a mail bounced permanently or was reported as spam; undefined if that is known. It stops reminders, and
 * the sender is told once until they resend. A mail from before the last resend, or to an address that was corrected,
 * does neither.
 */
export function mailReturned(
  request: SignatureRequest,
  { signerId, ...mail }: { signerId: string } & Omit<ReturnedMail, 'at'>,
  now: Date,
): Change | undefined {
  const signer = request.signers.find(({ id }) => id === signerId);
  if (!signer || signer.returnedMails.some(({ id }) => id === mail.id)) return undefined;
  const at = now.toISOString();
  const returned = { ...mail, at };
  const returnedMails = newest([...signer.returnedMails, returned]);
  if (!returnedMails.includes(returned)) return undefined;
  const type = mail.outcome === 'bounced' ? 'mail_bounced' : 'mail_complained';
  const known = { ...signer, returnedMails };
  // The bounce of a resend may come before its sender has written it down.
  const sent = { id: mail.id, kind: mail.kind, at: mail.sentAt, sent: true };
  const wasReachable = !isUnreachable({ ...signer, mails: [...signer.mails, sent] });
  const isNews = wasReachable && isUnreachable(known) && !signer.erasedAt;
  return changeOf(request, {
    signers: withSigner(request.signers, known),
    audit: [
      { type, at, actor: 'service', signerId, details: { mail: mail.kind, mail_sent_at: mail.sentAt } },
    ],
    effects: isNews ? [noticeOf(type, request, [signer])] : [],
  });
}
