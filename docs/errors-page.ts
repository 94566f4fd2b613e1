import { ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { ERROR_WORDS } from '../shared/contract/words/errors.ts';

/** Generates docs/errors.md from the contract; the site shows it at /docs/errors, where an error's `docs` leads. */

const CODES = Object.keys(ERRORS) as ErrorCode[];
const BY_STATUS = Object.entries(Object.groupBy(CODES, (code) => ERRORS[code][0]));
const INTRODUCTION =
  'Every error is JSON with `error`, one of the codes below, and `message`, a sentence that names the field and says what to do. ' +
  'In the client API `docs` is the address of the code’s entry on this page.';

function entryOf(code: ErrorCode): string[] {
  const [status, meaning] = ERRORS[code];
  const { why, remedy } = ERROR_WORDS[code];
  return [
    `### ${code}`,
    '',
    `Status ${status}. ${meaning}`,
    '',
    `- Why: ${why}`,
    `- What to do: ${remedy}`,
    '',
  ];
}

export const errorsPage = (): string =>
  [
    '# Errors',
    '',
    INTRODUCTION,
    '',
    '<!-- Made by `npm run docs` from `shared/contract/errors.ts` and `shared/contract/words/`. -->',
    '',
    ...BY_STATUS.flatMap(([status, codes = []]) => [`## ${status}`, '', ...codes.flatMap(entryOf)]),
  ].join('\n');
