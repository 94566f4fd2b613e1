/** As every language of the pages writes it. */
export const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** The part of a download that is there. Empty at its ends, where the words beside it say enough. */
export const percentOf = (progress: number): string =>
  progress > 0 && progress < 1 ? percent(progress) : '';

export const withPercent = (words: string, progress: number): string =>
  `${words} ${percentOf(progress)}`.trim();
