import { ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { ERROR_WORDS } from '../shared/contract/words/errors.ts';

/** Generates the page about errors from the contract: docs/errors.md, and /docs/errors, where an error's `docs` leads. */

const CODES = Object.keys(ERRORS) as ErrorCode[];
const BY_STATUS = Object.entries(Object.groupBy(CODES, (code) => ERRORS[code][0]));
const INTRODUCTION =
  'Every error is JSON with `error`, one of the codes below, and `message`, a sentence that names the field and says what to do. ' +
  'In the client API `docs` is the address of the code’s entry on this page.';

function entryOf(code: ErrorCode): string[] {
  const [status, meaning] = ERRORS[code];
  const { why, remedy } = ERROR_WORDS[code];
  return [`### ${code}`, '', `${status}. ${meaning}`, '', `- Why: ${why}`, `- What to do: ${remedy}`, ''];
}

export const errorsPage = (): string =>
  [
    '# Errors',
    '',
    INTRODUCTION,
    '',
    'Made by `npm run docs` from `shared/contract/errors.ts` and `shared/contract/words/`.',
    '',
    ...BY_STATUS.flatMap(([status, codes = []]) => [`## ${status}`, '', ...codes.flatMap(entryOf)]),
  ].join('\n');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** As HTML, of which the words use nothing but code. */
const html = (words: string) => escaped(words).replace(/`([^`]+)`/g, '<code>$1</code>');

function htmlEntryOf(code: ErrorCode): string[] {
  const [status, meaning] = ERRORS[code];
  const { why, remedy } = ERROR_WORDS[code];
  return [
    `<h3 id="${code}"><a href="#${code}">${code}</a></h3>`,
    `<p>${status}. ${html(meaning)}</p>`,
    `<dl><dt>Why</dt><dd>${html(why)}</dd><dt>What to do</dt><dd>${html(remedy)}</dd></dl>`,
  ];
}

/** Plain: the policy of the pages allows no styles inside one. */
export const errorsHtml = (): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Errors</title>',
    '<main>',
    '<h1>Errors</h1>',
    `<p>${html(INTRODUCTION)}</p>`,
    ...BY_STATUS.flatMap(([status, codes = []]) => [`<h2>${status}</h2>`, ...codes.flatMap(htmlEntryOf)]),
    '</main>',
    '</html>',
    '',
  ].join('\n');
