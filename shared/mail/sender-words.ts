/**
 * Words that a sender wrote, made fit to stand in a mail of ours: they can neither hide anything, nor steer how our own
 * words are shown, nor become a link. Mail programs make links of whatever looks like an address, in HTML and in plain
 * text, so markup alone does not prevent it.
 */

/** Controls, marks that turn the direction of writing around, and characters that have no shape of their own. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const LINE_BREAK = /\r\n|[\r\n\u0085\u2028\u2029]/g;

/**
 * Zero width non-joiner. Unlike its kin it is not dropped from a host name but makes it invalid, so an address that a
 * mail program recognizes all the same, or that is copied, leads nowhere.
 */
const BREAK = '\u200c';

/** A dot before a letter, unless it only begins the ending of a PDF's name, which no domain has; any dot after `www`. */
const DOT_OF_A_DOMAIN = /(?:(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})(?!pdf\b)|(?<=www)[.\u3002\uff0e\uff61])/giu;
const IP_ADDRESS = /\d+(?:\.\d+){3,}/g;
const MARK_OF_AN_ADDRESS = /[:@\uff20\\/](?=\S)/gu;

const visible = (words: string) => words.replace(LINE_BREAK, '\n').replace(UNSEEN, '');

const broken = (mark: string) => `${BREAK}${mark}${BREAK}`;

const withoutAddresses = (words: string): string =>
  words
    .replace(IP_ADDRESS, (address) => address.replaceAll('.', broken('.')))
    .replace(DOT_OF_A_DOMAIN, broken)
    .replace(MARK_OF_AN_ADDRESS, broken);

const segmenter = new Intl.Segmenter();

/** At most so many characters as people count them, with an ellipsis in place of the rest. */
function shortened(words: string, most: number): string {
  if (words.length <= most) return words;
  const graphemes = Array.from(segmenter.segment(words), ({ segment }) => segment);
  return graphemes.length <= most
    ? words
    : `${graphemes
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** One line, for a subject or a sender's name: no mail program makes links there. */
export const oneLine = (words: string, most: number): string =>
  shortened(visible(words).replace(/\s+/g, ' ').trim(), most);

/** One line within a mail. */
export const phrase = (words: string, most: number): string => withoutAddresses(oneLine(words, most));

/** Several lines, for a quotation; no run of empty ones that would push our own words out of sight. */
export const passage = (words: string): string =>
  withoutAddresses(
    visible(words)
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
