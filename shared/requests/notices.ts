import type { MailKind } from '../contract/fields.ts';
import { withSigner } from './lifecycle.ts';
import { type MailOutcome, withMail } from './mails.ts';
import {
  type AuditEntry,
  type AuditType,
  type Change,
  changeOf,
  NOTICES,
  type NoticeEffect,
  type NoticeReason,
  SENDER,
  type SignatureRequest,
  type SignerState,
} from './model.ts';

type ReasonFor<Who extends 'sender' | 'signers'> = {
  [Reason in NoticeReason]: (typeof NOTICES)[Reason][Who] extends true ? Reason : never;
}[NoticeReason];
export const isForSender = (reason: NoticeReason): reason is ReasonFor<'sender'> => NOTICES[reason].sender;
export type SignerReason = ReasonFor<'signers'>;
export const isForSigners = (reason: NoticeReason): reason is SignerReason => NOTICES[reason].signers;

/** The notice that follows from a change. Which of the recipients are mailed is decided when it is sent. */
export function noticeOf(
  reason: NoticeReason,
  { signers }: Pick<SignatureRequest, 'signers'>,
  about: readonly SignerState[] = [],
): NoticeEffect {
  const ids = about.map(({ id }) => id);
  const others = signers.map(({ id }) => id).filter((id) => !ids.includes(id));
  const told = NOTICES[reason];
  return {
    kind: 'notice',
    reason,
    recipients: [...(told.sender ? [SENDER] : []), ...(told.signers ? others : [])],
    about: ids,
  };
}

/** Signers who have not been mailed that the document is sealed. */
const awaitsSealedNotice = ({ state }: SignatureRequest, signer: SignerState): boolean =>
  state.status === 'signed' && signer.status === 'signed' && !signer.sealedNotice;

/** Also by a resend that was under way when the request ended, which counts for nothing else. */
const wasInvited = ({ sentAt, mails, addressSince }: SignerState): boolean =>
  sentAt !== null ||
  mails.some(({ kind, sent, at }) => kind === 'resend' && sent && at >= (addressSince ?? ''));

/** Of the seal, all who signed are told; of another ending, those whose invitation was sent, unless they were erased. */
export const isToldOf = (reason: NoticeReason, request: SignatureRequest, signer: SignerState): boolean =>
  reason === 'completed' ? awaitsSealedNotice(request, signer) : wasInvited(signer) && !signer.erasedAt;

/** True while a mail is under way that may turn out to be the signer's invitation. */
export const isBeingInvited = (signer: SignerState, now: Date): boolean =>
  signer.sentAt === null && (signer.mailLeaseUntil ?? '') > now.toISOString();

function eventOf(reason: NoticeReason, recipient: string, sent: boolean): AuditType {
  if (recipient === SENDER) return sent ? 'sender_notice_sent' : 'sender_notice_failed';
  if (reason === 'completed') return sent ? 'sealed_notice_sent' : 'sealed_notice_failed';
  return sent ? 'signer_notice_sent' : 'signer_notice_failed';
}

/** A notice's mail and its outcome; `kind` is that of a signer's mail. */
export type NoticeMailed = { recipient: string; kind: MailKind | null } & MailOutcome;

/** Records the outcomes of mails that were sent at once. The sender is told of those that signers could not be mailed. */
export function noticesMailed(
  request: SignatureRequest,
  reason: NoticeReason,
  mails: readonly NoticeMailed[],
  now: Date,
): Change {
  const at = now.toISOString();
  const signerOf = ({ recipient }: NoticeMailed) => request.signers.find(({ id }) => id === recipient);
  const signers = mails.flatMap((mail): SignerState[] => {
    const signer = signerOf(mail);
    if (!signer || !mail.kind) return [];
    const { sent, error } = mail;
    const sealedNotice =
      reason === 'completed' ? firstNotice(signer.sealedNotice, { at, sent, error }) : signer.sealedNotice;
    return [{ ...signer, mails: withMail(signer, mail.kind, mail, at), sealedNotice }];
  });
  const audit = mails.map((mail): AuditEntry => {
    const signer = signerOf(mail);
    const isSealedNotice = reason === 'completed' && signer !== undefined;
    return {
      type: eventOf(reason, mail.recipient, mail.sent),
      at,
      actor: 'service',
      ...(signer && { signerId: signer.id }),
      details: { ...(!isSealedNotice && { notice: reason }), ...(mail.error && { error: mail.error }) },
    };
  });
  const unreached = mails.flatMap((mail) => (mail.sent ? [] : (signerOf(mail) ?? [])));
  return changeOf(request, {
    signers: signers.reduce(withSigner, request.signers),
    audit,
    effects: unreached.length > 0 ? [noticeOf('mail_failed', request, unreached)] : [],
  });
}

type SealedNotice = NonNullable<SignerState['sealedNotice']>;

/** Of several, the first that was sent, or else the first: two runs may mail the same notice. */
const firstNotice = (known: SealedNotice | null, notice: SealedNotice): SealedNotice =>
  known && (known.sent || !notice.sent) ? known : notice;

/** A task from before there were other notices, as a notice to the signers who still await theirs. */
export function sealedNotices(request: SignatureRequest): Change {
  const recipients = request.signers.filter((signer) => awaitsSealedNotice(request, signer));
  return changeOf(request, {
    effects: [{ kind: 'notice', reason: 'completed', recipients: recipients.map(({ id }) => id), about: [] }],
  });
}
