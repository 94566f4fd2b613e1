import { inspect } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { faultsOf, Problem, withAdvice } from '../../../client/command/problem.ts';
import { shownJson } from '../../../client/command/text.ts';
import { SignatureRequestsError } from '../../../client/src/node.ts';

/** Runs a tool. Returns its result as text, and errors as sentences. */
export async function answer(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const result = await work();
    const text = typeof result === 'string' ? result : shownJson(result);
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
  }
}

export const change = <T>(call: Promise<T>): Promise<T> =>
  withAdvice(call, 'look with "list" or "status" before you call again.', sentenceOf);

function sentenceOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (!(error instanceof SignatureRequestsError)) {
    process.stderr.write(`${inspect(error)}\n`);
    return 'It failed for an unexpected reason; see the server’s log.';
  }
  const { code, field, requestId, retryAfterMs } = error;
  const facts = [
    field && `field ${field}`,
    // The message names a header, which an assistant does not see.
    retryAfterMs && `try again in ${Math.ceil(retryAfterMs / 1_000)} seconds`,
    requestId && `request id ${requestId}`,
  ]
    .filter(Boolean)
    .join(', ');
  return `${code}: ${faultsOf(error)}${facts && ` (${facts})`}`;
}
