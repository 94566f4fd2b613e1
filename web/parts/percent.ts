/** All languages of the pages write percentages like this. */
export const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** The progress of a download; empty at 0 and 100 %, where the text beside it is enough. */
export const percentOf = (progress: number): string =>
  progress > 0 && progress < 1 ? percent(progress) : '';

export const withPercent = (words: string, progress: number): string =>
  `${words} ${percentOf(progress)}`.trim();
