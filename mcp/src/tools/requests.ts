import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { Problem } from '../../../client/command/problem.ts';
import { REQUEST_STATUSES } from '../../../shared/contract/fields.ts';
import { cancelSignature } from '../../../shared/contract/signatures.ts';
import { type Confirmation, confirm } from '../confirmation.ts';
import * as shown from '../shown.ts';
import type { World } from '../world.ts';
import { answer, change } from './answer.ts';
import { requireValid } from './body.ts';

const READS = { readOnlyHint: true } as const;
const MANY = 20;
const PAGE = 100;
const ID = z.string().describe('The id of a request, as "send" and "list" answer it');

export function registerRequests(
  server: McpServer,
  { client, isLive }: World,
  confirmation: Confirmation,
): void {
  const { signatureRequests } = client;

  server.registerTool(
    'status',
    {
      title: 'Show a request and its signers',
      description:
        'Shows a request: where it stands, what each signer did, what became of each mail, and why a signer declined.',
      inputSchema: z.strictObject({ id: ID }),
      annotations: READS,
    },
    ({ id }, { signal }) =>
      answer(async () => shown.detailed(await signatureRequests.retrieve(id, { signal }))),
  );

  server.registerTool(
    'list',
    {
      title: 'List requests',
      description:
        'Lists requests: all, or those of a status, and of one of reference, signer_email and title_prefix. With title_prefix they are ordered by title, else the newest is first.',
      inputSchema: z.strictObject({
        status: z.enum(REQUEST_STATUSES).optional().describe('"signed" ones are sealed too'),
        reference: z.string().optional().describe('The whole reference that "send" gave'),
        signer_email: z.string().optional().describe('The whole address of a signer'),
        title_prefix: z.string().optional().describe('What the title begins with'),
        limit: z.number().int().min(1).max(100).default(MANY).describe('How many to list at most'),
      }),
      annotations: READS,
    },
    ({ limit, ...filter }, { signal }) =>
      answer(async () => {
        const requests: ReturnType<typeof shown.listed>[] = [];
        // A page of search results may be short or empty before the last page.
        for await (const request of signatureRequests.list({ ...filter, limit: PAGE }, { signal })) {
          if (requests.length === limit) return { requests, has_more: true };
          requests.push(shown.listed(request));
        }
        return { requests, has_more: false };
      }),
  );

  server.registerTool(
    'cancel',
    {
      title: 'Cancel a request',
      description:
        'Cancels a request for good: its links stop working, and its signers are told. Shows first what it will do, and asks the person.',
      inputSchema: z.strictObject({
        id: ID,
        reason: z.string().optional().describe('Kept in the audit trail'),
        confirm,
      }),
      annotations: { destructiveHint: true, idempotentHint: false },
    },
    ({ id, reason, confirm: given }, { signal }) =>
      answer(async () => {
        requireValid(cancelSignature.body, { reason });
        const read = async () => {
          const { title, status, signers } = await signatureRequests.retrieve(id, { signal });
          const lines = [
            isLive ? 'Cancel this request for good:' : 'Cancel this test request for good:',
            `Title: ${title}`,
            `Id: ${id}`,
            `Status: ${status}`,
            ...signers.map((signer) => `Signer: ${signer.name} <${signer.email}>, ${signer.status}`),
            ...(reason === undefined ? [] : [`Reason: ${reason}`]),
          ];
          return { lines };
        };
        const agreed = await confirmation.ask(read, given, signal);
        if (typeof agreed === 'string') return agreed;
        await change(signatureRequests.cancel(id, { reason }));
        return `${id} is cancelled.`;
      }),
  );

  server.registerTool(
    'resend',
    {
      title: 'Mail a signer a new code',
      description:
        'Mails a signer of a request a new code; the earlier one stops working. Shows first whom it will mail, and asks the person.',
      inputSchema: z.strictObject({
        id: ID,
        signer: z.string().describe('The signer’s address or id'),
        confirm,
      }),
      annotations: { destructiveHint: true, idempotentHint: false },
    },
    ({ id, signer: wanted, confirm: given }, { signal }) =>
      answer(async () => {
        const read = async () => {
          const { title, signers } = await signatureRequests.retrieve(id, { signal });
          const signer = signers.find(
            ({ id: own, email }) => own === wanted || email === wanted.toLowerCase(),
          );
          if (!signer) throw new Problem(`${id} has no signer ${wanted}.`);
          const lines = [
            isLive ? 'Mail this signer a new code:' : 'Mail this signer of a test request a new code:',
            `Title: ${title}`,
            `Id: ${id}`,
            `Signer: ${signer.name} <${signer.email}>, ${signer.status}`,
          ];
          return { lines, signer };
        };
        const agreed = await confirmation.ask(read, given, signal);
        if (typeof agreed === 'string') return agreed;
        const { signer } = agreed;
        const { email_sent, email_error } = await change(signatureRequests.resend(id, signer.id));
        return { email: signer.email, email_sent, email_error };
      }),
  );
}
