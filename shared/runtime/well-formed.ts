/** Halves of characters, which UTF-8 has no bytes for. */
const LONE_SURROGATES = /\p{Cs}/gu;

/** The text as UTF-8 stores it. Pages run this too, and not all of their browsers have `toWellFormed`. */
export const wellFormed = (text: string): string => text.replace(LONE_SURROGATES, '\ufffd');
