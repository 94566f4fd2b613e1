import type { PageTexts } from '../../shared/texts/en/page.ts';

/** The part of a download that is there. Empty at its ends, where the words beside it say enough. */
export const percentOf = (progress: number, { document }: PageTexts): string =>
  progress > 0 && progress < 1 ? document.zoom(Math.round(progress * 100)) : '';

export const withPercent = (words: string, progress: number, texts: PageTexts): string =>
  `${words} ${percentOf(progress, texts)}`.trim();
