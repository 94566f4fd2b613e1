import { FIRST_STRONG_ISOLATE, POP_ISOLATE } from '../runtime/isolates.ts';

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Marks a right-to-left name, so that it does not reorder its neighbours: two such names side by side would change places.
 * These marks are only ours: `sender-text.ts` removes a sender's own.
 */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;

/** As an element, for HTML that is escaped already. Gmail, Outlook and Yahoo know no <bdi>. */
export const isolatesAsMarkup = (html: string): string =>
  html.replaceAll(FIRST_STRONG_ISOLATE, '<span dir="auto">').replaceAll(POP_ISOLATE, '</span>');
