/** Characters that nobody sees: they would control a terminal, turn or break a line, or hide words that an assistant reads. */
const HIDDEN = /[\u007f-\u009f\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('');

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** JSON for people: the same value, with the characters written out that others may have put into names, titles and reasons. */
export const shownJson = (value: unknown): string => JSON.stringify(value, null, 2).replace(HIDDEN, escaped);
