import type { MailKind } from '../contract/fields.ts';
import type { MailContent, Mailer } from '../mail/mailer.ts';
import type { CodeMailInput, LinkMailInput } from '../mail/render.ts';
import { codeEnd } from '../requests/codes.ts';
import { signUrl } from '../requests/links.ts';
import type { MailOutcome } from '../requests/mails.ts';
import type { RequestState, SignatureRequest, SignerState } from '../requests/model.ts';
import type { Brand } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { codeHash, newCode } from './code.ts';

export interface CodeMailing {
  table: Table;
  mailer: Mailer;
  baseUrl: string;
  codePepper: Buffer;
  now: () => Date;
}

/** A new code with the hash that is stored in its place. */
export function makeCode(pepper: Buffer, requestId: string, signerId: string) {
  const code = newCode();
  return { code, codeHash: codeHash(pepper, requestId, signerId, code) };
}

type Around = Pick<CodeMailing, 'baseUrl' | 'now'> & { brand: Brand | undefined };

/** The content of a mail with a signer's link. */
export const linkMailInput = (
  state: RequestState,
  signer: SignerState,
  { baseUrl, brand, now }: Around,
): LinkMailInput => ({
  locale: signer.locale,
  senderName: state.ownerName,
  brand,
  title: state.title,
  signerName: signer.name,
  signUrl: signUrl(baseUrl, signer),
  expiresAt: state.expiresAt,
  sentAt: now().toISOString(),
  test: state.mode === 'test',
});

const codeMailInput = (
  { state, content }: SignatureRequest,
  signer: SignerState,
  code: string,
  around: Around,
): CodeMailInput => ({
  ...linkMailInput(state, signer, around),
  message: content.message,
  code,
  codeExpiresAt: codeEnd(state, signer) ?? state.expiresAt,
});

export interface CodeMail {
  kind: MailKind;
  /** The signer as before the mail. */
  render: (input: CodeMailInput, signer: SignerState) => MailContent;
}

/** The one way a code is mailed: as an invitation, a resend, or because the signer asked for it. */
export async function mailCode(
  { mailer, baseUrl, now }: Pick<CodeMailing, 'mailer' | 'baseUrl' | 'now'>,
  request: SignatureRequest,
  signer: SignerState,
  {
    kind,
    code,
    render,
    brand,
    deadline,
  }: CodeMail & {
    code: string;
    brand: Brand | undefined;
    deadline: Date;
  },
): Promise<MailOutcome> {
  const content = render(codeMailInput(request, signer, code, { baseUrl, brand, now }), signer);
  const about = { requestId: request.state.id, signerId: signer.id, kind };
  return mailer({ to: signer.email, senderName: request.state.ownerName, brand, content, about }, deadline);
}
