import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SignatureRequestsError } from '../../../client/src/node.ts';
import { Problem } from '../problem.ts';

/** Runs a tool: its result as text, its errors as sentences that say what is wrong. */
export async function answer(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const result = await work();
    const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2);
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (!(error instanceof SignatureRequestsError))
    return 'It failed for an unexpected reason; see the server’s log.';
  const { code, message, field, requestId } = error;
  const facts = [field && `field ${field}`, requestId && `request id ${requestId}`]
    .filter(Boolean)
    .join(', ');
  return `${code}: ${message}${facts && ` (${facts})`}`;
}
