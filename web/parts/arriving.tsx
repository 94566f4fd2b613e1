import type { Locale } from '../../shared/texts/languages.ts';
import { Paced } from './changing.tsx';
import { percentOf } from './percent.ts';

interface ArrivingProps {
  words: string;
  /** The part of a download that has arrived, from 0 to 1. */
  part: number;
  locale: Locale;
}

/** Words of a button. What screen readers read changes at each fifth. */
export const Arriving = ({ words, part, locale }: ArrivingProps) => (
  <>
    {words} <Paced seen={percentOf(part, locale)} heard={percentOf(Math.floor(part * 5) / 5, locale)} />
  </>
);
