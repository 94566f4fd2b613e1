import { wellFormed } from './well-formed.ts';

/**
 * Prepares text from users for display on pages and in PDFs. Invisible characters are removed: they could reorder
 * or hide the text around them. Answers of the API keep the text as it was sent.
 */

/** Format characters that print: signs around Arabic, Syriac and Kaithi numbers. */
const PRINTED_FORMATS = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
const CONTROL = /(?!\s)\p{Cc}/gu;
/** Fonts draw nothing for them, though Unicode counts them as signs: the empty Braille pattern, a note without head. */
const BLANK = /[\u2800\u{1d159}]/gu;

const scripts = (codes: string) =>
  codes
    .split(' ')
    .map((code) => `\\p{scx=${code}}`)
    .join('');
/** Scripts whose letters join, or form other letters; joiners between them change what is read. */
const JOINING = scripts('Arab Syrc Mong Nkoo Mand Mani Phag Adlm Rohg Sogd');
const INDIC = scripts('Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali');
const MONGOLIAN = '(?:(?=\\p{L})\\p{sc=Mong})';
/** They choose one of a letter's forms. */
const MONGOLIAN_SELECTORS = '\\u180b-\\u180d\\u180f';
const LETTER = `(?:(?![${MONGOLIAN_SELECTORS}])(?=[\\p{L}\\p{M}])[${JOINING}${INDIC}])`;
/** Bengali and Malayalam: with a joiner they make a letter of its own, which may end a word. */
const JOINED_VIRAMA = '\\p{L}[\\u09cd\\u0d4d]';
const PICTURE = '[\\p{ExtPict}\\p{EMod}]';
const USEFUL_JOINER = [
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  `(?<=${JOINED_VIRAMA})\\u200d`,
  `(?<=${MONGOLIAN})[${MONGOLIAN_SELECTORS}]`,
  // Parts a vowel from the letters before it, which end as at the end of a word.
  `(?<=${MONGOLIAN}[${MONGOLIAN_SELECTORS}]?)\\u180e(?=${MONGOLIAN})`,
  `(?<=${PICTURE})\\u200d(?=${PICTURE})`,
].join('|');
const INVISIBLE = new RegExp(`(?![${PRINTED_FORMATS}])[\\p{Cf}\\p{DI}]`, 'gu');
/** The pattern of useful joiners is about these. Few texts have one, and its first use takes longer than all else here. */
const JOINER = /[\u180b-\u180f\u200c\u200d]/;
let usefulJoiner: RegExp | undefined;

function usefulJoinersIn(text: string): Set<number> {
  if (!JOINER.test(text)) return new Set();
  usefulJoiner ??= new RegExp(USEFUL_JOINER, 'gu');
  return new Set(Array.from(text.matchAll(usefulJoiner), ({ index }) => index));
}

/** Accents that fit any letter pile up; more than three would reach into other lines. */
const PILED_ACCENTS = /((?:(?=\p{sc=Zinh})\p{M}){3})(?:(?=\p{sc=Zinh})\p{M})+/gu;
/** No letter of any script carries more marks. */
const PILED_MARKS = /(\p{M}{8})\p{M}+/gu;

/** All but the variants of Han letters: NFC would exchange the one that somebody's name is registered with for another. */
const COMPOSED = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;

/** Latin letters, digits and signs, dashes, quotation marks and the ellipsis: in most texts nothing else, and with them nothing to do. */
const PLAIN = '!-~\\u00a1-\\u00ac\\u00ae-\\u017f\\u2010-\\u2027';
const PLAIN_LINES = new RegExp(`^[ \\n${PLAIN}]*$`);

/** The text with its line breaks, composed (NFC), without invisible characters and piles of accents. */
export function visibleLines(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  const clean = wellFormed(text)
    .replace(/\p{Variation_Selector}/gu, keepMongolian)
    .replace(CONTROL, '')
    .replace(BLANK, ' ');
  const useful = usefulJoinersIn(clean);
  return clean
    .replace(INVISIBLE, (character, index: number) => (useful.has(index) ? character : ''))
    .replace(COMPOSED, (part) => part.normalize('NFC'))
    .replace(PILED_ACCENTS, '$1')
    .replace(PILED_MARKS, '$1');
}

const keepMongolian = (selector: string) => (/[\u180b-\u180d\u180f]/.test(selector) ? selector : '');

/** Latin words with single spaces between them. */
const CLEAN = new RegExp(`^[${PLAIN}]+(?: [${PLAIN}]+)*$`);

/** The same on one line. Empty if nothing of the text can be seen. */
export function visible(text: string): string {
  if (CLEAN.test(text)) return text;
  return visibleLines(text).replace(/\s+/gu, ' ').trim();
}

/**
 * Removes what the service rejects: controls and halves of characters that pasted text may contain, which a length limit
 * may also leave, and a text of which nothing can be seen. Word and PowerPoint break lines with a vertical tab.
 */
export const cleaned = (text: string) =>
  visible(text) === ''
    ? ''
    : text
        .replace(/[\v\f]/g, ' ')
        .replace(/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
        .trim();

/**
 * An address or a reference as it looks: chats, tables and pages add characters that nobody sees, which are copied with it. Joiners
 * and selectors belong to the letters and signs beside them.
 */
export const withoutUnseen = (copied: string): string =>
  cleaned(copied.replace(/(?!\p{Join_Control}|\p{Variation_Selector})\p{DI}/gu, ''));
