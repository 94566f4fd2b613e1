import { circumstances, writeSection } from '../bench/support/report.ts';

/** Puts a part's result into docs/reliability.md, with the command that repeats it. */
export const writeResult = (title: string, command: string, text: string): void =>
  writeSection(title, `\`${command}\`, ${circumstances()}.\n\n${text}`, 'reliability.md');
