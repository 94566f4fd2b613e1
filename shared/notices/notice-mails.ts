import type { MailKind } from '../contract/fields.ts';
import type { MailContent } from '../mail/mailer.ts';
import { renderSealed, renderSenderNotice, renderSignerNotice } from '../mail/render.ts';
import { hasUsedUpCodes } from '../requests/codes.ts';
import { hasFiles } from '../requests/ending.ts';
import { copyEndsAt, mayStillSign, takesSignatures } from '../requests/lifecycle.ts';
import { copyUrl, requestUrl } from '../requests/links.ts';
import { isUnreachable } from '../requests/mails.ts';
import { type Notice, SENDER, type SignatureRequest, type SignerState } from '../requests/model.ts';
import { isForSender, isForSigners, isToldOf, type SignerReason } from '../requests/notices.ts';
import { present } from '../runtime/present.ts';
import { type Brand, type Owner, senderAddress } from '../store/owners.ts';
import type { Locale } from '../texts/languages.ts';

export interface NoticeMail {
  recipient: string;
  to: string;
  content: MailContent;
  /** Null for the sender's. */
  kind: MailKind | null;
  /** The token of the link to the sealed files, which is stored before the mail is sent. */
  copyToken?: string;
}

interface Sender {
  owner: Owner | undefined;
  /** The user who made the request on the dashboard, and still belongs to its owner. */
  maker: { email: string } | null;
  locale: Locale;
}

/** Targets of the links in mails. */
interface Links {
  baseUrl: string;
  newToken: () => string;
  now: () => Date;
}

function signerMail(
  { state }: SignatureRequest,
  signer: SignerState,
  reason: SignerReason,
  { baseUrl, newToken, now, brand }: Links & { brand: Brand | undefined },
): Pick<NoticeMail, 'content' | 'kind' | 'copyToken'> {
  const common = {
    locale: signer.locale,
    senderName: state.ownerName,
    brand,
    title: state.title,
    signerName: signer.nameAsSigned ?? signer.name,
    sentAt: now().toISOString(),
    test: state.mode === 'test',
  };
  switch (reason) {
    case 'completed': {
      const copyToken = newToken();
      const availableUntil = present(copyEndsAt(state), 'copyEndsAt');
      const content = renderSealed({ ...common, copyUrl: copyUrl(baseUrl, copyToken), availableUntil });
      return { content, kind: reason, copyToken };
    }
    case 'cancelled':
    case 'declined':
    case 'expired':
      return { content: renderSignerNotice({ ...common, reason }), kind: reason };
  }
}

/** With the time of what it tells. */
type DatedNotice = Notice & { createdAt: string };

function senderContent(
  request: SignatureRequest,
  { reason, about, createdAt }: DatedNotice,
  locale: Locale,
  { baseUrl, now, brand }: Pick<Links, 'baseUrl' | 'now'> & { brand: Brand | undefined },
): MailContent | undefined {
  if (!isForSender(reason)) return undefined;
  const { state } = request;
  // A mail that came late would contradict the one of the seal, or an operator has queued it again.
  if (reason === 'sealing_failed' && state.status !== 'stamp_failed') return undefined;
  // News of an address that was corrected since is none of the new one.
  const named = request.signers.filter(
    ({ id, addressSince }) => about.includes(id) && (addressSince ?? '') <= createdAt,
  );
  if (about.length > 0 && named.length === 0) return undefined;
  const waitedFor = takesSignatures(state, now()) ? named.filter(mayStillSign) : [];
  // As above: the sender has sent the invitation again, or nobody can sign any more.
  if (reason === 'code_entry_ended' && !waitedFor.some((signer) => hasUsedUpCodes(signer, now())))
    return undefined;
  return renderSenderNotice({
    locale,
    senderName: state.ownerName,
    brand,
    title: state.title,
    test: state.mode === 'test',
    reason,
    requestId: state.id,
    requestUrl: requestUrl(baseUrl, state.id),
    sentAt: now().toISOString(),
    about: named,
    declineReason: named.find(({ declineReason }) => declineReason)?.declineReason ?? null,
    awaitsInvitation: waitedFor.some(isUnreachable),
    availableUntil: reason === 'completed' && hasFiles(state, now()) ? state.purgeAt : null,
  });
}

/** The mails of a notice to those recipients who want it and are concerned. */
export function noticeMails(
  request: SignatureRequest,
  { owner, maker, locale }: Sender,
  notice: DatedNotice,
  links: Links,
): NoticeMail[] {
  const { reason, recipients } = notice;
  const signersAreTold =
    reason === 'completed' ? hasFiles(request.state, links.now()) : owner?.signerNotices !== false;
  return recipients.flatMap((recipient) => {
    if (recipient === SENDER) {
      const to = senderAddress(owner, maker);
      const content = senderContent(request, notice, locale, { ...links, brand: owner?.brand });
      return to && content ? [{ recipient, to, content, kind: null }] : [];
    }
    const signer = request.signers.find(({ id }) => id === recipient);
    if (!signer || !signersAreTold || !isForSigners(reason) || !isToldOf(reason, request, signer)) return [];
    const mail = signerMail(request, signer, reason, { ...links, brand: owner?.brand });
    return [{ recipient, to: signer.email, ...mail }];
  });
}
