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

function write(part: Part): string {
  switch (part.kind) {
    case 'quotation':
      return `${part.label}:\n${quoted(part.text)}`;
    case 'code':
      return `${part.label}: ${part.code}\n${part.notes.join('\n')}`;
    case 'link':
      return `${part.label}:\n${part.url}`;
    default:
      return part.text;
  }
}

export const plainText = ({ parts }: Layout): string => `${parts.map(write).join('\n\n')}\n`;
