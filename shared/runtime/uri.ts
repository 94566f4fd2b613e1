/** Addresses that others gave. */

/**
 * Spaces, controls, characters that reorder text or that nobody sees, and backslashes: two URL parsers may read a different
 * host from them, and so may people. Joiners and selectors belong to the letters and signs beside them.
 */
const AMBIGUOUS = /[\s\p{Cc}\p{Bidi_Control}\\]|(?!\p{Join_Control}|\p{Variation_Selector})\p{DI}/u;

export const isAmbiguous = (text: string): boolean => AMBIGUOUS.test(text);

/** Scheme and host, without user and password. */
const PLAIN = /^https?:\/\/[^/?#@]+([/?#]|$)/i;

/** Parses an address for people; undefined if it is none. */
export const parsePlainAddress = (text: string): URL | undefined =>
  (!isAmbiguous(text) && PLAIN.test(text) && URL.parse(text)) || undefined;

const NOT_IN_URIS = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})/gi;

/** The URI that a URL with other characters stands for. One without them stays as it is. */
export const asUri = (text: string): string =>
  text.search(NOT_IN_URIS) < 0
    ? text
    : (URL.parse(text)?.href.replace(NOT_IN_URIS, encodeURIComponent) ?? text);
