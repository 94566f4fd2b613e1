import { FIRST_STRONG_ISOLATE, POP_ISOLATE } from '../runtime/isolates.ts';

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Marks a name that is written from right to left, so that it turns round nothing beside it: two such names side by side
 * would change places. The sender's own text has
 * no such characters left: `sender-text.ts` removes them.
 */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;

/** As an element, for HTML that is escaped already. Gmail, Outlook and Yahoo know no <bdi>. */
export const isolatesAsMarkup = (html: string): string =>
  html.replaceAll(FIRST_STRONG_ISOLATE, '<span dir="auto">').replaceAll(POP_ISOLATE, '</span>');
