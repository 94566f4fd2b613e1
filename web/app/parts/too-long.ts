import { cleaned } from '../../../shared/runtime/visible.ts';

/** Counts characters as the service does: a string's length counts some twice. */
export const isTooLong = (text: string, most: number): boolean => [...cleaned(text)].length > most;
