import { cleaned } from '../../../shared/runtime/visible.ts';

export const isTooLong = (text: string, most: number): boolean => cleaned(text).length > most;
