import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { checkFiles, inWords } from '../../../client/command/check-files.ts';
import type { World } from '../world.ts';
import { answer } from './answer.ts';

/** The call that opens each kind of file. */
const OPENERS = {
  document: 'download',
  evidence: 'downloadEvidence',
  audit_trail: 'downloadAuditTrail',
} as const;

export function registerFiles(server: McpServer, { client, folders }: World): void {
  server.registerTool(
    'download',
    {
      title: 'Download the sealed PDF, its evidence, or the audit trail',
      description:
        'Stores the sealed PDF of a request that all have signed as a new file, or its evidence, or the audit trail.',
      inputSchema: z.strictObject({
        id: z.string().describe('The id of a request'),
        to: z.string().describe('A new file below one of the folders that this server may use'),
        kind: z
          .enum(['document', 'evidence', 'audit_trail'])
          .default('document')
          .describe('"evidence" says who signed, when and how; "audit_trail" is there in any status'),
      }),
      annotations: { destructiveHint: false, idempotentHint: false },
    },
    ({ id, to, kind }, { signal }) =>
      answer(async () => {
        await folders.requireFree(to);
        const download = await client.signatureRequests[OPENERS[kind]](id, { signal });
        const bytes = await download.bytes();
        return { file: await folders.write(to, bytes), bytes: bytes.length };
      }),
  );

  server.registerTool(
    'verify',
    {
      title: 'Say who sealed a PDF, and whether it was changed since',
      description:
        'Says who sealed a PDF, and whether it was changed since, without the network. Green: nothing is left to check; intact: only whose certificates they are.',
      inputSchema: z.strictObject({
        file: z.string().describe('The PDF, below one of the folders that this server may use'),
        evidence: z.string().optional().describe('Its evidence file'),
        trust: z
          .string()
          .optional()
          .describe('A file with certificates or fingerprints that the person trusts'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (paths) => answer(async () => inWords(await checkFiles(paths, (path) => folders.read(path)))),
  );
}
