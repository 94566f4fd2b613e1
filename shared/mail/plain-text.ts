import type { Layout, Part } from './parts.ts';

const QUOTE_WIDTH = 72;

/** Breaks a line between words; a word that is too long by itself is broken too. */
function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Every line is marked, so that none can pass for one of ours. */
const quoted = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, QUOTE_WIDTH))
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function write(part: Part, colon: string): string {
  switch (part.kind) {
    case 'quotation':
      return `${part.label}${colon}\n${quoted(part.text)}`;
    case 'code':
      return `${part.label}${colon} ${part.code}\n${part.notes.join('\n')}`;
    case 'link':
      return `${part.label}${colon}\n${part.url}`;
    default:
      return part.text;
  }
}

export const plainText = ({ parts, colon }: Layout): string =>
  `${parts.map((part) => write(part, colon)).join('\n\n')}\n`;
