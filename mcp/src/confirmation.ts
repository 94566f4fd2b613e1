import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Problem } from './problem.ts';

/**
 * Asks the person, through the assistant's program where that can. Elsewhere a first call only shows what would be done;
 * a second call has to repeat the digest of exactly that. Returns the text for the first call; null: go on.
 */
export async function confirmed(
  { server }: McpServer,
  shown: string,
  given: string | undefined,
): Promise<string | null> {
  if (server.getClientCapabilities()?.elicitation) {
    await elicit(server, shown);
    return null;
  }
  const digest = digestOf(shown);
  if (given === digest) return null;
  const isOther = given === undefined ? '' : 'What would be done is not what was confirmed. ';
  return `${isOther}Nothing was done yet. Show this to the person:\n\n${shown}\n\nOnly if they agree, call again with the same arguments and "confirm": "${digest}".`;
}

async function elicit(server: McpServer['server'], shown: string): Promise<void> {
  const { action, content } = await server.elicitInput({
    message: shown,
    requestedSchema: {
      type: 'object',
      properties: { agreed: { type: 'boolean', title: 'Do this' } },
      required: ['agreed'],
    },
  });
  if (action !== 'accept' || content?.agreed !== true)
    throw new Problem('The person did not agree, so nothing was done.');
}

const digestOf = (shown: string): string => createHash('sha256').update(shown).digest('hex').slice(0, 16);
