import type { Locale } from '../../shared/texts/languages.ts';
import { Changing } from './changing.tsx';
import { percentOf } from './percent.ts';

interface ArrivingProps {
  words: string;
  /** The part of a download that has arrived, from 0 to 1. */
  part: number;
  locale: Locale;
}

/** Words of a button. Screen readers announce each change of the focused button's name, so theirs changes at each fifth. */
export const Arriving = ({ words, part, locale }: ArrivingProps) => (
  <>
    {words}{' '}
    <span aria-hidden="true">
      <Changing>{percentOf(part, locale)}</Changing>
    </span>
    <span class="visually-hidden">
      <Changing>{percentOf(Math.floor(part * 5) / 5, locale)}</Changing>
    </span>
  </>
);
