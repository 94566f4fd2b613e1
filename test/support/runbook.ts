import { readFileSync } from 'node:fs';

/** The commands of docs/runbook.md, section by section, so that tests follow the page to the letter. */

export interface Step {
  section: string;
  command: string;
}

const FENCE = /```sh\n([\s\S]*?)```/g;

function commandsIn(text: string): string[] {
  const fenced = [...text.matchAll(FENCE)].flatMap(([, lines = '']) =>
    lines.replace(/\\\n\s*/g, '').split('\n'),
  );
  const spans = [...text.replace(FENCE, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...fenced.map((line) => line.replace(/\s+#.*$/, '')), ...spans]
    .map((command) => command.trim().replace(/\s+/g, ' '))
    .filter((command) => /^(admin|aws|npm run) /.test(command));
}

/** Each command once for each section. */
export function steps(page = readFileSync('docs/runbook.md', 'utf8')): Step[] {
  return page.split(/^#+ (?=\S)/m).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n');
    return [...new Set(commandsIn(lines.join('\n')))].map((command) => ({ section, command }));
  });
}

/** Words as a shell would split them. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** `ID`, `ADDRESS|none`: what the reader fills in. */
const PLACEHOLDER = /^[A-Z][A-Z_]*(\|\w+)?$|^\w+\|\w+$/;

/** The words of a command of this section, with the reader's values for the placeholders. */
export function follow(
  section: string,
  command: string,
  values: Readonly<Record<string, string>> = {},
): string[] {
  if (!steps().some((step) => step.section === section && step.command === command))
    throw new Error(`The section "${section}" of the runbook does not say "${command}".`);
  return wordsOf(command).map((word) => {
    const given = values[word];
    if (given === undefined && PLACEHOLDER.test(word)) throw new Error(`"${command}" needs ${word}.`);
    return given ?? word.replace(/\b[A-Z]{2,}\b/g, (name) => values[name] ?? name);
  });
}
