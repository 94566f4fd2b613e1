import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { locale } from '../../../shared/contract/fields.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { createSignatureBody } from '../../../shared/contract/signatures.ts';
import { type Confirmation, confirm } from '../confirmation.ts';
import * as shown from '../shown.ts';
import type { World } from '../world.ts';
import { answer, change } from './answer.ts';
import { requireValid } from './body.ts';

const INPUT = z.strictObject({
  file: z.string().describe('The PDF, below one of the folders that this server may use'),
  signers: z
    .array(
      z.strictObject({
        email: z.string().describe('Where the invitation is mailed'),
        name: z.string().optional().describe('As it stands in mails and on the page'),
      }),
    )
    .min(1)
    .max(LIMITS.signers)
    .describe('Who is to sign'),
  title: z.string().optional().describe('Shown to the signers; by default the name of the file'),
  message: z.string().optional().describe('Shown to the signers, in the invitation and on the page'),
  language: z.enum(locale.options).optional().describe('Of mails and page'),
  expires_in_days: z
    .number()
    .int()
    .min(1)
    .max(LIMITS.expiryDays)
    .optional()
    .describe(`${LIMITS.expiryDays} by default`),
  reference: z.string().optional().describe('The sender’s own name for the request'),
  confirm,
});

type Input = z.infer<typeof INPUT>;

export function registerSend(
  server: McpServer,
  { client, folders, isLive }: World,
  confirmation: Confirmation,
): void {
  server.registerTool(
    'send',
    {
      title: 'Send a PDF to be signed',
      description:
        'Sends a PDF to people who are to sign it: each is mailed an invitation. Shows first what it will do, and asks the person.',
      inputSchema: INPUT,
      annotations: { destructiveHint: true, idempotentHint: false },
    },
    (input, { signal }) =>
      answer(async () => {
        const bytes = await folders.read(input.file);
        const fields = fieldsOf(input);
        const filename = basename(input.file);
        const document = { filename, content_base64: bytes.toString('base64') };
        requireValid(createSignatureBody, { ...fields, document });
        const lines = describe(fields, input.file, bytes, isLive);
        const agreed = await confirmation.ask(async () => ({ lines }), input.confirm, signal);
        if (typeof agreed === 'string') return agreed;
        const file = new File([bytes], filename, { type: 'application/pdf' });
        return shown.created(await change(client.signatureRequests.create({ ...fields, file }, { signal })));
      }),
  );
}

function fieldsOf({ file, signers, title, message, language, expires_in_days, reference }: Input) {
  return {
    title: title ?? basename(file).replace(/\.pdf$/i, ''),
    signers,
    message,
    locale: language,
    expires_in_days,
    reference,
  };
}

/** All that the person agrees to, the file itself included. */
function describe(
  {
    title,
    signers,
    message,
    locale,
    expires_in_days: days = LIMITS.expiryDays,
    reference,
  }: ReturnType<typeof fieldsOf>,
  path: string,
  bytes: Uint8Array,
  isLive: boolean,
): string[] {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return [
    isLive ? 'Send this to be signed:' : 'Send this to be signed, in test mode (the seal will not be valid):',
    `Title: ${title}`,
    `File: ${path} (${bytes.length} bytes, SHA-256 ${sha256})`,
    ...signers.map(({ name, email }) => `Signer: ${name ? `${name} <${email}>` : email}`),
    ...(message === undefined ? [] : [`Message: ${message}`]),
    ...(locale === undefined ? [] : [`Language: ${locale}`]),
    `Expires after: ${days} days`,
    ...(reference === undefined ? [] : [`Reference: ${reference}`]),
  ];
}
