import { graphemesOf } from '../runtime/graphemes.ts';
import { visibleLines } from '../runtime/visible.ts';

/**
 * Cleans text that a sender wrote for use in a mail: it cannot hide anything, change how other text is displayed or
 * become a link. Mail programs turn anything that looks like an address into a link, in HTML and in plain text, so
 * escaping is not enough.
 */

const LINE_BREAK = /\r\n|[\r\n\u0085\u2028\u2029]/g;

/**
 * Zero width non-joiner. Unlike other invisible characters it makes a host name invalid instead of being dropped,
 * so an address that is linked anyway, or copied, does not resolve.
 */
const BREAK = '\u200c';

/** A dot before a letter, except in `.pdf`, which is no top-level domain; also any dot after `www`. */
const DOMAIN_DOT = /(?:(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})(?!pdf\b)|(?<=www)[.\u3002\uff0e\uff61])/giu;
const IP_ADDRESS = /\d+(?:\.\d+){3,}/g;
const ADDRESS_MARK = /[:@\uff20\\/](?=\S)/gu;

const visible = (text: string) => visibleLines(text.replace(LINE_BREAK, '\n'));

const separated = (mark: string) => `${BREAK}${mark}${BREAK}`;

const withoutLinks = (text: string): string =>
  text
    .replace(IP_ADDRESS, (address) => address.replaceAll('.', separated('.')))
    .replace(DOMAIN_DOT, separated)
    .replace(ADDRESS_MARK, separated);

/** Shortens to at most `max` graphemes, the last of them an ellipsis. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const graphemes = graphemesOf(text);
  return graphemes.length <= max
    ? text
    : `${graphemes
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** One line for a subject or a sender's name, where mail programs do not create links. */
export const oneLine = (text: string, max: number): string =>
  shorten(visible(text).replace(/\s+/g, ' ').trim(), max);

/** One line in the body of a mail. */
export const inlineText = (text: string, max: number): string => withoutLinks(oneLine(text, max));

/** Several lines for a quotation, without runs of empty lines that would push the rest out of sight. */
export const blockText = (text: string): string =>
  withoutLinks(
    visible(text)
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
