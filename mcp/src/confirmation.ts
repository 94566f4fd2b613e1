import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { Problem } from './problem.ts';

/** The argument of every tool that asks the person. */
export const confirm = z
  .string()
  .optional()
  .describe('The digest that the first call answered, once the person has agreed');

/**
 * Asks the person, through the assistant's program where that can. Elsewhere a first call only shows what would be done;
 * a second call has to repeat the digest of exactly that. Returns the text for the first call; null: go on.
 */
export async function confirmed(
  { server }: McpServer,
  lines: readonly string[],
  given: string | undefined,
): Promise<string | null> {
  const shown = lines.map(onOneLine).join('\n');
  if (server.getClientCapabilities()?.elicitation) {
    await elicit(server, shown);
    return null;
  }
  const digest = digestOf(shown);
  if (given === digest) return null;
  const isOther = given === undefined ? '' : 'What would be done is not what was confirmed. ';
  return `${isOther}Nothing was done yet. Show this to the person:\n\n${shown}\n\nOnly if they agree, call again with the same arguments and "confirm": "${digest}".`;
}

/** A name or title that others wrote cannot add a line of its own, nor turn the direction of one. */
const onOneLine = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

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
