import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { inWords } from '../../../client/command/in-words.ts';
import { type Expected, readExpected, verifyEvidence, verifyPdf } from '../../../client/verifier/index.ts';
import type { Folders } from '../folders.ts';
import { Problem } from '../problem.ts';
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
    ({ file, evidence: evidenceFile, trust }) =>
      answer(async () => {
        const options = { expected: await expectedIn(trust, folders), now: new Date() };
        const bytes = await folders.read(file);
        const document = await verifyPdf(bytes, options);
        const evidence =
          evidenceFile === undefined
            ? null
            : await verifyEvidence(await folders.read(evidenceFile), { bytes, report: document }, options);
        return inWords(document, evidence);
      }),
  );
}

async function expectedIn(file: string | undefined, folders: Folders): Promise<Expected> {
  if (file === undefined) return readExpected('');
  const expected = await readExpected((await folders.read(file)).toString());
  if (expected.fingerprints.size > 0) return expected;
  throw new Problem(`${file} has neither a SHA-256 fingerprint nor a certificate as PEM.`);
}
