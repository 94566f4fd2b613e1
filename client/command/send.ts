import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { LIMITS } from '../../shared/contract/limits.ts';
import type { InvitedSigner, Locale } from '../src/node.ts';
import { command } from './command.ts';
import { change, countOf, Problem, untilStopped, wrongUsage } from './problem.ts';
import { withProgress } from './progress.ts';
import { deadline, table } from './text.ts';

export const send = command({
  name: 'send',
  summary: 'Send a PDF to be signed',
  args: ['FILE'],
  options: {
    to: {
      type: 'string',
      multiple: true,
      value: '"NAME <ADDRESS>"',
      help: `A signer; once for each of up to ${LIMITS.signers}`,
    },
    title: { type: 'string', value: 'TEXT', help: 'Shown to the signers; by default the name of the file' },
    message: { type: 'string', value: 'TEXT', help: 'Shown to the signers' },
    language: { type: 'string', value: 'CODE', help: 'Of mails and page, such as en or fi' },
    days: { type: 'string', value: 'N', help: `Days until it expires; ${LIMITS.expiryDays} by default` },
    reference: { type: 'string', value: 'TEXT', help: 'Your own name for the request' },
  },
  run: async ([path = ''], { to = [], title, message, language, days, reference }, world) => {
    if (to.length === 0) throw wrongUsage('"send" needs a signer: --to "Ann Example <ann@example.com>".');
    // Before a large file is read.
    if (statSync(path).size > LIMITS.documentBytes)
      throw new Problem(`${path} is larger than ${LIMITS.documentBytes / 2 ** 20} MB.`);
    const { signatureRequests } = await world.client();
    const fields = {
      title: title ?? basename(path).replace(/\.pdf$/i, ''),
      signers: to.map(signerOf),
      file: { path },
      message,
      // The service checks the language.
      locale: language as Locale | undefined,
      expires_in_days: days === undefined ? undefined : countOf('--days', days),
      reference,
    };
    const sending = signatureRequests.create(fields, { signal: untilStopped() });
    const created = await withProgress('Sending', world, change(sending));
    const rows = created.signers.map(({ name, email, email_sent, email_error }) => [
      name,
      email,
      email_sent ? 'invited' : `not mailed: ${email_error}`,
    ]);
    const missed = created.signers.flatMap(({ email, email_sent }) => (email_sent ? [] : [email]));
    if (missed.length > 0)
      world.note(
        `The request was created, but not mailed to ${missed.join(', ')}. Do not send it again: "signature-requests resend ${created.id} ADDRESS" mails it.`,
      );
    const head = `${created.id}  ${created.status}, until ${deadline(created.expires_at)}`;
    const text = `${head}\n\n${table(['NAME', 'ADDRESS', 'INVITATION'], ...rows)}`;
    return { text, json: created, exitCode: missed.length > 0 ? 1 : 0 };
  },
});

/** From `Ann Example <ann@example.com>`, or an address alone. */
function signerOf(given: string): InvitedSigner {
  const [, name = '', email = given] = /^\s*([^<>]*?)\s*<([^<>]+)>\s*$/.exec(given) ?? [];
  const [, domain, more] = email.split('@');
  if (domain === undefined)
    throw wrongUsage(`--to "${given}" has no address: write "Ann Example <ann@example.com>".`);
  if (more !== undefined) throw wrongUsage(`--to "${given}" is not one person: write --to once for each.`);
  return { email: email.trim(), ...(name && { name: name.replace(/^"(.*)"$/, '$1') }) };
}
