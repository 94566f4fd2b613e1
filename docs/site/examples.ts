import { type Block, blocksOf } from './markdown.ts';
import { readSource } from './sources.ts';

/** One call of each endpoint, by curl and by the client. A test runs them in this order. */
const EXAMPLES: readonly Block[] = blocksOf(readSource('docs/examples.md'));

/** The examples of a call, by its operation id. */
export const callExamples = (operationId: string): Block[] =>
  EXAMPLES.filter(({ heading }) => heading === operationId);
