import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { Problem } from '../../client/command/problem.ts';

/** The argument of every tool that asks the person. */
export const confirm = z
  .string()
  .optional()
  .describe('The token that the first call answered, once the person has agreed. It counts for one call');

/** Long, because a person reads first. The assistant's program ends calls that take too long. */
const LONGEST_ANSWER_MS = 24 * 3_600_000;

/** A question to a person, line by line. */
interface Shown {
  lines: readonly string[];
}

/** Asks the person before a tool does what cannot be undone. */
export class Confirmation {
  readonly #server: McpServer['server'];
  readonly #inputEnded: AbortSignal;
  /** Calls that were shown but not yet confirmed, by token. */
  readonly #shown = new Map<string, string>();

  constructor({ server }: McpServer, inputEnded: AbortSignal) {
    this.#server = server;
    this.#inputEnded = inputEnded;
  }

  /**
   * Asks through the assistant's program if it supports that. Otherwise the first call only shows what would be done, and a
   * second call must repeat the token of exactly that. Returns the text of the first call, or what the person has agreed to.
   * Throws for a cancelled call, and if that has changed before the person answered.
   */
  async ask<T extends Shown>(
    read: () => Promise<T>,
    given: string | undefined,
    signal: AbortSignal,
  ): Promise<string | T> {
    const asked = await read();
    const shown = textOf(asked);
    if (signal.aborted) throw new Problem('The call was cancelled, so nothing was done.');
    if (!this.#server.getClientCapabilities()?.elicitation?.form)
      return this.#question(shown, given) ?? asked;
    await elicit(this.#server, shown, AbortSignal.any([signal, this.#inputEnded]));
    const agreed = await read();
    if (textOf(agreed) === shown) return agreed;
    throw new Problem('It has changed since the person was asked, so nothing was done. Call again.');
  }

  /** Each question has its own token, so that a repeated call does nothing twice. */
  #question(shown: string, given = ''): string | undefined {
    if (this.#shown.get(given) === shown) {
      this.#shown.delete(given);
      return undefined;
    }
    const token = randomUUID();
    this.#shown.set(token, shown);
    const isOther = given === '' ? '' : 'The confirmation was for something else, or was used already. ';
    return `${isOther}Nothing was done yet. Show this to the person:\n\n${shown}\n\nOnly if they agree, call again with the same arguments and "confirm": "${token}".`;
  }
}

const textOf = ({ lines }: Shown): string => lines.map(onOneLine).join('\n');

/** Keeps a name or title that others wrote from adding a line or changing the direction of one. */
const onOneLine = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]+/gu, ' ');

async function elicit(server: McpServer['server'], shown: string, signal: AbortSignal): Promise<void> {
  const question = {
    message: shown,
    requestedSchema: {
      type: 'object' as const,
      properties: { agreed: { type: 'boolean' as const, title: 'Do this' } },
      required: ['agreed'],
    },
  };
  const { action, content } = await server
    .elicitInput(question, { signal, timeout: LONGEST_ANSWER_MS })
    .catch((error: unknown) => {
      throw new Problem(`The person could not be asked, so nothing was done: ${String(error)}`);
    });
  if (action !== 'accept' || content?.agreed !== true)
    throw new Problem('The person did not agree, so nothing was done.');
}
