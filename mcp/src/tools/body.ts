import * as z from 'zod';
import { Problem } from '../../../client/command/problem.ts';

/** Throws what the service would answer to this body, so that nobody is asked to agree to what it refuses. */
export function requireValid(schema: z.ZodType, body: unknown): void {
  const { error } = schema.safeParse(body);
  if (error) throw new Problem(error.issues.map(sentenceOf).join('\n'));
}

/** A message of the contract is an error code and a sentence without its subject. */
function sentenceOf({ message, path }: z.core.$ZodIssue): string {
  const [code, sentence] = message.split('|', 2);
  return `${code}: ${z.core.toDotPath(path)} ${sentence}.`;
}
