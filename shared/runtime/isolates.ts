/** Unicode's marks around a name that is laid out on its own, whatever stands beside it. Nothing is drawn for them. */
export const FIRST_STRONG_ISOLATE = '\u2068';
export const POP_ISOLATE = '\u2069';

export const withoutIsolates = (text: string): string =>
  text.replaceAll(FIRST_STRONG_ISOLATE, '').replaceAll(POP_ISOLATE, '');
