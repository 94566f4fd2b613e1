import { signUrl } from '../codes/code-mail.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { awaitingNotice, noticeMailed } from '../requests/notices.ts';
import { SECOND } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import type { Table } from '../store/table.ts';
import type { Mailer } from './mailer.ts';
import { renderSealed } from './render.ts';

interface Notifying {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  now: () => Date;
}

const MAIL_BUDGET = 40 * SECOND;

/** Tells each signer that the document is sealed and where to get it; who was told before a crash is not told again. */
export async function mailSealedNotices(notifying: Notifying, request: SignatureRequest): Promise<void> {
  const { table, mailer, baseUrl, now } = notifying;
  const { state } = request;
  const deadline = new Date(now().getTime() + MAIL_BUDGET);
  for (const signer of awaitingNotice(request)) {
    const content = renderSealed({
      locale: signer.locale,
      senderName: state.ownerName,
      title: state.title,
      signerName: signer.nameAsSigned ?? signer.name,
      signUrl: signUrl(baseUrl, signer),
      availableUntil: state.purgeAt,
      test: state.mode === 'test',
    });
    const outcome = await mailer({ to: signer.email, senderName: state.ownerName, content }, deadline);
    const result = { signerId: signer.id, sent: outcome.sent, error: outcome.sent ? null : outcome.error };
    await changeRequest(table, state.id, (current, time) => noticeMailed(current, result, time), now);
  }
}
