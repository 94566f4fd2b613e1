import type { RequestStatus } from '../shared/contract/fields.ts';
import { REQUEST_STATUS_WORDS } from '../shared/contract/words/enums.ts';
import { TRANSITIONS } from '../shared/requests/transitions.ts';
import { markdownTable } from './cost/markdown-table.ts';

/** Makes docs/states.md from the table of transitions to which a test holds the rules. */

const ways = Object.entries(TRANSITIONS).flatMap(([from, targets]) =>
  Object.entries(targets).map(([to, cause]) => ({ from, to, cause })),
);
const isFinal = (status: RequestStatus) => Object.keys(TRANSITIONS[status]).length === 0;
const statuses = Object.keys(TRANSITIONS) as RequestStatus[];

export const statesPage = (): string => `# States of a request

Made by \`npm run docs\` from \`shared/requests/transitions.ts\`. \`test/unit/requests/lifecycle.test.ts\` holds the rules to it.

\`\`\`mermaid
stateDiagram-v2
  [*] --> pending
${ways.map(({ from, to }) => `  ${from} --> ${to}`).join('\n')}
${statuses
  .filter(isFinal)
  .map((status) => `  ${status} --> [*]`)
  .join('\n')}
\`\`\`

${markdownTable(
  ['state', 'meaning'],
  statuses.map((status) => [
    `\`${status}\``,
    `${REQUEST_STATUS_WORDS[status]}${isFinal(status) ? '. Final' : ''}`,
  ]),
)}

${markdownTable(
  ['from', 'to', 'because'],
  ways.map(({ from, to, cause }) => [`\`${from}\``, `\`${to}\``, cause]),
)}
`;
