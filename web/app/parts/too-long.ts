import { cleaned } from '../../../shared/runtime/visible.ts';

/** The limit of titles, names and references. */
const MOST_IN_LINE = 200;

export const isTooLong = (line: string): boolean => cleaned(line).length > MOST_IN_LINE;
